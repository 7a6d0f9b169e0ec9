package dev.kiln.explain;

import dev.kiln.explain.StartMetric.Pair;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.StartPhase;
import dev.kiln.model.StartSample;
import dev.kiln.model.StartTable;
import dev.kiln.model.StartTable.Row;
import dev.kiln.model.StartupEvidence;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
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
                        "Some starts took hardly longer than launching a program that does nothing (%.1f ms), which is"
                                + " taken off: they are too short to be compared.",
                        evidence.launchNanos() / 1e6))
                : Optional.empty();
    }

    /** No load and no database runs beside a start. */
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
            notes.add("Pairs of which one start is missing are left out of all figures but the table's rows.");
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
}
