package dev.kiln.results;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.EarlierSessions;
import dev.kiln.model.KilnException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** SessionOptions say in which sessions compared runs were made: in one, or in some like earlier ones. */
public final class SessionOptions {
    /** The name is given to the session of all runs that were made in one. */
    private static final String ONE = "one session";

    @Option(
            names = "--sessions",
            paramLabel = "DIR",
            description = "Earlier sessions of the same configuration, whose variance decides what a difference of two"
                    + " sessions is worth: a folder of experiments, or a table with a column session.")
    private @Nullable String earlier;

    @Option(
            names = "--one-session",
            description = "All runs were made in one session: one machine, in one go, taking turns.")
    private boolean one;

    /** Refuses these options beside one with which they have no effect. */
    public void refuseWith(String option) {
        if (one || earlier != null) {
            throw KilnException.usage(
                    (one ? "--one-session" : "--sessions") + " has no effect with " + option,
                    "leave it out: it is for recorded runs that are compared with others");
        }
    }

    /** Returns the sides as they are, or as runs of one session if the user says so. */
    public List<Configuration> inOne(List<Configuration> sides) {
        if (one && earlier != null) {
            throw KilnException.usage(
                    "--one-session and --sessions contradict each other",
                    "give one of them: earlier sessions count only where the runs are of two sessions");
        }
        return one ? sides.stream().map(side -> side.inSession(ONE)).toList() : sides;
    }

    /** Returns the variance that earlier sessions show; {@link EarlierSessions#NONE} if none are named. */
    public EarlierSessions earlier(Subjects read, List<Configuration> sides) {
        return earlier == null ? EarlierSessions.NONE : read.earlier(earlier, sides);
    }
}
