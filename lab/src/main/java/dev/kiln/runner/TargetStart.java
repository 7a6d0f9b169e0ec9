package dev.kiln.runner;

import dev.kiln.host.process.AttachedProcess;
import dev.kiln.host.process.LogTail;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.run.Course.OutOfMemory;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.remote.RemoteTarget;
import dev.kiln.runner.Cancellation.Interrupted;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A TargetStart is the wait from a launched process to its first successful response.
 *
 * @param log what the target says, or the command that brings it
 */
record TargetStart(TargetProcess target, Path log, Cancellation cancellation) {
    /** The pattern matches HotSpot's message since JDK 8; a minor version other than 0 is for preview features. */
    private static final Pattern NEWER_CLASSES =
            Pattern.compile("UnsupportedClassVersionError: .* \\(class file version (\\d{2,3})\\.0\\)");

    /** Class files of JDK N have version 44 + N, see chapter 4 of the JVM specification. */
    private static final int FIRST_CLASSES = 44;

    private static final int LAST_LINES = 40;

    /** StartMoments receive the moments of a start, in ns since the launch. */
    interface StartMoments {
        default void ready(long nanosSinceLaunch) {}

        default void firstResponse(long nanosSinceLaunch) {}
    }

    /** The receiver for a start that nobody measures ignores its moments. */
    static final StartMoments UNTOLD = new StartMoments() {};

    /** Waits, and reports when the target was ready and when it first answered. */
    void await(ReadySign readiness, Placeholders values, int port, LoadSession session, StartMoments told) {
        long started = System.nanoTime();
        if (!(readiness instanceof ReadySign.FirstResponse)) {
            ready(readiness, values, port, started);
            told.ready(System.nanoTime() - target.launchNanos());
        }
        long answered = firstResponse(session, readiness.timeout(), started) - target.launchNanos();
        if (readiness instanceof ReadySign.FirstResponse) {
            told.ready(answered);
        }
        told.firstResponse(answered);
    }

    /** Waits until the target is ready, by whatever but its first response. */
    void ready(ReadySign readiness, Placeholders values, int port, long started) {
        try {
            Optional<String> missing = ReadinessWait.await(readiness, values, port, log, this::wanted);
            if (missing.isPresent()) {
                throw notReady(started, missing.get());
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
            case Probe.NoAnswer unanswered -> {
                AttemptResult last = unanswered.last();
                boolean lasts = wanted() && System.nanoTime() < deadline;
                throw notReady(started, last.words() + (lasts ? advice(last.kind()) : ""));
            }
        };
    }

    private static String advice(AttemptResult.AttemptKind kind) {
        return switch (kind) {
            case NO_SUCH_PAGE -> ", so the URL may be wrong";
            case NO_LOGIN ->
                ", so the service wants a login, or refuses the one that it got: give it in the URL, as in"
                        + " http://USER:PASSWORD@localhost/, or, in an experiment file, as the header Authorization";
            case NONE, PASSING, NO_AGREEMENT -> "";
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
        if (target instanceof Processes several) {
            RunFailure why = new TargetStart(several.ended(), log, cancellation).died();
            return new RunFailure(why.outcome(), several.ended().remote().name() + ": " + why.getMessage(), why.said());
        }
        if (target instanceof AttachedProcess attached) {
            return gone(attached.pid(), attached.isFresh());
        }
        if (target instanceof RemoteTarget remote && remote.ended().isPresent()) {
            return gone(remote.ended().get().pid(), remote.isFresh());
        }
        return target.exit()
                .map(exit ->
                        new RunFailure(Outcome.TARGET_FAILED, "the target " + exit.text() + ranOut() + tooOld(), log))
                .orElseGet(() -> new RunFailure(Outcome.LAB_FAILED, lost(), log));
    }

    /** Returns why nobody knows how the target ended. To ask may take seconds, so a user who has ended everything does not wait. */
    private String lost() {
        cancellation.check();
        return target instanceof RemoteTarget remote ? remote.lost() : "nobody knows how the target ended";
    }

    /** What a command brought is brought anew for the next run. */
    private RunFailure gone(long pid, boolean fresh) {
        return new RunFailure(
                Outcome.TARGET_FAILED,
                "process " + pid + ", " + (fresh ? "which the restart had brought" : "to which Kiln had attached")
                        + ", ended during the run; only the one that started it knows how: see its log"
                        + (fresh ? "" : ", and start it again"),
                log);
    }

    /** Returns what the target had no more of, by its log; empty where that does not tell. */
    private String ranOut() {
        Set<OutOfMemory> errors = OutOfMemory.in(LogTail.ends(log));
        return errors.isEmpty() ? "" : ": its log says " + OutOfMemory.text(errors);
    }

    /** Returns which JDK to use where the target's JVM is older than its classes; empty where that is not the cause. */
    private String tooOld() {
        Matcher newer = NEWER_CLASSES.matcher(LogTail.lastLines(log, LAST_LINES));
        if (!newer.find()) {
            return "";
        }
        int needed = Integer.parseInt(newer.group(1)) - FIRST_CLASSES;
        return "; its classes need JDK " + needed + " or later: name one with --jdk " + needed + "+, or jdk: " + needed
                + "+ in the experiment file";
    }

    /** A ReadinessWait waits until a target has started. It asks seldom enough not to slow a start on one CPU. */
    static final class ReadinessWait {
        private static final Duration POLL = Duration.ofMillis(20);
        private static final Duration ATTEMPT = Duration.ofSeconds(2);

        private ReadinessWait() {}

        /**
         * Waits for any readiness but {@link ReadySign.FirstResponse}, which the load driver finds itself.
         *
         * @return what came of the last attempt; empty once the target is ready
         */
        static Optional<String> await(
                ReadySign readiness, Placeholders values, int targetPort, Path log, BooleanSupplier stillWanted)
                throws InterruptedException {
            long deadline = System.nanoTime() + readiness.timeout().toNanos();
            try (ReadinessProbe probe = probe(readiness, values, targetPort, log)) {
                Optional<String> missing = Optional.of("no attempt was made");
                while (System.nanoTime() < deadline && stillWanted.getAsBoolean()) {
                    missing = probe.missing();
                    if (missing.isEmpty()) {
                        return missing;
                    }
                    Thread.sleep(POLL);
                }
                return missing;
            }
        }

        private static ReadinessProbe probe(ReadySign readiness, Placeholders values, int targetPort, Path log) {
            return switch (readiness) {
                case ReadySign.FirstResponse first -> throw new IllegalArgumentException("found by the load driver");
                case ReadySign.HttpStatus http ->
                    ReadinessProbe.ofStatus(URI.create(values.fill(http.url())), http.status(), ATTEMPT);
                case ReadySign.TcpPort tcp ->
                    ReadinessProbe.ofPort(values.fill("${host}"), tcp.port().orElse(targetPort));
                case ReadySign.LogPattern pattern -> {
                    var search = new LogTail.LineSearch(log, Pattern.compile(pattern.regex(), Pattern.MULTILINE));
                    yield new LogProbe(search, "no line with '" + pattern.regex() + "' in " + log);
                }
            };
        }

        private record LogProbe(LogTail.LineSearch search, String words) implements ReadinessProbe {
            @Override
            public Optional<String> missing() {
                return search.found() ? Optional.empty() : Optional.of(words);
            }

            @Override
            public void close() {
                search.close();
            }
        }
    }
}
