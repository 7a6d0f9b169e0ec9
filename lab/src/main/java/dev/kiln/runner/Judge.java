package dev.kiln.runner;

import dev.kiln.model.load.LoadBin;
import java.nio.file.Path;
import java.util.List;

/** A Judge asks the analysis about what was recorded so far. The runner itself judges nothing. */
public interface Judge {
    /**
     * Returns whether the load of a phase is steady so far, which ends a phase that waits for it.
     *
     * @param requestsPerSecond of each second
     */
    boolean steady(double[] requestsPerSecond);

    /**
     * Returns whether C2 is starved.
     *
     * @param cpu CPUs it got on average
     * @param waiting its threads that waited for one on average
     */
    boolean starved(double cpu, double waiting);

    /**
     * Returns whether throughput goes up (1) or down (-1) within the last round of a search for the reference peak:
     * then that round is no level. 0 where neither is shown.
     *
     * @param load of the run so far, with something of that round
     */
    int change(List<LoadBin> load);

    /**
     * Returns why a run that is over is not to be used, each cause on the machine in words; empty for a run that the
     * machine did not disturb.
     */
    List<String> spoiled(Path run);
}
