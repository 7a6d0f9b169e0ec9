package dev.kiln.report;

import dev.kiln.explain.Curves;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.RunResult.Explanation;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Moment;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Findings as they are for a service whose C2 starves, and for one whose C2 does not. */
public final class SampleExplanation {
    public static final Explanation STARVED = new Explanation(
            new Verdict.FalsePlateau(List.of(
                    "it ended at 2,077 req/s, between 40 and 42 % of its peak of at least 4,823",
                    "C2 got 3.4 % of a CPU and waited for one 96.6 % of the time")),
            List.of(
                    new Finding(
                            "c2-starved",
                            "C2 starved of CPU",
                            Finding.Curve.C2,
                            FindingState.CONFIRMED,
                            0.97,
                            Set.of(Finding.Effect.BELOW_PEAK),
                            List.of(
                                    proof("C2 got 3.4 % of a CPU and waited for one 96.6 % of the time", 30, 60),
                                    proof("In the pause it got 84 %, and its queue drained", 60, 75),
                                    new Proof("The first compilation took 12,595 others with it", Optional.empty())),
                            List.of(
                                    remedy(
                                            "serve requests on virtual threads",
                                            "spring.threads.virtual.enabled=true",
                                            "code that pins a carrier must change; 95 % of peak after 24 s",
                                            RemedyPlace.LAUNCH_FLAG),
                                    remedy(
                                            "give the C2 threads priority now",
                                            "renice -n -20 -p TID",
                                            "needs CAP_SYS_NICE",
                                            RemedyPlace.LIVE_PROCESS),
                                    remedy(
                                            "give the service more CPU while it warms up",
                                            "",
                                            "CPU that neighbours do not get",
                                            RemedyPlace.PLATFORM))),
                    new Finding(
                            "c2-backlog",
                            "C2 queue not worked off",
                            Finding.Curve.C2_QUEUE,
                            FindingState.CONFIRMED,
                            0.6,
                            Set.of(Finding.Effect.BELOW_PEAK),
                            List.of(proof("3,380 methods waited for C2 at the end of the warm-up", 55, 60)),
                            List.of(remedy(
                                    "let callers wait for their compilation",
                                    "-Xbatch",
                                    "requests stall while their methods compile",
                                    RemedyPlace.LAUNCH_FLAG))),
                    ruledOut("gc", "garbage collection", "pauses took 0.3 % of the time", 0, 60),
                    ruledOut("cgroup-throttling", "throttled by a CPU limit", "no quota is in force", 0, 60),
                    new Finding(
                            "noisy-neighbour",
                            "a noisy neighbour takes CPU",
                            Finding.Curve.THROUGHPUT,
                            FindingState.NOT_OBSERVABLE,
                            0,
                            Set.of(),
                            List.of(new Proof("steal is not recorded on this machine", Optional.empty())),
                            List.of())),
            List.of(new Forecast(10, 0.036, 110, 280, 690), new Forecast(30, 0.034, 180, 330, 600)));

    public static final Explanation FED = new Explanation(
            new Verdict.Peaked(false),
            List.of(
                    ruledOut("c2-starved", "C2 starved of CPU", "C2 waited for a CPU 0.4 % of the time", 30, 60),
                    ruledOut("gc", "garbage collection", "pauses took 0.2 % of the time", 0, 60)),
            List.of());

    private SampleExplanation() {}

    /** The same experiment with the causes of its figures: every second variant is starved. */
    public static ExperimentResult explained(ExperimentResult result) {
        return with(
                result, RunResult::curves, run -> run.observed().c2WaitShare().orElse(0) > 0.5 ? STARVED : FED);
    }

    public static ExperimentResult with(
            ExperimentResult result, Function<RunResult, Curves> curves, Function<RunResult, Explanation> explanation) {
        List<VariantResult> variants = result.variants().stream()
                .map(v -> new VariantResult(
                        v.name(),
                        v.referencePeak(),
                        v.runs().stream()
                                .map(run -> with(run, curves.apply(run), explanation.apply(run)))
                                .toList(),
                        v.pooled(),
                        Optional.empty()))
                .toList();
        return Samples.result(
                result.name(),
                result.protocol(),
                variants,
                result.conclusion(),
                result.footnotes(),
                result.how(),
                List.of(),
                Optional.empty(),
                result.config());
    }

    private static RunResult with(RunResult run, Curves curves, Explanation explanation) {
        return new RunResult(
                run.id(),
                run.caveats(),
                run.throughput(),
                run.since(),
                run.served(),
                new RunResult.Observation(run.observed(), curves, run.budgets(), List.of()),
                explanation);
    }

    private static Proof proof(String text, double from, double to) {
        return new Proof(text, Optional.of(new Moment(from, to)));
    }

    private static Finding ruledOut(String id, String title, String text, double from, double to) {
        return new Finding(
                id,
                title,
                Finding.Curve.STOPS,
                FindingState.RULED_OUT,
                0,
                Set.of(),
                List.of(proof(text, from, to)),
                List.of());
    }

    private static FindingRemedy remedy(String what, String how, String cost, RemedyPlace place) {
        return new FindingRemedy(what, how, cost, place);
    }
}
