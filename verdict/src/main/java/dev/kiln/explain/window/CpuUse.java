package dev.kiln.explain.window;

/**
 * A CpuUse is CPU and wait of some threads, as shares of one CPU. Waits are judged by the thread that waited most, not
 * by their sum: two threads that each wait a quarter of the time are not one that waits half of it.
 *
 * @param cpu of all together
 * @param waiting threads that waited for a CPU on average
 * @param longest wait of the thread that waited most, as a share of the time
 * @param blocked share of the time in which that thread neither ran nor waited for a CPU
 */
public record CpuUse(double cpu, double waiting, double longest, double blocked) {
    /** Makes the use of one thread, or of several that are known by their sums alone. */
    public CpuUse(double cpu, double waiting) {
        this(cpu, waiting, waiting, Math.max(0, 1 - cpu - waiting));
    }

    public double demand() {
        return cpu + waiting;
    }

    /** Returns the share of what was asked for that was waiting. */
    public double waitRatio() {
        return demand() > 0 ? waiting / demand() : 0;
    }

    public boolean starved() {
        return longest >= Thresholds.STARVED_WAIT && waitRatio() >= Thresholds.STARVED_RATIO;
    }

    public String words(String compiler) {
        return WindowStatistics.words(compiler, cpu, longest);
    }
}
