package dev.kiln.runner;

import dev.kiln.model.load.LoadBin;
import dev.kiln.recorder.Recording.CompilerLoad;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A Judge asks the analysis about what was recorded so far. The runner itself judges nothing. */
public interface Judge {
    /**
     * Returns whether the load of a phase is steady so far, which ends a phase that waits for it.
     *
     * @param requestsPerSecond of each second
     */
    boolean steady(double[] requestsPerSecond);

    /**
     * Returns whether the first load of a run may end before its time, and why.
     *
     * @param seconds of it so far
     */
    Known known(KnownRule rule, List<WatchedSecond> seconds);

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

    /**
     * A KnownRule says within which bounds a load may end before its time.
     *
     * @param least seconds that it takes in any case
     * @param most seconds that it takes at most
     * @param rarest share of the requests that the rarest call has
     */
    record KnownRule(double least, double most, double rarest) {}

    /**
     * A WatchedSecond is one second of a load.
     *
     * @param compilers what C2 and C1 did; empty where nobody sees them
     */
    record WatchedSecond(double requestsPerSecond, Optional<CompilerLoad> compilers) {}

    /**
     * A Known is the answer for a load so far.
     *
     * @param ends whether the load may end now
     * @param why in words
     */
    record Known(boolean ends, String why) {}
}
