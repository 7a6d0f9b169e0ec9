package dev.kiln.recorder;

/**
 * What C2's threads did in the last second or so, and C1's.
 *
 * @param cpuShare of one CPU
 * @param waitShare threads waiting for a CPU on average
 * @param cpuSeconds used since the launch
 * @param waitSeconds waited since the launch, summed over threads
 * @param c1Demand what C1's threads asked for, running and waiting, of one CPU
 */
public record CompilerLoad(double cpuShare, double waitShare, double cpuSeconds, double waitSeconds, double c1Demand) {
    /** What both compilers asked for, of one CPU. */
    public double demand() {
        return cpuShare + waitShare + c1Demand;
    }
}
