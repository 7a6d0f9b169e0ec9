package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.Series;
import dev.kiln.stats.Student;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;

/**
 * A Fall says why throughput fell: requests per second are the target's CPU seconds per second times the requests it
 * serves per CPU second. Stolen time lowers the first and leaves the second; slower code lowers the second.
 *
 * @param lost share of the throughput before
 * @param lostLo by the 95 % interval
 * @param lostHi by the 95 % interval
 */
public record Fall(Because because, double lost, double lostLo, double lostHi) {
    /**
     * A block has this length: short enough to leave some in 10 s, long enough to hold most of what neighbouring
     * seconds have in common.
     */
    private static final double BLOCK_SECONDS = 3;

    /**
     * The standard error is this multiple of that of independent blocks. For AR(1) of 0.6, as was measured in a starved
     * tail, means of three have a lag-1 of 0.38, and sqrt((1 + 0.38) / (1 - 0.38)) is 1.5.
     */
    private static final double DEPENDENCE = 1.5;

    private static final double CONFIDENCE = 0.95;

    /** A Because is the reason for which throughput fell. */
    public enum Because {
        /** The target got less CPU and its CPUs were not idle instead: others had them. A CPU second served as much. */
        MACHINE,
        /**
         * A CPU second served less, which is most of it: the service's code, its collector or its compilers, or a CPU that
         * became slower, by its clock or by what runs on the other thread of its core.
         */
        COSTLIER_REQUESTS,
        /** The target used less CPU and left its CPUs idle: it waited, for a database, a lock, or for load. */
        WAITED,
        /** The intervals do not decide, or it is not known whether its CPUs were idle. */
        CANNOT_TELL
    }

    /**
     * Seconds are consecutive seconds of load.
     *
     * @param requests successful responses per second
     * @param used CPU seconds of the target per second, over the same time
     * @param idle idle CPU seconds per second of the CPUs that the target may use; NaN where not recorded
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Seconds(double[] requests, double[] used, double[] idle) {
        public Seconds {
            Series.requireRates(requests);
            Series.requireRates(used);
            if (used.length != requests.length || idle.length != requests.length) {
                throw new IllegalArgumentException("requests, used and idle differ in length");
            }
        }

        private Seconds blocks(double binSeconds) {
            int width = Math.max(1, (int) Math.ceil(BLOCK_SECONDS / binSeconds));
            return new Seconds(means(requests, width), means(used, width), means(idle, width));
        }

        /** Averages the blocks; seconds at the beginning that fill none are left out. */
        private static double[] means(double[] all, int width) {
            int skip = all.length % width;
            return each(
                    all.length / width,
                    i -> Descriptive.mean(Arrays.copyOfRange(all, skip + i * width, skip + (i + 1) * width)));
        }

        private boolean idleKnown() {
            return Arrays.stream(idle).allMatch(Double::isFinite);
        }
    }

    /** Explains a fall, in two blocks of 3 s or more, by Welch's t and the delta method; empty if none. */
    public static Optional<Fall> between(Seconds before, Seconds after, double binSeconds) {
        Seconds b = before.blocks(binSeconds);
        Seconds a = after.blocks(binSeconds);
        if (Math.min(b.requests.length, a.requests.length) < 2) {
            return Optional.empty();
        }
        double requests = Descriptive.mean(b.requests);
        double used = Descriptive.mean(b.used);
        if (requests == 0 || used == 0) {
            return Optional.empty();
        }
        double keptRequests = Descriptive.mean(a.requests) / requests;
        double keptUsed = Descriptive.mean(a.used) / used;
        // Each a linear function of the means after, whose error has the means before in it too.
        Estimate kept = estimate(
                keptRequests, b, a, i -> keptRequests * b.requests[i] / requests, i -> a.requests[i] / requests);
        if (kept.hi() >= 1) {
            return Optional.empty();
        }
        Estimate slower = estimate(
                keptUsed - keptRequests,
                b,
                a,
                i -> keptUsed * b.used[i] / used - keptRequests * b.requests[i] / requests,
                i -> a.used[i] / used - a.requests[i] / requests);
        Estimate slowerThanHalf = estimate(
                keptUsed - keptRequests / 2 - 0.5,
                b,
                a,
                i -> keptUsed * b.used[i] / used - keptRequests * b.requests[i] / requests / 2,
                i -> a.used[i] / used - a.requests[i] / requests / 2);
        double rise = (Descriptive.mean(a.idle) - Descriptive.mean(b.idle)) / used;
        Optional<Estimate> idlerThanHalf = b.idleKnown() && a.idleKnown()
                ? Optional.of(estimate(
                        rise - (1 - keptUsed) / 2,
                        b,
                        a,
                        i -> (b.idle[i] + (rise + keptUsed / 2) * b.used[i]) / used,
                        i -> (a.idle[i] + a.used[i] / 2) / used))
                : Optional.empty();
        return Optional.of(new Fall(
                because(slower, slowerThanHalf, idlerThanHalf), 1 - keptRequests, 1 - kept.hi(), 1 - kept.lo()));
    }

    /**
     * Returns the reason that the intervals support.
     *
     * @param slower what a CPU second's smaller yield took, as a share of the throughput before
     * @param slowerThanHalf the same beyond half of all that was lost
     * @param idlerThanHalf what idle CPUs rose by beyond half of what the target used less, as a share of what it had used
     */
    private static Because because(Estimate slower, Estimate slowerThanHalf, Optional<Estimate> idlerThanHalf) {
        if (slowerThanHalf.lo() > 0) {
            return Because.COSTLIER_REQUESTS;
        }
        if (slowerThanHalf.hi() >= 0 || slower.hi() >= AnalysisConfig.DELTA || idlerThanHalf.isEmpty()) {
            return Because.CANNOT_TELL;
        }
        Estimate idler = idlerThanHalf.get();
        return idler.hi() < 0 ? Because.MACHINE : idler.lo() > 0 ? Because.WAITED : Because.CANNOT_TELL;
    }

    private static Estimate estimate(
            double value, Seconds before, Seconds after, IntToDoubleFunction ofBefore, IntToDoubleFunction ofAfter) {
        Student difference =
                Student.welch(each(before.requests.length, ofBefore), each(after.requests.length, ofAfter));
        return Estimate.ofDifference(value, DEPENDENCE * difference.reach(CONFIDENCE));
    }

    private static double[] each(int n, IntToDoubleFunction value) {
        double[] out = new double[n];
        Arrays.setAll(out, value);
        return out;
    }
}
