package dev.kiln.explain.cause;

import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.experiment.Experiment.ClosingLoad;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightDeoptimizations;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Optional;

/**
 * ClosingDeoptimisations are those in the recording that was made when all else was measured. They show what is present
 * then, and nothing of what was there before.
 *
 * @param perSecond how many
 * @param changedNothing share of them after which no code is thrown away or made anew, 0 to 1
 */
record ClosingDeoptimisations(double perSecond, double changedNothing) {
    private static final double SECOND = 1e9;

    /** Returns them; empty without such a recording, and where there were none. */
    static Optional<ClosingDeoptimisations> closing(WindowEvidence s) {
        List<FlightDeoptimizations> rows =
                s.evidence().closing().map(FlightDigest::deoptimizations).orElse(List.of());
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        LongSummaryStatistics times =
                rows.stream().mapToLong(FlightDeoptimizations::timeNanos).summaryStatistics();
        int all = rows.stream().mapToInt(FlightDeoptimizations::count).sum();
        int nothing = rows.stream()
                .filter(row -> row.action().equals(RecompilationGivenUp.NONE))
                .mapToInt(FlightDeoptimizations::count)
                .sum();
        // A row counts the second that begins at its time, and a second without any has no row.
        double seconds = Math.max(
                (times.getMax() - times.getMin()) / SECOND + 1,
                ClosingLoad.PHASE.duration().toSeconds());
        return Optional.of(new ClosingDeoptimisations(all / seconds, (double) nothing / all));
    }

    /** Tells whether they come as often as in a storm. */
    boolean isOften() {
        return perSecond >= DeoptimisationStorm.DEOPTIMISATIONS_PER_SECOND;
    }

    /** Tells whether most of them lead to no other code. */
    boolean mostlyChangesNothing() {
        return changedNothing >= RecompilationGivenUp.MOST;
    }

    String words() {
        return String.format(
                Locale.ROOT,
                "%,.0f deoptimisations a second, %.0f %% of which changed no code, in the load that went on under a recording"
                        + " (closing/recording.jfr)",
                perSecond,
                100 * changedNothing);
    }
}
