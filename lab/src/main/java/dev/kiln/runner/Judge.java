package dev.kiln.runner;

import java.nio.file.Path;
import java.util.List;

/** Asks the analysis about what was recorded so far. The runner itself judges nothing. */
public interface Judge {
    /**
     * Whether a load phase so far is steady: ends phases that wait for it.
     *
     * @param requestsPerSecond of each second
     */
    boolean steady(double[] requestsPerSecond);

    /**
     * Whether C2 is starved.
     *
     * @param cpu CPUs it got on average
     * @param waiting its threads that waited for one on average
     */
    boolean starved(double cpu, double waiting);

    /** Why the machine spoiled a run that is over, in words; empty for a run that it did not. */
    List<String> spoiled(Path run);
}
