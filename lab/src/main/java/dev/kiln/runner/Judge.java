package dev.kiln.runner;

import dev.kiln.model.experiment.FoundReference;
import dev.kiln.recorder.Recording.CompilerLoad;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A Judge asks the analysis about what was recorded so far. The runner itself judges nothing. */
public interface Judge {
    /** Returns whether a load is steady so far, by the requests of each second: one that waits for that ends. */
    boolean steady(double[] requestsPerSecond);

    /** Returns whether the first load of a run may end before its time, by its seconds so far, and why. */
    Known known(KnownRule rule, List<WatchedSecond> seconds);

    /** Returns what the search for a run's peak has come to, beside the peaks of the variant's earlier runs. */
    Searched searched(Path run, List<Double> earlier);

    /** Returns the peak that the search of a run found which is over and can be used; empty for any other run. */
    OptionalDouble foundPeak(Path run);

    /** Returns why a run that is over is not to be used, in words; empty where the machine did not disturb it. */
    List<String> spoiled(Path run);

    /**
     * A KnownRule says within which bounds a load may end before its time.
     *
     * @param least seconds that it takes in any case
     * @param most seconds that it takes at most
     * @param rarest share of all requests that the rarest call has in one process of the service, on average
     */
    record KnownRule(double least, double most, double rarest) {}

    /** A WatchedSecond is one second of a load, with what C2 and C1 did where somebody sees them. */
    record WatchedSecond(double requestsPerSecond, Optional<CompilerLoad> compilers) {}

    /** A Known is whether a load may end now, and why. */
    record Known(boolean ends, String why) {}

    /**
     * A Searched is what a search for the peak has come to.
     *
     * @param requestsPerSecond of its last round
     * @param end empty where another round follows
     * @param why why that round does not show the peak by itself, in words; blank where it does
     */
    record Searched(double requestsPerSecond, Optional<FoundReference.End> end, String why) {}
}
