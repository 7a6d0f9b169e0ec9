package dev.kiln.load;

import dev.kiln.model.LoadBin;
import java.util.List;

/**
 * A load phase as a whole; its series is in the evidence files. Times in ns since launch.
 *
 * @param startNanos when the first request was begun
 * @param completed successful responses within the phase
 * @param unfinished requests still in flight at the phase's end: started, but neither completed nor failed
 * @param unsent requests that were due by the phase's end and never sent (open loop)
 * @param resent requests sent a second time, because the server closed an idle connection just as they were sent
 * @param maxLagNanos longest time for which the generator itself was late
 * @param warnings what casts doubt on the figures, in words
 */
public record PhaseResult(
        String phase,
        long startNanos,
        long endNanos,
        long started,
        long completed,
        LoadBin.Errors errors,
        long unfinished,
        long unsent,
        long resent,
        boolean cancelled,
        Cost cost,
        long maxLagNanos,
        List<String> warnings) {
    public PhaseResult {
        warnings = List.copyOf(warnings);
    }

    /**
     * CPU time of the driver's own process during the phase.
     *
     * @param cpuNanos all threads, those below included
     * @param jitNanos the JIT compilers' threads
     * @param gcNanos the threads that collect garbage (with the serial collector, the VM thread and all it does)
     */
    public record Cost(long cpuNanos, long jitNanos, long gcNanos) {
        Cost plus(Cost o) {
            return new Cost(cpuNanos + o.cpuNanos, jitNanos + o.jitNanos, gcNanos + o.gcNanos);
        }

        public Cost minus(Cost o) {
            return new Cost(cpuNanos - o.cpuNanos, jitNanos - o.jitNanos, gcNanos - o.gcNanos);
        }

        public double jitShare() {
            return cpuNanos == 0 ? 0 : (double) jitNanos / cpuNanos;
        }
    }
}
