package dev.kiln.runner;

import dev.kiln.model.load.LoadBin;
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

    /**
     * Whether throughput goes up (1) or down (-1) within the last round of a search for the reference peak: then that round
     * is no level. 0 where neither is shown.
     *
     * @param load of the run so far, with something of that round
     */
    int change(List<LoadBin> load);

    /** Why the machine spoiled a run that is over, in words; empty for a run that it did not. */
    List<String> spoiled(Path run);
}
