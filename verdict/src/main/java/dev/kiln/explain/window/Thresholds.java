package dev.kiln.explain.window;

import dev.kiln.stats.AnalysisConfig;

/** Thresholds are where evidence becomes a finding, each with its source. Shares are of a CPU or of time. */
public final class Thresholds {
    /** Shorter windows say nothing: the kernel credits a wait only when the thread gets its CPU. */
    public static final double WINDOW_SECONDS = 1;

    /**
     * A compiler is starved from this ratio of its wait to its CPU and wait. Beside a busy thread and a busy C1 on a
     * fair CPU it waits two thirds of the time, which every cold start has for a while; measured: 0.97 beside platform
     * threads, 0.74 reniced to -10, 0.5 when served.
     */
    public static final double STARVED_RATIO = 0.72;

    /** C2 is starved if the thread that waits most waits this share of the time; one may wait as long as two. */
    public static final double STARVED_WAIT = 0.5;

    /** A load's end, in s, is the last half of what is judged, within these bounds (docs/reference/explain.md). */
    public static final double END_LEAST = 10;

    public static final double END_MOST = 15;

    /**
     * Compiler CPU time over compile time is up to this when C2 is starved: 0.03 to 0.1 was measured then, and 0.5 to 1 when
     * served. It decides only where waiting is not recorded.
     */
    public static final double EFFICIENCY_STARVED = 0.25;

    /** Compilers that ask for less than this share of one CPU, running and waiting, are quiet, however they are served. */
    public static final double QUIET_DEMAND = 0.3;

    /** C2 has a backlog from this many methods on: at 5 to 10 ms each, about a second of one CPU. */
    public static final int BACKLOG = 100;

    /** A JVM is still compiling much from this many compilations a second; measured: 1 to 10 once settled. */
    public static final double CHURN_PER_SECOND = 20;

    /** A queue's length says nothing from this age in seconds: three periods of steady watching. */
    public static final double QUEUE_AGE_SECONDS = 30;

    /** A CPU this busy has no room for more requests: what is measured is then the lab, not the target. */
    public static final double LAB_SATURATED = 0.95;

    /** Other programs interfere from this share of one CPU: a quarter is more than any error of accounting. */
    public static final double FOREIGN = 0.25;

    /** A hypervisor interferes from this share of a part's CPUs: the relative difference delta. */
    public static final double STEAL = AnalysisConfig.DELTA;

    /** A generator this late has lost two bins of 100 ms; on a CPU shared with a database tens of ms are normal. */
    public static final long LATE_NANOS = 200_000_000L;

    private Thresholds() {}
}
