package dev.kiln.explain.study;

import dev.kiln.explain.VariantResult;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Optional;

/**
 * What the evidence of an experiment says.
 *
 * @param conclusion one sentence
 * @param footnotes warnings and what a reader must know, most important first
 * @param how the first run's facts: host, CPUs, load, launch
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
        List<ClaimResult> claims,
        Optional<SweepResult> sweep,
        AnalysisConfig config) {}
