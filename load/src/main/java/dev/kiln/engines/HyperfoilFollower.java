package dev.kiln.engines;

import dev.kiln.engines.HyperfoilController.Unanswered;
import dev.kiln.importer.hyperfoil.HyperfoilLive;
import dev.kiln.load.LoadSession.Tick;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** A HyperfoilFollower polls one run of a controller until its figures are there, or no longer to be expected. */
final class HyperfoilFollower {
    private static final long POLL_NANOS = 500_000_000;
    private static final long STEP_NANOS = 20_000_000;
    private static final long SECOND = 1_000_000_000L;

    /** A kill is repeated after this time, because one that arrives before the phases begin has no effect. */
    private static final long KILL_AGAIN_NANOS = SECOND;

    /** A run's figures are expected within this time of its end; a controller usually needs a second or two. */
    private static final long WRITE_NANOS = 30 * SECOND;

    /** A run is killed if its agents have not started within this time; the controller itself gives up before. */
    private static final long DEPLOY_NANOS = 180 * SECOND;

    /** A run that is to end at once gets this time, which is short because a user who pressed Ctrl-C waits too. */
    private static final long STOP_NANOS = 20 * SECOND;

    private final HyperfoilController controller;
    private final String run;
    private final String phase;
    private final Duration patience;
    private final HyperfoilLive live = new HyperfoilLive();
    private HyperfoilState state = HyperfoilState.UNKNOWN;
    private String lostWhy = "";
    private int seconds;
    private long beganNanos = -1;
    private boolean overdue;

    /** A RunEnd says in which way the run was over. */
    enum RunEnd {
        /** The run is over, and its figures are in the controller's files. */
        WRITTEN,
        /** The run is over, and its figures did not appear in time. */
        UNWRITTEN,
        /** The controller does not answer any more, or does not know the run. */
        LOST,
        /** The run was to end and does not. */
        STUCK
    }

    /** @param patience with a controller that does not answer */
    HyperfoilFollower(HyperfoilController controller, String run, String phase, Duration patience) {
        this.controller = controller;
        this.run = run;
        this.phase = phase;
        this.patience = patience;
    }

    HyperfoilState state() {
        return state;
    }

    HyperfoilLive live() {
        return live;
    }

    String lostWhy() {
        return lostWhy;
    }

    /** Tells whether the run's phases began. */
    boolean began() {
        return beganNanos >= 0;
    }

    /** Tells whether the run was killed because it was too long. */
    boolean overdue() {
        return overdue;
    }

    /** Follows the run to its end, stopped or killed at a limit since its phases began, and tells its seconds. */
    RunEnd follow(long limitNanos, BooleanSupplier stop, Consumer<Tick> ticks) {
        long started = System.nanoTime();
        long heard = started;
        long killed = Long.MIN_VALUE;
        long over = -1;
        long stopping = -1;
        while (true) {
            long now = System.nanoTime();
            try {
                look(ticks);
                heard = now;
            } catch (Unanswered e) {
                lostWhy = String.valueOf(e.getMessage());
                if (e.lasting() || now - heard > patience.toNanos()) {
                    return RunEnd.LOST;
                }
            }
            if (state.written()) {
                return RunEnd.WRITTEN;
            }
            over = over < 0 && state.terminated() ? now : over;
            if (over >= 0 && now - over > WRITE_NANOS) {
                return RunEnd.UNWRITTEN;
            }
            overdue |= began() ? now - beganNanos > limitNanos : now - started > DEPLOY_NANOS;
            if (stop.getAsBoolean() || overdue) {
                stopping = stopping < 0 ? now : stopping;
                if (now - stopping > STOP_NANOS) {
                    return RunEnd.STUCK;
                }
                if (!state.terminated() && (killed == Long.MIN_VALUE || now - killed > KILL_AGAIN_NANOS)) {
                    controller.kill(run);
                    killed = now;
                }
            }
            sleep(stopping >= 0 ? () -> false : stop);
        }
    }

    private void look(Consumer<Tick> ticks) throws Unanswered {
        state = HyperfoilState.of(controller.run(run));
        if (!began() && state.phases().stream().anyMatch(HyperfoilState::begun)) {
            beganNanos = System.nanoTime();
        }
        if (state.terminated()) {
            return;
        }
        Optional<HyperfoilLive.HyperfoilSecond> second = live.take(controller.recent(run));
        second.ifPresent(
                s -> ticks.accept(new Tick(phase, ++seconds, s.requestsPerSecond(), s.p99Nanos(), s.errors())));
    }

    private static void sleep(BooleanSupplier wake) {
        long end = System.nanoTime() + POLL_NANOS;
        while (System.nanoTime() < end && !wake.getAsBoolean()) {
            LockSupport.parkNanos(STEP_NANOS);
        }
    }

    /**
     * A HyperfoilState is a run's state as the controller reports it.
     *
     * @param terminated whether its phases are over
     * @param written whether its figures are in the controller's files
     * @param cancelled whether it was killed
     * @param phases statuses of those that are there
     * @param failedPhases that broke a rule of the benchmark
     * @param errors in the controller's words; a warning of an agent is one too
     */
    record HyperfoilState(
            boolean terminated,
            boolean written,
            boolean cancelled,
            List<String> phases,
            List<String> failedPhases,
            List<String> errors) {
        static final HyperfoilState UNKNOWN = new HyperfoilState(false, false, false, List.of(), List.of(), List.of());

        HyperfoilState {
            phases = List.copyOf(phases);
            failedPhases = List.copyOf(failedPhases);
            errors = List.copyOf(errors);
        }

        static HyperfoilState of(JsonNode run) {
            boolean terminated =
                    !run.path("terminated").isNull() && !run.path("terminated").isMissingNode();
            // Versions before 0.28 do not report it.
            boolean written = run.path("persisted").isMissingNode()
                    ? terminated
                    : run.path("persisted").asBoolean(false);
            return new HyperfoilState(
                    terminated,
                    written,
                    run.path("cancelled").asBoolean(false),
                    run.path("phases")
                            .valueStream()
                            .map(phase -> phase.path("status").asString(""))
                            .toList(),
                    run.path("phases")
                            .valueStream()
                            .filter(phase -> phase.path("failed").asBoolean(false))
                            .map(phase -> phase.path("name").asString(""))
                            .toList(),
                    run.path("errors")
                            .valueStream()
                            .map(error -> error.asString(""))
                            .toList());
        }

        /** Tells from a phase's status whether the phase has begun. */
        static boolean begun(String status) {
            return !status.isEmpty() && !status.equals("NOT_STARTED");
        }
    }
}
