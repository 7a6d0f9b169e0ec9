package dev.kiln.runner;

import dev.kiln.host.process.ExitCode;
import dev.kiln.host.process.LogTail;
import dev.kiln.host.process.Ports;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.load.AttemptResult;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target.Readiness;
import dev.kiln.model.run.RunInfo.Outcome;
import dev.kiln.runner.Cancellation.Interrupted;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** From a launched process to its first successful response. */
final class TargetStart {
    /** As HotSpot says it since JDK 8; classes with another minor version than 0 use preview features of one JDK. */
    private static final Pattern NEWER_CLASSES =
            Pattern.compile("UnsupportedClassVersionError: .* \\(class file version (\\d{2,3})\\.0\\)");

    /** Class files of JDK N have version 44 + N, see chapter 4 of the JVM specification. */
    private static final int FIRST_CLASSES = 44;

    private static final int LAST_LINES = 40;

    /** Told the moments of a start, ns since launch. */
    interface Told {
        void ready(long nanosSinceLaunch);

        void firstResponse(long nanosSinceLaunch);
    }

    /** For a start that nobody measures. */
    static final Told UNTOLD = new Told() {
        @Override
        public void ready(long nanosSinceLaunch) {}

        @Override
        public void firstResponse(long nanosSinceLaunch) {}
    };

    private final TargetProcess target;
    private final Path log;
    private final Cancellation cancellation;

    TargetStart(TargetProcess target, Path log, Cancellation cancellation) {
        this.target = target;
        this.log = log;
        this.cancellation = cancellation;
    }

    /** Waits, and tells when the target was ready and when it first answered. */
    void await(Readiness readiness, Placeholders values, int port, LoadSession session, Told told) {
        long started = System.nanoTime();
        if (!(readiness instanceof Readiness.FirstResponse)) {
            ready(readiness, values, port, started);
            told.ready(System.nanoTime() - target.launchNanos());
        }
        long answered = firstResponse(session, readiness.timeout(), started) - target.launchNanos();
        if (readiness instanceof Readiness.FirstResponse) {
            told.ready(answered);
        }
        told.firstResponse(answered);
    }

    /** Waits until the target is ready, by whatever but its first response. */
    void ready(Readiness readiness, Placeholders values, int port, long started) {
        try {
            var outcome = ReadinessWait.await(readiness, values, port, log, this::wanted);
            if (!outcome.ready()) {
                throw notReady(started, outcome.lastSeen());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Interrupted();
        }
    }

    private long firstResponse(LoadSession session, Duration timeout, long started) {
        long deadline = started + timeout.toNanos();
        Probe probe =
                session.awaitFirstResponse(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())), this::wanted);
        return switch (probe) {
            case Probe.Answered answered -> answered.nanoTime();
            case Probe.Unanswered unanswered -> {
                boolean wrongUrl = unanswered.last().kind() == AttemptResult.Kind.NO_SUCH_PAGE
                        && wanted()
                        && System.nanoTime() < deadline;
                throw notReady(started, unanswered.last().words() + (wrongUrl ? ", so the URL may be wrong" : ""));
            }
        };
    }

    private boolean wanted() {
        return target.isAlive() && !cancellation.isCancelled();
    }

    private RunFailure notReady(long started, String lastSeen) {
        cancellation.check();
        if (!target.isAlive()) {
            return died();
        }
        long waited = Math.round((System.nanoTime() - started) / 1e9);
        return new RunFailure(
                Outcome.TARGET_FAILED,
                "the target was not ready after " + waited + " s; the last attempt: " + lastSeen,
                log);
    }

    RunFailure died() {
        if (target.exitCode().isEmpty()) {
            return new RunFailure(Outcome.LAB_FAILED, "the connection to the target's machine was lost", log);
        }
        String how = ExitCode.text(target.exitCode().getAsInt());
        return new RunFailure(Outcome.TARGET_FAILED, "the target " + how + tooOld(), log);
    }

    /** What to do where its JVM is older than its classes. */
    private String tooOld() {
        Matcher newer = NEWER_CLASSES.matcher(LogTail.lastLines(log, LAST_LINES));
        if (!newer.find()) {
            return "";
        }
        int needed = Integer.parseInt(newer.group(1)) - FIRST_CLASSES;
        return "; its classes need JDK " + needed + " or later: name one with --jdk " + needed + "+, or jdk: " + needed
                + "+ in the experiment file";
    }

    /** Waits until a target says that it has started. Polling is sparse enough not to slow a start on one CPU. */
    static final class ReadinessWait {
        private static final Duration POLL = Duration.ofMillis(20);
        private static final Duration ATTEMPT = Duration.ofSeconds(2);

        /** How a wait ended; {@code lastSeen} says what came of the last attempt. */
        record Answer(boolean ready, String lastSeen) {}

        private ReadinessWait() {}

        /** Not for {@link Readiness.FirstResponse}, which the load driver finds itself. */
        static Answer await(
                Readiness readiness, Placeholders values, int targetPort, Path log, BooleanSupplier stillWanted)
                throws InterruptedException {
            long deadline = System.nanoTime() + readiness.timeout().toNanos();
            try (Attempt attempt = attempt(readiness, values, targetPort, log)) {
                String lastSeen = "no attempt was made";
                while (System.nanoTime() < deadline && stillWanted.getAsBoolean()) {
                    lastSeen = attempt.once();
                    if (lastSeen.isEmpty()) {
                        return new Answer(true, "");
                    }
                    Thread.sleep(POLL);
                }
                return new Answer(false, lastSeen);
            }
        }

        /** One attempt; returns what was wrong, or an empty text when the target is ready. */
        private interface Attempt extends AutoCloseable {
            String once() throws InterruptedException;

            @Override
            default void close() {}
        }

        private static Attempt attempt(Readiness readiness, Placeholders values, int targetPort, Path log) {
            return switch (readiness) {
                case Readiness.FirstResponse first -> throw new IllegalArgumentException("found by the load driver");
                case Readiness.HttpStatus http -> new HttpAttempt(URI.create(values.fill(http.url())), http.status());
                case Readiness.TcpPort tcp -> {
                    int port = tcp.port().orElse(targetPort);
                    yield () -> Ports.accepts(values.fill("${host}"), port)
                            ? ""
                            : "port " + port + " does not accept connections";
                }
                case Readiness.LogPattern pattern -> {
                    var search = new LogTail.Search(log, Pattern.compile(pattern.regex(), Pattern.MULTILINE));
                    yield new LogAttempt(search, "no line with '" + pattern.regex() + "' in " + log);
                }
            };
        }

        private record LogAttempt(LogTail.Search search, String missing) implements Attempt {
            @Override
            public String once() {
                return search.found() ? "" : missing;
            }

            @Override
            public void close() {
                search.close();
            }
        }

        private static final class HttpAttempt implements Attempt {
            private final HttpClient client = HttpClient.newBuilder()
                    // Without asking for HTTP/2: small servers stumble over the question.
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(ATTEMPT)
                    .build();
            private final HttpRequest request;
            private final int status;

            HttpAttempt(URI url, int status) {
                this.request = HttpRequest.newBuilder(url).timeout(ATTEMPT).build();
                this.status = status;
            }

            @Override
            public String once() throws InterruptedException {
                try {
                    int got = client.send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode();
                    return got == status ? "" : request.uri() + " answered " + got + " instead of " + status;
                } catch (IOException e) {
                    return request.uri() + ": " + IoReason.of(e);
                }
            }

            @Override
            public void close() {
                client.shutdownNow();
            }
        }
    }
}
