package dev.kiln.cli.results;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.EarlierSessions;
import dev.kiln.model.KilnException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What somebody says of the sessions in which runs were made. */
public final class SessionOptions {
    /** The name of a session that is the same for all. */
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

    /** Where they say nothing. */
    public void refuseWith(String option) {
        if (one || earlier != null) {
            throw KilnException.usage(
                    (one ? "--one-session" : "--sessions") + " says nothing with " + option,
                    "it is of a comparison of recorded runs with other recorded runs: leave it out");
        }
    }

    /** As they are, or as runs of one session. */
    public List<Configuration> inOne(List<Configuration> sides) {
        if (one && earlier != null) {
            throw KilnException.usage(
                    "--one-session and --sessions contradict each other",
                    "earlier sessions say something of a difference of two sessions only");
        }
        return one ? sides.stream().map(side -> side.inSession(ONE)).toList() : sides;
    }

    /** What earlier sessions say of these sides; nothing where nobody named them. */
    public EarlierSessions earlier(Subjects read, List<Configuration> sides) {
        return earlier == null ? EarlierSessions.NONE : read.earlier(earlier, sides);
    }
}
