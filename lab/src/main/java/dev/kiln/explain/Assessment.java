package dev.kiln.explain;

import dev.kiln.model.Protocol;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.RunInfo;
import dev.kiln.stats.Analysed;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.CooldownJump;
import dev.kiln.stats.Deficit;
import dev.kiln.stats.ReferencePeak;
import dev.kiln.stats.SeriesAnalysis;
import dev.kiln.stats.SeriesAnalyzer;
import dev.kiln.stats.TimeToPeak;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * From evidence to results. Runs are added one after the other and only their digests are kept, so an experiment's
 * evidence need not fit in memory; the reference peak of a variant joins its runs at the end.
 */
public final class Assessment {
    private final AnalysisConfig config;
    private final Map<String, List<RunDigest>> variants = new LinkedHashMap<>();

    public Assessment(AnalysisConfig config) {
        this.config = config;
    }

    /** Adds a run; variants keep the order in which they were first seen. */
    public void add(RunEvidence evidence) {
        variants.computeIfAbsent(evidence.info().variant(), name -> new ArrayList<>())
                .add(RunDigest.of(evidence));
    }

    public ExperimentResult result(String experiment) {
        List<VariantResult> results = new ArrayList<>();
        variants.forEach((name, digests) -> results.add(variant(name, digests)));
        Optional<RunInfo> how = variants.values().stream()
                .flatMap(List::stream)
                .map(RunDigest::info)
                .findFirst();
        Protocol protocol = how.map(RunInfo::protocol).orElse(new Protocol("none", List.of()));
        return new ExperimentResult(
                experiment,
                protocol,
                results,
                Conclusion.of(results, protocol),
                Footnotes.of(results),
                how,
                config);
    }

    private VariantResult variant(String name, List<RunDigest> digests) {
        List<RunDigest> measured =
                digests.stream().filter(digest -> digest.measure().length > 0).toList();
        List<RunDigest> valid = measured.stream()
                .filter(digest -> digest.invalidReasons().isEmpty())
                .toList();
        // An invalid run must not move the reference of valid ones; alone, it still gives its own figures a scale.
        List<double[]> phases = (valid.isEmpty() ? measured : valid)
                .stream().map(RunDigest::measure).toList();
        Optional<ReferencePeak> reference =
                phases.isEmpty() ? Optional.empty() : Optional.of(ReferencePeak.of(phases, config));
        return new VariantResult(
                name,
                reference,
                digests.stream().map(digest -> run(digest, reference)).toList());
    }

    private RunResult run(RunDigest digest, Optional<ReferencePeak> reference) {
        RunInfo info = digest.info();
        SeriesAnalysis warmup = SeriesAnalyzer.warmup(digest.warmup(), config);
        Optional<SeriesAnalysis> measure = digest.measure().length == 0
                ? Optional.empty()
                : Optional.of(SeriesAnalyzer.measuring(digest.measure(), config));
        OptionalDouble peak = reference.isPresent()
                ? OptionalDouble.of(reference.get().value())
                : warmup instanceof Analysed a ? a.peakSelf() : OptionalDouble.empty();
        return new RunResult(
                info.variant(),
                info.run(),
                info.block(),
                digest.invalidReasons(),
                warmup,
                measure,
                reference.map(p -> times(digest, p.value(), warmup)).orElse(Map.of()),
                peak.isPresent() && digest.warmup().length > 0
                        ? Optional.of(Deficit.of(digest.warmup(), config.binSeconds(), peak.getAsDouble()))
                        : Optional.empty(),
                CooldownJump.of(digest.warmup(), digest.measure(), config),
                seconds(info.readyNanos()),
                seconds(info.firstResponseNanos()),
                digest.requests(),
                digest.errors(),
                digest.phases(),
                digest.observed(),
                digest.curves(),
                digest.notes());
    }

    private Map<Integer, TimeToPeak> times(RunDigest digest, double peak, SeriesAnalysis warmup) {
        Map<Integer, TimeToPeak> times = new TreeMap<>();
        for (int percent : config.percents()) {
            times.put(percent, TimeToPeak.of(digest.warmup(), peak, percent, config));
        }
        return times;
    }

    private static OptionalDouble seconds(OptionalLong nanos) {
        return nanos.isPresent() ? OptionalDouble.of(nanos.getAsLong() / 1e9) : OptionalDouble.empty();
    }
}
