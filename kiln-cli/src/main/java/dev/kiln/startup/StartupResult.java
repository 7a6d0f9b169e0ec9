package dev.kiln.startup;

import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartTable;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.stats.Summary;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A StartupResult is what a start-up comparison says.
 *
 * @param table the pairs that count, numbered from 1
 * @param discarded pairs before them
 * @param main the compared quantity
 * @param verdicts of each command but the first, against the first, in their order
 * @param effect the change, as a share, that the pairs needed are for
 * @param others resident memory, CPU time and numbers from the programs' logs
 * @param notes what a reader must know
 * @param how the evidence; empty for a table from elsewhere
 * @param confidence of each interval; with several comparisons, each has a share of the error
 */
public record StartupResult(
        StartTable table,
        int discarded,
        StartMetric main,
        List<Verdict> verdicts,
        double effect,
        List<StartMetric> others,
        List<String> notes,
        Optional<StartupEvidence> how,
        double confidence) {
    public StartupResult {
        verdicts = List.copyOf(verdicts);
        others = List.copyOf(others);
        notes = List.copyOf(notes);
    }

    /** Returns {@code number} runs of each command in words: pairs of two commands, rounds of more. */
    public static String rounds(int sides, int number) {
        String one = sides == 2 ? "pair" : "round";
        return number + " " + one + (number == 1 ? "" : "s");
    }

    /**
     * A Verdict is what may be concluded of a command against the first.
     *
     * @param outcome what may be concluded of it
     * @param words the conclusion
     * @param detectable smallest relative change that so many pairs show with 80 % power; empty with fewer than two
     * @param pairsNeeded to show the effect with 80 % power; where no difference was shown
     */
    public record Verdict(Conclusion outcome, String words, OptionalDouble detectable, OptionalInt pairsNeeded) {
        /** Tells whether so few pairs could show nothing, whatever their figures are. */
        boolean tooFew() {
            return outcome == Conclusion.EXPLORATORY || outcome == Conclusion.NOT_ENOUGH_RUNS;
        }
    }

    /**
     * A StartMetric is one quantity of all commands.
     *
     * @param unit may be empty
     * @param sides empty where no counted start of a command has it
     * @param ratios of each command but the first over the first, by pairs; empty where fewer than two have both, or
     *     one is 0
     */
    public record StartMetric(
            String name, String unit, Kind kind, List<Optional<Summary>> sides, List<Optional<PairedRatio>> ratios) {
        /** A Kind is what the quantity is a figure of, which decides how finely it is known. */
        public enum Kind {
            /** A time is that of the start as a whole, or of a phase of it. */
            TIME,

            /** A coarse quantity is what the process used of the machine, counted in pages and ticks. */
            COARSE
        }

        public StartMetric {
            sides = List.copyOf(sides);
            ratios = List.copyOf(ratios);
        }

        /** Summarises the values of each command, some of which may be missing, and their ratios by pairs. */
        static StartMetric of(
                String name,
                String unit,
                Kind kind,
                int sides,
                Collection<List<OptionalDouble>> rows,
                double confidence) {
            return new StartMetric(
                    name,
                    unit,
                    kind,
                    IntStream.range(0, sides)
                            .mapToObj(side -> summary(rows, side))
                            .toList(),
                    IntStream.range(1, sides)
                            .mapToObj(side -> ratio(rows, side, confidence))
                            .toList());
        }

        private static Optional<Summary> summary(Collection<List<OptionalDouble>> rows, int side) {
            double[] known =
                    rows.stream().flatMapToDouble(row -> row.get(side).stream()).toArray();
            return known.length == 0 ? Optional.empty() : Optional.of(Summary.ofNotNegative(known));
        }

        private static Optional<PairedRatio> ratio(Collection<List<OptionalDouble>> rows, int side, double confidence) {
            List<List<OptionalDouble>> whole = rows.stream()
                    .filter(row -> row.getFirst().isPresent() && row.get(side).isPresent())
                    .toList();
            double[] first = values(whole, 0);
            double[] other = values(whole, side);
            boolean positive = IntStream.range(0, first.length).allMatch(i -> first[i] > 0 && other[i] > 0);
            return positive && whole.size() >= 2
                    ? Optional.of(PairedRatio.of(first, other, confidence))
                    : Optional.empty();
        }

        private static double[] values(List<List<OptionalDouble>> rows, int side) {
            return rows.stream().mapToDouble(row -> row.get(side).orElse(0)).toArray();
        }
    }
}
