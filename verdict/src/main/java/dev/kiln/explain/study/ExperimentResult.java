package dev.kiln.explain.study;

import dev.kiln.explain.VariantResult;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.AnalysisConfig;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/**
 * An ExperimentResult is what the evidence of an experiment says.
 *
 * @param conclusion one sentence
 * @param footnotes warnings and what a reader must know, most important first
 * @param how the first run's facts: host, CPUs, load, launch
 * @param launches facts of one run of each variant, in the variants' order: the first whose JVM was seen, or the first
 * @param claims each with what the figures say to it
 * @param sweep throughput by connections, where the variants are levels of a sweep
 * @param config every constant the analysis used
 */
public record ExperimentResult(
        String name,
        Protocol protocol,
        List<VariantResult> variants,
        String conclusion,
        List<String> footnotes,
        Optional<RunInfo> how,
        SequencedMap<String, RunInfo> launches,
        List<ClaimResult> claims,
        Optional<SweepResult> sweep,
        AnalysisConfig config) {
    public ExperimentResult {
        launches = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(launches));
    }

    /** Makes a result of which only the first launch is known. */
    public ExperimentResult(
            String name,
            Protocol protocol,
            List<VariantResult> variants,
            String conclusion,
            List<String> footnotes,
            Optional<RunInfo> how,
            List<ClaimResult> claims,
            Optional<SweepResult> sweep,
            AnalysisConfig config) {
        this(
                name,
                protocol,
                variants,
                conclusion,
                footnotes,
                how,
                how.stream().collect(Collectors.toMap(RunInfo::variant, one -> one, (a, b) -> a, LinkedHashMap::new)),
                claims,
                sweep,
                config);
    }
}
