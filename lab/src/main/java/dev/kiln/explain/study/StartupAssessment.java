package dev.kiln.explain.study;

import dev.kiln.explain.study.StartupResult.StartMetric;
import dev.kiln.explain.study.StartupResult.StartMetric.Pair;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartSample;
import dev.kiln.model.run.StartupEvidence.StartSample.StartPhase;
import dev.kiln.model.run.StartupEvidence.StartTable;
import dev.kiln.model.run.StartupEvidence.StartTable.Row;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.ExactTest;
import dev.kiln.stats.PairedRatio;
import dev.kiln.stats.Power;
import java.util.ArrayList;
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

/** From the starts of two commands, or a table of them, to what they say. */
public final class StartupAssessment {
    /** Launches that a start must take to be well above the noise of launching. */
    private static final double LEAST_LAUNCHES = 1.5;

    private final AnalysisConfig config;
    private final double effect;

    /** @param effect the change, as a share, that the pairs needed are for */
    public StartupAssessment(AnalysisConfig config, double effect) {
        this.config = config;
        this.effect = effect;
    }

    /** @param discard pairs at the beginning that do not count */
    public StartupResult of(StartTable table, int discard) {
        List<Row> kept = table.rows().stream().skip(discard).toList();
        StartTable counted = new StartTable(table.a(), table.b(), table.metric(), table.unit(), kept);
        return of(counted, discard, List.of(), new ArrayList<>(), Optional.empty());
    }

    public StartupResult of(StartupEvidence evidence) {
        List<StartSample> counted = evidence.samples().stream()
                .filter(sample -> sample.pair() > evidence.discarded())
                .toList();
        List<Row> rows = new ArrayList<>();
        pairs(counted, sample -> OptionalDouble.of(sample.value()))
                .forEach((number, pair) -> rows.add(new Row(number - evidence.discarded(), pair.a(), pair.b())));
        StartTable table = new StartTable(
                evidence.sides().get(0).name(),
                evidence.sides().get(1).name(),
                evidence.metric(),
                evidence.unit(),
                rows);
        List<String> notes = new ArrayList<>(aboutTarget(evidence.cpus()));
        tooShort(evidence, counted).ifPresent(notes::add);
        evidence.failure().ifPresent(why -> notes.add(0, "It ended early: " + why));
        return of(table, evidence.discarded(), others(counted, evidence), notes, Optional.of(evidence));
    }

    /** What remains of such a start when launching is taken off is mostly the noise of launching. */
    private static Optional<String> tooShort(StartupEvidence evidence, List<StartSample> counted) {
        boolean tooShort = evidence.metric().equals("time")
                && counted.stream().anyMatch(sample -> sample.readyNanos() < LEAST_LAUNCHES * evidence.launchNanos());
        return tooShort
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "Some starts took hardly longer than a program that does nothing (%.1f ms, which Kiln"
                                + " subtracts): they are too short to compare.",
                        evidence.launchNanos() / 1e6))
                : Optional.empty();
    }

    /** Neither load nor database runs during a start. */
    private static List<String> aboutTarget(CpuAssignment cpus) {
        return cpus.notes().stream()
                .filter(note -> !cpus.pinned() || note.contains("target"))
                .toList();
    }

    private StartupResult of(
            StartTable table,
            int discarded,
            List<StartMetric> others,
            List<String> notes,
            Optional<StartupEvidence> how) {
        List<Row> complete = table.rows().stream().filter(Row::complete).toList();
        List<Pair> pairs =
                complete.stream().map(row -> new Pair(row.a(), row.b())).toList();
        StartMetric main = StartMetric.of(table.metric(), table.unit(), pairs, config.confidence());
        StartupVerdict verdict = StartupVerdict.of(table, main.ratio(), pairs.size(), effect, config.confidence());
        if (complete.size() < table.rows().size()) {
            notes.add("Pairs with a missing start count only in the table's rows.");
        }
        return new StartupResult(
                table,
                discarded,
                main,
                verdict.outcome(),
                verdict.words(),
                verdict.detectable(),
                effect,
                verdict.pairsNeeded(),
                others,
                notes,
                how,
                config.confidence());
    }

    private List<StartMetric> others(List<StartSample> samples, StartupEvidence evidence) {
        List<StartMetric> others = new ArrayList<>();
        if (!evidence.metric().equals("time")) {
            others.add(metric("time until then", "ms", samples, s -> OptionalDouble.of(s.readyNanos() / 1e6)));
        }
        others.add(metric(
                "RSS",
                "MiB",
                samples,
                s -> of(s.rssBytes().isPresent(), s.rssBytes().orElse(0) / 1048576.0)));
        others.add(metric(
                "CPU time",
                "ms",
                samples,
                s -> of(s.cpuNanos().isPresent(), s.cpuNanos().orElse(0) / 1e6)));
        Set<String> phases = new LinkedHashSet<>();
        samples.forEach(sample -> sample.phases().forEach(phase -> phases.add(phase.name())));
        for (String name : phases) {
            others.add(metric(name, "ms", samples, sample -> phase(sample, name)));
        }
        others.removeIf(metric -> metric.a().isEmpty() && metric.b().isEmpty());
        return others;
    }

    private StartMetric metric(
            String name, String unit, List<StartSample> samples, Function<StartSample, OptionalDouble> value) {
        return StartMetric.of(name, unit, pairs(samples, value).values(), config.confidence());
    }

    /** By their numbers. */
    private static Map<Integer, Pair> pairs(List<StartSample> samples, Function<StartSample, OptionalDouble> value) {
        Map<Integer, Pair> pairs = new TreeMap<>();
        for (StartSample sample : samples) {
            Pair known = pairs.getOrDefault(sample.pair(), new Pair(OptionalDouble.empty(), OptionalDouble.empty()));
            OptionalDouble found = value.apply(sample);
            pairs.put(sample.pair(), sample.side() == 0 ? new Pair(found, known.b()) : new Pair(known.a(), found));
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

    /** The conclusion from the pairs, with what it takes to reach one where there is none. */
    private record StartupVerdict(
            Conclusion outcome, String words, OptionalDouble detectable, OptionalInt pairsNeeded) {
        /**
         * By the ratio of the pairs and its interval, and the exact permutation within them.
         *
         * @param pairs that are whole
         * @param effect the change, as a share, that the pairs needed are for
         */
        static StartupVerdict of(
                StartTable table, Optional<PairedRatio> ratio, int pairs, double effect, double confidence) {
            int fewest = ExactTest.pairsNeeded(1 - confidence);
            if (ratio.isEmpty()) {
                String why = pairs < 2
                        ? "Not enough data: " + (pairs == 1 ? "1 pair" : "no pair") + ", where at least " + fewest
                                + " can show a difference."
                        : "A start took 0, so there is no ratio.";
                return new StartupVerdict(Conclusion.NOT_ENOUGH_RUNS, why, OptionalDouble.empty(), OptionalInt.empty());
            }
            PairedRatio known = ratio.get();
            Conclusion outcome = known.conclusion();
            double detectable = Power.minimalDetectableEffect(known.seLog(), known.df());
            OptionalInt enough = Power.pairsForEffect(known.seLog() * Math.sqrt(pairs), effect);
            OptionalInt needed = outcome.shown() || enough.isEmpty()
                    ? OptionalInt.empty()
                    : OptionalInt.of(Math.max(enough.getAsInt(), fewest));
            String words = words(table, outcome, known, fewest)
                    + (outcome.shown() || known.seLog() == 0 ? "" : " " + wanting(pairs, detectable, effect, needed));
            return new StartupVerdict(outcome, words, OptionalDouble.of(detectable), needed);
        }

        private static String words(StartTable table, Conclusion outcome, PairedRatio ratio, int fewest) {
            boolean time = table.unit().equals("ms") || table.unit().isEmpty();
            double one = 100 * Math.abs(ratio.lo() - 1);
            double other = 100 * Math.abs(ratio.hi() - 1);
            String size = String.format(
                    Locale.ROOT,
                    "by %.1f %% (%.1f to %.1f)",
                    100 * Math.abs(ratio.ratio() - 1),
                    Math.min(one, other),
                    Math.max(one, other));
            return switch (outcome) {
                case LOWER ->
                    table.b() + " is " + (time ? "faster" : "lower") + " than " + table.a() + ", " + size + ".";
                case HIGHER ->
                    table.b() + " is " + (time ? "slower" : "higher") + " than " + table.a() + ", " + size + ".";
                case NO_DIFFERENCE_SHOWN -> "No difference between " + table.a() + " and " + table.b() + " is shown.";
                case INCONCLUSIVE -> "Inconclusive: the interval and the exact test disagree.";
                case EXPLORATORY, NOT_ENOUGH_RUNS, CANNOT_TELL ->
                    "Exploratory: at least " + fewest + " pairs can show a difference.";
            };
        }

        private static String wanting(int pairs, double detectable, double effect, OptionalInt needed) {
            return String.format(
                    Locale.ROOT,
                    "%d pairs show a change of %.1f %% with 80 %% power; to show one of %s %%, %s pairs are needed.",
                    pairs,
                    100 * detectable,
                    String.format(Locale.ROOT, "%.2f", 100 * effect).replaceAll("\\.?0+$", ""),
                    needed.isPresent() ? Integer.toString(needed.getAsInt()) : "more than 10,000");
        }
    }
}
