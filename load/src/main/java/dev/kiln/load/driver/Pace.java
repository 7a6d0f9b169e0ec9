package dev.kiln.load.driver;

import dev.kiln.load.driver.http.Feeder.ReplaySchedule;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.Shape;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A Pace says when the requests of one phase are due, and how many connections may send them. Times are in ns since the phase
 * began.
 *
 * <p>A request is due when the sum of the rate reaches its place. Places are 0, 1, 2, ... for even arrivals, and apart by
 * exponential distances of mean 1 for a Poisson process (time rescaling: Çinlar 1975).
 */
final class Pace {
    /** The seed is fixed, so that equal loads send at equal times. */
    private static final long SEED = 1;

    private static final double CELL_SECONDS = 0.01;
    private static final int MOST_CELLS = 100_000;

    private final LoadSpec load;
    private final Optional<Shape> shape;
    private final double length;
    private final boolean open;
    private final Sum sum;
    /** A recording says in place of the sum when requests are due; null where a rate does. */
    private final @Nullable ReplaySchedule recording;

    private final Places toSend;
    /** These are the same places once more, because how many requests wait is known only by counting. */
    private final Places toCount;

    Pace(LoadSpec load, Phase.Load phase, Optional<ReplaySchedule> recording) {
        this.load = load;
        this.recording = recording.orElse(null);
        shape = phase.shape();
        length = phase.duration().toNanos() / 1e9;
        boolean shaped = shape.filter(some -> some.changesRate(load)).isPresent();
        open = shaped || load.rate().isPresent();
        double[] sums = shaped
                ? sums(load, shape.get(), length)
                : new double[] {0, load.rate().orElse(0) * length};
        sum = new Sum(sums, length * 1e9 / (sums.length - 1));
        toSend = new Places(load.poisson());
        toCount = new Places(load.poisson());
    }

    private static double[] sums(LoadSpec load, Shape shape, double length) {
        int cells = Math.clamp(Math.round(length / CELL_SECONDS), 1, MOST_CELLS);
        double cell = length / cells;
        double[] sums = new double[cells + 1];
        for (int i = 0; i < cells; i++) {
            sums[i + 1] = sums[i] + cell * shape.rate(load, (i + 0.5) * cell, length);
        }
        return sums;
    }

    /** Tells whether requests are due by the clock, whatever becomes of those before them. */
    boolean isOpen() {
        return open;
    }

    /** Returns when the next request is due that was not yet sent, at most the end of the phase; only in the open loop. */
    long nextDue() {
        return Math.min(due(toSend), lengthNanos());
    }

    /** Marks the request that was due next as sent. */
    void sent() {
        toSend.advance();
    }

    /** Counts the requests due by a time, at most those of the phase; times must not go back. */
    long dueBy(long nanos) {
        while (due(toCount) <= nanos) {
            toCount.advance();
        }
        return toCount.passed;
    }

    /** Returns when a place is due; {@link Long#MAX_VALUE} if it is not due in the phase. */
    private long due(Places of) {
        ReplaySchedule recorded = recording;
        if (recorded == null) {
            return sum.reaches(of);
        }
        long due = recorded.due(of.passed);
        return due < lengthNanos() ? due : Long.MAX_VALUE;
    }

    private long lengthNanos() {
        return Math.round(length * 1e9);
    }

    int connections(long nanos) {
        return shape.map(some -> some.connections(load, nanos / 1e9, length)).orElse(load.connections());
    }

    /** A Sum is the integral of the rate over time, at equally distant times and linear between them. */
    private record Sum(double[] sums, double cellNanos) {
        /** Returns when the sum reaches the next place; {@link Long#MAX_VALUE} if it does not in the phase. */
        long reaches(Places of) {
            double place = of.next;
            int cell = of.cell;
            while (cell + 1 < sums.length && sums[cell + 1] <= place) {
                cell++;
            }
            of.cell = cell;
            return cell + 1 == sums.length
                    ? Long.MAX_VALUE
                    : (long) ((cell + (place - sums[cell]) / (sums[cell + 1] - sums[cell])) * cellNanos);
        }
    }

    /** Places are the sums of the rate at which the requests are due, one after the other. */
    private static final class Places {
        private final @Nullable SplittableRandom random;
        private double next;
        private long passed;
        /** This is the cell of the sum at which the next search begins. */
        private int cell;

        Places(boolean poisson) {
            random = poisson ? new SplittableRandom(SEED) : null;
            next = random == null ? 0 : distance(random);
        }

        void advance() {
            passed++;
            next = random == null ? passed : next + distance(random);
        }

        private static double distance(SplittableRandom random) {
            return -Math.log(1 - random.nextDouble());
        }
    }
}
