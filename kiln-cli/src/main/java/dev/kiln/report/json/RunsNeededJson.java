package dev.kiln.report.json;

import dev.kiln.report.JsonOut;
import dev.kiln.stats.RunsNeeded;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** RunsNeededJson writes how many runs are needed: a number, or the reason why there is none. */
public final class RunsNeededJson {
    private RunsNeededJson() {}

    public static void write(JsonOut out, Optional<RunsNeeded> needed) {
        out.integer("runsNeeded", needed.map(RunsNeeded::number).orElse(OptionalInt.empty()));
        out.text("noNumberOfRuns", why(needed));
    }

    /** Returns the reason; empty if there is a number, or if nothing was asked. */
    private static Optional<String> why(Optional<RunsNeeded> needed) {
        return needed.orElse(null) instanceof RunsNeeded.NoNumber no
                ? Optional.of(no.why().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                : Optional.empty();
    }
}
