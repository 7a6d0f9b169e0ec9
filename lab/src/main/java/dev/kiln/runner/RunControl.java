package dev.kiln.runner;

import dev.kiln.load.LoadSession.Tick;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.recorder.Recording.CompilerLoad;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A RunControl is who follows the runs, who may end them, and who judges what they recorded so far. */
public record RunControl(RunListener listener, Cancellation cancellation, Judge judge) {
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

    /** A RunListener is called as an experiment goes on, by the thread that runs it. */
    public interface RunListener {
        /** Says that something that needs a while has begun, outside any run. */
        void stage(String text);

        /** Says that a run begins, number {@code position}, from 1, of {@code total}. */
        void runStarted(String variant, int position, int total);

        /** Says that the run does something other than load: starts the target, waits, pauses. */
        void doing(String what);

        /** Says that a second of a load has passed, and what C2 did; empty for a program that has none. */
        void tick(Phase.Load phase, Tick tick, Optional<CompilerLoad> c2);

        /** Says that no load follows in this run. */
        default void loadEnded() {}

        /** Reports something that the user has to know at once and that stays on the screen. */
        void note(String text);
    }
}
