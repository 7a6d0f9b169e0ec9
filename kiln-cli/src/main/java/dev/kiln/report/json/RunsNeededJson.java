package dev.kiln.report.json;

import dev.kiln.report.JsonOut;
import dev.kiln.stats.RunsNeeded;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** How many runs it takes, as JSON has it: a number, or why there is none. */
final class RunsNeededJson {
    private RunsNeededJson() {}

    static void write(JsonOut out, Optional<RunsNeeded> needed) {
        out.integer("runsNeeded", needed.map(RunsNeeded::number).orElse(OptionalInt.empty()));
        out.text("noNumberOfRuns", why(needed));
    }

    /** Empty where there is a number, or no question. */
    private static Optional<String> why(Optional<RunsNeeded> needed) {
        return needed.orElse(null) instanceof RunsNeeded.NoNumber no
                ? Optional.of(no.why().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                : Optional.empty();
    }
}
