package dev.kiln.explain.study;

import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartTable;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.PairedRatio;
import dev.kiln.stats.Summary;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a start-up comparison says.
 *
 * @param table the pairs that count, numbered from 1
 * @param discarded pairs before them
 * @param main the compared quantity
 * @param outcome what may be concluded of B against A
 * @param verdict the conclusion in words
 * @param detectable smallest relative change that so many pairs show with 80 % power; empty with fewer than two
 * @param effect the change, as a share, that the pairs needed are for
 * @param pairsNeeded to show it with 80 % power; where no difference was shown
 * @param others resident memory, CPU time and numbers from the programs' logs
 * @param notes what a reader must know
 * @param how the evidence; empty for a table from elsewhere
 */
public record StartupResult(
        StartTable table,
        int discarded,
        StartMetric main,
        Conclusion outcome,
        String verdict,
        OptionalDouble detectable,
        double effect,
        OptionalInt pairsNeeded,
        List<StartMetric> others,
        List<String> notes,
        Optional<StartupEvidence> how,
        double confidence) {
    public StartupResult {
        others = List.copyOf(others);
        notes = List.copyOf(notes);
    }

    /**
     * One quantity of both sides.
     *
     * @param unit may be empty
     * @param a empty where no counted start of A has it, as b
     * @param ratio b over a, by pairs; empty where fewer than two have both, or one is 0
     */
    public record StartMetric(
            String name, String unit, Optional<Summary> a, Optional<Summary> b, Optional<PairedRatio> ratio) {
        /** One pair's values, either of which may be missing. */
        record Pair(OptionalDouble a, OptionalDouble b) {}

        static StartMetric of(String name, String unit, Collection<Pair> pairs, double confidence) {
            List<Pair> whole = pairs.stream()
                    .filter(pair -> pair.a().isPresent() && pair.b().isPresent())
                    .toList();
            double[] a =
                    whole.stream().mapToDouble(pair -> pair.a().getAsDouble()).toArray();
            double[] b =
                    whole.stream().mapToDouble(pair -> pair.b().getAsDouble()).toArray();
            boolean positive = whole.stream()
                    .allMatch(pair -> pair.a().getAsDouble() > 0 && pair.b().getAsDouble() > 0);
            return new StartMetric(
                    name,
                    unit,
                    summary(pairs.stream().map(Pair::a).toList()),
                    summary(pairs.stream().map(Pair::b).toList()),
                    positive && whole.size() >= 2 ? Optional.of(PairedRatio.of(a, b, confidence)) : Optional.empty());
        }

        private static Optional<Summary> summary(List<OptionalDouble> values) {
            double[] known =
                    values.stream().flatMapToDouble(OptionalDouble::stream).toArray();
            return known.length == 0 ? Optional.empty() : Optional.of(Summary.ofNotNegative(known));
        }
    }
}
