package dev.kiln.startup;

import dev.kiln.model.experiment.StartupSpec.StartSide;
import dev.kiln.model.run.Course.StartPhase;
import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartSample;
import dev.kiln.model.run.StartupEvidence.StartTable;
import dev.kiln.model.run.StartupEvidence.StartTable.StartRow;
import dev.kiln.startup.StartupResult.StartMetric;
import dev.kiln.startup.StartupResult.StartMetric.Kind;
import dev.kiln.startup.StartupResult.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.Power;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A StartupAssessment turns starts, or a table of them, into a result; pairs needed are for this effect. */
public record StartupAssessment(double effect) {
    private static final double CONFIDENCE = AnalysisConfig.defaults().confidence();

    /** A start must last this many launches to be well above the noise of launching. */
    private static final double LEAST_LAUNCHES = 1.5;

    /** Compares the columns of a table, without the pairs at its beginning that do not count. */
    public StartupResult of(StartTable table, int discard) {
        List<StartRow> kept = table.rows().stream().skip(discard).toList();
        StartTable counted = new StartTable(table.names(), table.metric(), table.unit(), kept);
        return of(counted, discard, List.of(), new ArrayList<>(), Optional.empty());
    }

    public StartupResult of(StartupEvidence evidence) {
        List<StartSample> counted = evidence.samples().stream()
                .filter(sample -> sample.pair() > evidence.design().discarded())
                .toList();
        List<String> names = evidence.sides().stream().map(StartSide::name).toList();
        List<StartRow> rows = new ArrayList<>();
        pairs(names.size(), counted, sample -> OptionalDouble.of(sample.value()))
                .forEach((number, values) ->
                        rows.add(new StartRow(number - evidence.design().discarded(), values)));
        StartTable table = new StartTable(
                names, evidence.measure().metric(), evidence.measure().unit(), rows);
        List<String> notes = new ArrayList<>(evidence.machine().cpus().notes());
        tooShort(evidence, counted).ifPresent(notes::add);
        evidence.failure().ifPresent(why -> notes.add(0, "It ended early: " + why));
        return of(table, evidence.design().discarded(), others(counted, evidence), notes, Optional.of(evidence));
    }

    /** Notes that starts were too short: what remains without the launch is mostly the noise of launching. */
    private static Optional<String> tooShort(StartupEvidence evidence, List<StartSample> counted) {
        boolean tooShort = evidence.measure().comparesTime()
                && counted.stream()
                        .anyMatch(sample -> sample.readyNanos()
                                < LEAST_LAUNCHES * evidence.machine().launchNanos());
        return tooShort
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "Some starts took hardly longer than a program that does nothing (%.1f ms, which Kiln"
                                + " subtracts): they are too short to compare.",
                        evidence.machine().launchNanos() / 1e6))
                : Optional.empty();
    }

    /** Returns the confidence of each of several comparisons, so that all hold together (Bonferroni). */
    private double confidence(int sides) {
        return 1 - (1 - CONFIDENCE) / (sides - 1);
    }

    private StartupResult of(
            StartTable table,
            int discarded,
            List<StartMetric> others,
            List<String> notes,
            Optional<StartupEvidence> how) {
        int sides = table.names().size();
        double confidence = confidence(sides);
        List<List<OptionalDouble>> complete = table.rows().stream()
                .filter(StartRow::complete)
                .map(StartRow::values)
                .toList();
        StartMetric main = StartMetric.of(table.metric(), table.unit(), Kind.TIME, sides, complete, confidence);
        List<Verdict> verdicts = IntStream.range(1, sides)
                .mapToObj(side -> new StartupAgainst(table, side, complete.size(), effect, confidence)
                        .verdict(main.ratios().get(side - 1)))
                .toList();
        if (complete.size() < table.rows().size()) {
            notes.add((sides == 2 ? "Pairs" : "Rounds") + " with a missing start count only in the table's rows.");
        }
        if (sides > 2) {
            notes.add(String.format(
                    Locale.ROOT,
                    "%d comparisons with %s, each at %s %%, so that all intervals together hold at %s %% (Bonferroni).",
                    sides - 1,
                    table.names().getFirst(),
                    Show.trimmed(100 * confidence, 2),
                    Show.trimmed(100 * CONFIDENCE, 2)));
        }
        return new StartupResult(table, discarded, main, verdicts, effect, others, notes, how, confidence);
    }

    private List<StartMetric> others(List<StartSample> samples, StartupEvidence evidence) {
        int sides = evidence.sides().size();
        List<StartMetric> others = new ArrayList<>();
        if (!evidence.measure().comparesTime()) {
            others.add(metric(
                    "time until then", "ms", Kind.TIME, sides, samples, s -> OptionalDouble.of(s.readyNanos() / 1e6)));
        }
        others.add(metric(
                "RSS",
                "MiB",
                Kind.COARSE,
                sides,
                samples,
                s -> of(s.rssBytes().isPresent(), s.rssBytes().orElse(0) / 1048576.0)));
        others.add(metric(
                "CPU time",
                "ms",
                Kind.COARSE,
                sides,
                samples,
                s -> of(s.cpuNanos().isPresent(), s.cpuNanos().orElse(0) / 1e6)));
        Set<String> phases = new LinkedHashSet<>();
        samples.forEach(sample -> sample.phases().forEach(phase -> phases.add(phase.name())));
        for (String name : phases) {
            others.add(metric(name, "ms", Kind.TIME, sides, samples, sample -> phase(sample, name)));
        }
        others.removeIf(metric -> metric.sides().stream().allMatch(Optional::isEmpty));
        return others;
    }

    private StartMetric metric(
            String name,
            String unit,
            Kind kind,
            int sides,
            List<StartSample> samples,
            Function<StartSample, OptionalDouble> value) {
        return StartMetric.of(
                name, unit, kind, sides, pairs(sides, samples, value).values(), confidence(sides));
    }

    /** Returns the values of each pair, by its number. */
    private static Map<Integer, List<OptionalDouble>> pairs(
            int sides, List<StartSample> samples, Function<StartSample, OptionalDouble> value) {
        Map<Integer, List<OptionalDouble>> pairs = new TreeMap<>();
        for (StartSample sample : samples) {
            pairs.computeIfAbsent(
                            sample.pair(),
                            number -> new ArrayList<>(Collections.nCopies(sides, OptionalDouble.empty())))
                    .set(sample.side(), value.apply(sample));
        }
        return pairs;
    }

    private static OptionalDouble phase(StartSample sample, String name) {
        return sample.phases().stream()
                .filter(phase -> phase.name().equals(name))
                .mapToDouble(StartPhase::nanos)
                .map(nanos -> nanos / 1e6)
                .findFirst();
    }

    private static OptionalDouble of(boolean present, double value) {
        return present ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    /**
     * A StartupAgainst is a command against the first: the conclusion from the pairs, with what is needed to reach one
     * where there is none.
     *
     * @param side number of the command, from 1
     * @param pairs that are whole
     * @param effect the change, as a share, that the pairs needed are for
     * @param confidence of the interval
     */
    record StartupAgainst(StartTable table, int side, int pairs, double effect, double confidence) {
        /** An interval that ends so close to 1 has a decimal more: with two, both commands could look alike. */
        private static final double CLOSE = 1.05;

        /** Judges by the ratio of the pairs and its interval, and by the exact permutation within them. */
        Verdict verdict(Optional<PairedRatio> ratio) {
            if (ratio.isEmpty()) {
                String why = pairs < 2 ? tooFew(OptionalInt.empty()) : "A start took 0, so there is no ratio.";
                return new Verdict(Conclusion.NOT_ENOUGH_RUNS, why, OptionalDouble.empty(), OptionalInt.empty());
            }
            PairedRatio known = ratio.get();
            Conclusion outcome = known.conclusion();
            double sd = known.seLog() * Math.sqrt(pairs);
            double least = Power.byBoth(Power.Design.BLOCKS, pairs, 1 - confidence) * sd;
            OptionalDouble detectable =
                    Double.isFinite(least) ? OptionalDouble.of(Math.expm1(least)) : OptionalDouble.empty();
            OptionalInt needed = outcome.shown()
                    ? OptionalInt.empty()
                    : Power.runs(Power.Design.BLOCKS, sd, Math.log1p(effect), 1 - confidence)
                            .number();
            return new Verdict(outcome, words(outcome, known, detectable, needed), detectable, needed);
        }

        private String words(Conclusion outcome, PairedRatio ratio, OptionalDouble detectable, OptionalInt needed) {
            String first = table.names().getFirst();
            String other = table.names().get(side);
            // With several verdicts, each says whose it is.
            String whose = table.names().size() == 2 ? "" : " between " + other + " and " + first;
            // Starts that are all alike say nothing about how much starts differ.
            String wanting = ratio.seLog() == 0 ? "" : " " + wanting(detectable, needed);
            return switch (outcome) {
                case LOWER ->
                    isTime()
                            ? faster(other, first, 1 / ratio.ratio(), 1 / ratio.hi(), 1 / ratio.lo())
                            : differs(other, "lower", first, 1 - ratio.ratio(), 1 - ratio.hi(), 1 - ratio.lo());
                case HIGHER ->
                    isTime()
                            ? faster(first, other, ratio.ratio(), ratio.lo(), ratio.hi())
                            : differs(other, "higher", first, ratio.ratio() - 1, ratio.lo() - 1, ratio.hi() - 1);
                case NO_DIFFERENCE_SHOWN ->
                    "No difference between " + first + " and " + other + " is shown (" + other + "/" + first + " "
                            + interval(Show.range(ratio.lo(), ratio.hi(), Show::ratio)) + wanting;
                case INCONCLUSIVE -> "Inconclusive" + whose + ": the interval and the exact test disagree." + wanting;
                case EXPLORATORY, NOT_ENOUGH_RUNS, TWO_SESSIONS, CANNOT_TELL ->
                    tooFew(ratio.seLog() == 0 ? OptionalInt.empty() : needed);
            };
        }

        /** Tells whether the table has times. One that says neither what it has nor its unit, has. */
        private boolean isTime() {
            return List.of("ms", "s").contains(table.unit())
                    || (table.unit().isEmpty() && table.metric().isEmpty());
        }

        private String faster(String quick, String slow, double times, double from, double to) {
            int decimals = from < CLOSE ? 3 : 2;
            return quick + " is " + Show.ascii(times, decimals) + " times faster than " + slow + " ("
                    + interval(Show.range(from, to, end -> Show.ascii(end, decimals)));
        }

        private String differs(String one, String way, String other, double by, double from, double to) {
            return one + " is " + Show.points(100 * by) + " " + way + " than " + other + " ("
                    + interval(Show.range(from, to, end -> Show.ascii(100 * end, 1)) + " %");
        }

        private String interval(String ends) {
            return ends + ", " + Show.trimmed(100 * confidence, 2) + " % interval).";
        }

        private String rounds(int number) {
            return StartupResult.rounds(table.names().size(), number);
        }

        private String tooFew(OptionalInt needed) {
            return "Too few to tell: at least " + rounds(Power.fewest(Power.Design.BLOCKS, 1 - confidence))
                    + " can show a difference"
                    + (needed.isPresent()
                            ? "; to show one of " + percent(effect) + " takes " + rounds(needed.getAsInt())
                            : "")
                    + ".";
        }

        private String wanting(OptionalDouble detectable, OptionalInt needed) {
            String now = detectable.isPresent()
                    ? String.format(
                            Locale.ROOT, "show a change of %.1f %% with 80 %% power", 100 * detectable.getAsDouble())
                    : "show no change, whatever they are";
            return rounds(pairs) + " " + now + "; to show one of " + percent(effect) + ", "
                    + (needed.isPresent()
                            ? rounds(needed.getAsInt())
                            : "more than 10,000" + (table.names().size() == 2 ? " pairs" : " rounds"))
                    + " are needed.";
        }

        private static String percent(double share) {
            return Show.trimmed(100 * share, 2) + " %";
        }
    }
}
