package dev.kiln.plan.load;

import java.time.Duration;

/** Defaults are the values that hold where an experiment gives none. They are the same for files and flags. */
public final class Defaults {
    /** The number of connections is that of the published experiments. */
    public static final int CONNECTIONS = 100;

    /** The limit is long: a cold service can keep the first requests for many seconds; they are slow, not lost. */
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    public static final Duration READY_TIMEOUT = Duration.ofMinutes(2);

    /** The number of runs is that of the published experiments. */
    public static final int RUNS = 3;

    /** Two runs at once swap their halves of the CPUs from block to block: the least with two blocks of either kind. */
    public static final int DUET_BLOCKS = 4;

    /** The seed is fixed, so that {@code kiln plan} shows the very order in which {@code kiln run} goes. */
    public static final long SEED = 1;

    /** The name is that of the variant without anything special. */
    public static final String VARIANT = "baseline";

    private Defaults() {}
}
