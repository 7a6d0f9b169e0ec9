package dev.kiln.plan.load;

import java.time.Duration;

/** What holds where an experiment says nothing; the same for files and flags. */
public final class Defaults {
    /** As in the published experiments. */
    public static final int CONNECTIONS = 100;

    /** A cold service can keep the first requests waiting for many seconds; they are slow, not lost. */
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    public static final Duration READY_TIMEOUT = Duration.ofMinutes(2);

    /** As in the published experiments. */
    public static final int RUNS = 3;

    /** Fixed, so that {@code kiln plan} shows the very order that {@code kiln run} takes. */
    public static final long SEED = 1;

    /** The variant without anything special. */
    public static final String VARIANT = "baseline";

    private Defaults() {}
}
