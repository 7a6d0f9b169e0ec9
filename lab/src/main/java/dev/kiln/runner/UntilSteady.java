package dev.kiln.runner;

import dev.kiln.load.LoadSession.Tick;
import dev.kiln.model.Protocol.Phase;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Predicate;

/** Ends a load phase that waits for a steady throughput, once it has lasted long enough to tell. */
final class UntilSteady {
    private final Duration from;
    private final Predicate<double[]> steady;
    private final Runnable finish;
    private final boolean waits;
    private double[] seconds = new double[0];

    /** @param steady judges the seconds so far, in requests per second: what comes later cannot change its mind */
    UntilSteady(Phase.Load phase, Predicate<double[]> steady, Runnable finish) {
        this.waits = phase.untilSteadyFrom().isPresent();
        this.from = phase.untilSteadyFrom().orElse(Duration.ZERO);
        this.steady = steady;
        this.finish = finish;
    }

    void tick(Tick tick) {
        if (!waits) {
            return;
        }
        seconds = Arrays.copyOf(seconds, seconds.length + 1);
        seconds[seconds.length - 1] = tick.requestsPerSecond();
        if (seconds.length >= from.toSeconds() && steady.test(seconds)) {
            finish.run();
        }
    }
}
