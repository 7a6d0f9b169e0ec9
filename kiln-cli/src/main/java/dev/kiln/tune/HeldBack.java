package dev.kiln.tune;

import dev.kiln.console.Console;
import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.cause.Causes;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.TimeToPeak;
import dev.kiln.study.Experiments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** HeldBack is what held a run of the baseline back, for a search to cure. */
final class HeldBack {
    /**
     * The warm-up ends at this share of the peak, in percent. A slope shows at its end; where the peak is never
     * reached, the warm-up ends with the load.
     */
    private static final int WARMED_PERCENT = 95;

    private HeldBack() {}

    /** Returns what held the valid runs of an experiment back. */
    static List<Finding> inRuns(Path folder, Console console) {
        List<Finding> findings = new ArrayList<>();
        ExperimentResult result = Experiments.assess(folder, AnalysisConfig.defaults(), console.leftOut());
        for (VariantResult variant : result.variants()) {
            for (RunResult run : variant.valid()) {
                findings.addAll(of(run, RunReader.read(ExperimentReader.directory(folder, variant.name(), run.run()))));
            }
        }
        return findings;
    }

    /**
     * Returns the causes that held at the end of the warm-up, and those that held until throughput reached its peak. Both
     * are held against the load after the pause.
     */
    static List<Finding> of(RunResult run, RunEvidence evidence) {
        List<PhaseTime> loads =
                evidence.info().phases().stream().filter(PhaseTime::load).toList();
        List<Finding> rising = loads.stream()
                .findFirst()
                .map(load -> WindowEvidence.of(evidence, load.startNanos(), warm(run, load)))
                .map(window ->
                        reference(evidence, loads).map(window::heldAgainst).orElse(window))
                .map(Causes::judge)
                .orElse(List.of());
        return Stream.concat(run.explanation().findings().stream(), rising.stream())
                .toList();
    }

    private static long warm(RunResult run, PhaseTime load) {
        double seconds = run.series()
                .time(WARMED_PERCENT)
                .map(TimeToPeak::seconds)
                .orElse(OptionalDouble.empty())
                .orElse(run.series().seconds());
        return load.startNanos() + Math.round(1e9 * seconds);
    }

    private static Optional<WindowEvidence> reference(RunEvidence evidence, List<PhaseTime> loads) {
        return loads.stream()
                .skip(Math.max(1, loads.size() - 1))
                .filter(load -> load.endNanos().isPresent())
                .map(load -> WindowEvidence.of(
                        evidence, load.startNanos(), load.endNanos().orElseThrow()))
                .findFirst();
    }
}
