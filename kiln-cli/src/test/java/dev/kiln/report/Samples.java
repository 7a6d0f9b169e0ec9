package dev.kiln.report;

import dev.kiln.explain.Curves;
import dev.kiln.explain.Inside;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.RunResult.Caveats;
import dev.kiln.explain.RunResult.Observation;
import dev.kiln.explain.RunResult.RunId;
import dev.kiln.explain.RunResult.SinceLaunch;
import dev.kiln.explain.RunResult.Throughput;
import dev.kiln.explain.ServedLoad;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult;
import dev.kiln.explain.study.SweepResult;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalyser;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.IntStream;

/** Experiments as two real services would give them: one whose C2 starves, one whose C2 does not. */
public final class Samples {
    public static final Protocol QUICK = new Protocol(
            "quick",
            List.of(
                    new Phase.Load("warm-up", Duration.ofSeconds(60)),
                    new Phase.Pause("pause", Duration.ofSeconds(15)),
                    new Phase.Load("measure", Duration.ofSeconds(20))));

    private Samples() {}

    public static ExperimentResult platformAgainstVirtual(int runs) {
        return result(
                "Spring Boot: platform threads against virtual threads",
                QUICK,
                List.of(
                        variant("platform threads", runs, SampleRun.STARVED),
                        variant("virtual threads", runs, SampleRun.FED)),
                "virtual threads reached 90 % of peak after 21 s; platform threads did not within 60 s, and served at most 44 %"
                        + " of peak while C2 waited for a CPU 97 % of the time.",
                List.of(
                        "Load and database share CPU 1, which was busy 93 % of the time under virtual threads: their"
                                + " peak may be the lab's, not the service's.",
                        "Exploratory: " + runs + " runs a variant cannot show a difference at the 5 % level."),
                Optional.of(SampleInfo.info()),
                List.of(),
                Optional.empty(),
                AnalysisConfig.defaults());
    }

    /** A result of which only the first launch is known. */
    public static ExperimentResult result(
            String name,
            Protocol protocol,
            List<VariantResult> variants,
            String conclusion,
            List<String> footnotes,
            Optional<RunInfo> how,
            List<ClaimResult> claims,
            Optional<SweepResult> sweep,
            AnalysisConfig config) {
        SequencedMap<String, RunInfo> launches = new LinkedHashMap<>();
        how.ifPresent(info -> launches.put(info.variant(), info));
        return new ExperimentResult(
                name,
                protocol,
                variants,
                new ExperimentResult.Answers(conclusion, footnotes, claims),
                new ExperimentResult.LaunchFacts(how, launches),
                sweep,
                config);
    }

    /** All that can be absent is absent, and every run is invalid. */
    public static ExperimentResult nothingToSay() {
        RunResult run = new RunResult(
                new RunId("native", 1, 1),
                new Caveats(
                        List.of("the target died 3 s after launch"),
                        List.of(),
                        Optional.empty(),
                        false,
                        Optional.empty()),
                new Throughput(SeriesAnalyser.analyse(new double[] {0, 12, 40}, AnalysisConfig.defaults()), List.of()),
                SinceLaunch.NOTHING,
                ServedLoad.NONE,
                new Observation(
                        SampleInfo.NOTHING_OBSERVED,
                        new Curves(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), Inside.NOTHING),
                        Budgets.NONE,
                        List.of()),
                SampleInfo.INVALID);
        return result(
                "native </script><b>",
                QUICK,
                List.of(new VariantResult(
                        "native", Optional.empty(), List.of(run), Optional.empty(), Optional.empty())),
                "No run is valid.",
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                AnalysisConfig.defaults());
    }

    /** As recorded of a JVM that was not asked, and without a flight recording. */
    public static ExperimentResult withoutInside() {
        return SampleExplanation.with(
                platformAgainstVirtual(1),
                run -> new Curves(
                        run.curves().load(),
                        run.curves().cpu(),
                        run.curves().modes(),
                        run.curves().jit(),
                        run.curves().compiler(),
                        run.curves().memory(),
                        Inside.NOTHING),
                RunResult::explanation);
    }

    public static VariantResult variant(String name, int runs, SampleRun shape) {
        List<RunResult> results = IntStream.rangeClosed(1, runs)
                .mapToObj(run -> shape.run(name, run))
                .toList();
        List<Peak> peaks =
                results.stream().flatMap(run -> run.series().peak().stream()).toList();
        return new VariantResult(
                name,
                Optional.of(Peak.ofRuns(peaks, AnalysisConfig.defaults().confidence())),
                results,
                runs < 2
                        ? Optional.empty()
                        : Optional.of(shape.series(
                                results.stream().map(RunResult::curves).toList())),
                Optional.empty());
    }
}
