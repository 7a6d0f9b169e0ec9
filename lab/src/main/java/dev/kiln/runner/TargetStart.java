package dev.kiln.runner;

import dev.kiln.host.TargetProcess;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.model.Placeholders;
import dev.kiln.model.Readiness;
import dev.kiln.model.RunInfo.Outcome;
import java.nio.file.Path;
import java.time.Duration;

/** From a launched process to its first successful response. */
final class TargetStart {
    private static final int TOLD_LINES = 15;

    /** A service that answers "no such page" for this long is up, and the URL is wrong. */
    static final Duration WRONG_URL = Duration.ofSeconds(5);

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
        long deadline = System.nanoTime() + readiness.timeout().toNanos();
        if (!(readiness instanceof Readiness.FirstResponse)) {
            ready(readiness, values, port);
            told.ready(System.nanoTime() - target.launchNanos());
        }
        long answered = firstResponse(session, readiness.timeout(), deadline) - target.launchNanos();
        if (readiness instanceof Readiness.FirstResponse) {
            told.ready(answered);
        }
        told.firstResponse(answered);
    }

    private void ready(Readiness readiness, Placeholders values, int port) {
        try {
            var outcome = ReadinessWait.await(readiness, values, port, log, this::wanted);
            if (!outcome.ready()) {
                throw notReady(readiness.timeout(), outcome.lastSeen());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Interrupted();
        }
    }

    private long firstResponse(LoadSession session, Duration timeout, long deadline) {
        String before = "";
        long patience = WRONG_URL.toNanos();
        while (true) {
            long left = Math.min(patience, deadline - System.nanoTime());
            Probe probe = session.awaitFirstResponse(Duration.ofNanos(Math.max(1, left)), this::wanted);
            switch (probe) {
                case Probe.Answered answered -> {
                    return answered.nanoTime();
                }
                case Probe.Unanswered unanswered -> {
                    boolean refused = unanswered.lastSeen().startsWith("status 4");
                    boolean wrongUrl = refused && before.equals(unanswered.lastSeen());
                    // The end of a wait cuts a request short, so a first response may be as slow as the next wait is
                    // long.
                    patience = refused ? WRONG_URL.toNanos() : 2 * patience;
                    before = unanswered.lastSeen();
                    if (wrongUrl || !wanted() || System.nanoTime() >= deadline) {
                        throw notReady(timeout, before + (wrongUrl ? ": is the URL right?" : ""));
                    }
                }
            }
        }
    }

    private boolean wanted() {
        return target.isAlive() && !cancellation.isCancelled();
    }

    private RunFailure notReady(Duration timeout, String lastSeen) {
        cancellation.check();
        if (!target.isAlive()) {
            return died();
        }
        return new RunFailure(
                Outcome.TARGET_FAILED,
                "the target was not ready (waited at most " + timeout.toSeconds() + " s); the last attempt: "
                        + lastSeen,
                LogTail.lastLines(log, TOLD_LINES));
    }

    RunFailure died() {
        if (target.exitCode().isEmpty()) {
            return new RunFailure(
                    Outcome.LAB_FAILED,
                    "the connection to the target's machine was lost",
                    LogTail.lastLines(log, TOLD_LINES));
        }
        int exit = target.exitCode().getAsInt();
        String how = exit > 128 ? "was killed by signal " + (exit - 128) : "exited with code " + exit;
        return new RunFailure(Outcome.TARGET_FAILED, "the target " + how, LogTail.lastLines(log, TOLD_LINES));
    }
}
