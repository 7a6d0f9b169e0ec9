package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Moment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Causes are all causes, each before those it can be mistaken for: throttling looks like starvation, a small heap like
 * GC, and a storm of deoptimisations keeps C2 at work until it starves.
 */
public final class Causes {
    /** A CauseJudge also gets the findings of all causes before, for a cause that can be mistaken for one of them. */
    private interface CauseJudge {
        Finding judge(WindowEvidence window, Findings earlier);
    }

    /** A Cause is one thing that can hold a service back, judged by evidence alone. */
    private record Cause(CauseId id, CauseJudge judge, Optional<Difference> difference) {
        Cause(CauseId id, CauseJudge judge) {
            this(id, judge, Optional.empty());
        }

        /** Makes a cause that explains only what it takes more than in the reference. */
        Cause(CauseId id, CauseJudge judge, Difference difference) {
            this(id, judge, Optional.of(difference));
        }

        Finding found(WindowEvidence window, Findings earlier) {
            Finding finding = judge.judge(window, earlier);
            return difference.map(held -> held.judge(id, finding, window)).orElse(finding);
        }
    }

    /** This is in s. Every JVM starves C2 for some seconds when its first requests come. */
    private static final double LEAST_STARVED = 10;

    private static final List<Cause> ONE_EACH = List.of(
            new Cause(Throttling.ID, Throttling::judge, Difference.ofCpu(Throttling::takes)),
            new Cause(NoisyNeighbour.ID, NoisyNeighbour::judge, Difference.ofCpu(NoisyNeighbour::takes)),
            new Cause(Softirqs.ID, Softirqs::judge, Difference.ofCpu(Softirqs::takes)),
            new Cause(GeneratorLimit.ID, GeneratorLimit::judge),
            new Cause(OwnWarmUp.ID, OwnWarmUp::judge),
            new Cause(DatabaseLimit.ID, DatabaseLimit::judge),
            new Cause(MemoryPressure.ID, MemoryPressure::judge, Difference.of(MemoryPressure::takes)),
            new Cause(FreshPages.ID, FreshPages::judge),
            new Cause(ExplicitGc.ID, ExplicitGc::judge, Difference.of(ExplicitGc::takes)),
            new Cause(GrowingLiveSet.ID, GrowingLiveSet::judge, Difference.of(HeapCauses::takes)),
            new Cause(HeapCauses.HEAP, HeapCauses::heap, Difference.of(HeapCauses::takes)),
            new Cause(HeapCauses.COLLECTOR, HeapCauses::collector, Difference.of(HeapCauses::takes)),
            new Cause(CodeCacheFull.ID, CodeCacheFull::judge),
            new Cause(CompilationLimited.ID, CompilationLimited::judge),
            new Cause(ProcessorCount.ID, ProcessorCount::judge),
            new Cause(RecompilationGivenUp.ID, RecompilationGivenUp::judge, Difference.of(DeoptimisationStorm::takes)),
            new Cause(DeoptimisationStorm.ID, DeoptimisationStorm::judge, Difference.ofCpu(DeoptimisationStorm::takes)),
            new Cause(C2Starved.ID, C2Starved::judge),
            new Cause(C2Backlog.ID, C2Backlog::judge),
            new Cause(TooManyRunnable.ID, TooManyRunnable::judge),
            new Cause(LongCompilations.ID, LongCompilations::judge),
            new Cause(StuckAtTier2.ID, StuckAtTier2::judge),
            new Cause(AotCauses.REJECTED, AotCauses::rejected),
            new Cause(AotCauses.UNTRAINED, AotCauses::untrained),
            new Cause(NeverCompiled.ID, NeverCompiled::judge),
            new Cause(Exceptions.ID, Exceptions::judge),
            new Cause(Families.REFLECTION.id(), Families.REFLECTION::judge),
            new Cause(Families.LOG_FORMATTING.id(), Families.LOG_FORMATTING::judge),
            new Cause(ClassLoading.ID, ClassLoading::judge),
            new Cause(Spinning.ID, Spinning::judge));

    /** Waits follow what says that requests wait. */
    private static final List<Cause> ALL = ONE_EACH.stream()
            .flatMap(cause -> cause.id().equals(DatabaseLimit.ID)
                    ? Stream.concat(
                            Stream.of(cause),
                            Waits.ALL.stream()
                                    .map(wait -> new Cause(wait.id(), (s, earlier) -> Waits.judge(wait, s, earlier))))
                    : Stream.of(cause))
            .toList();

    private Causes() {}

    /** Judges all causes; confirmed ones come first, those that explain something before others, by weight. */
    public static List<Finding> judge(WindowEvidence window) {
        return judge(window, Budgets.NONE);
    }

    /** Judges all causes of a run: each confirmed one with what it takes of a request's time, ordered by what it explains. */
    public static List<Finding> judge(WindowEvidence window, Budgets budgets) {
        Findings judged = new Findings(budgets);
        ALL.forEach(cause -> judged.add(cause.found(window, judged)));
        Waits.named(window, judged);
        Families.named(window, judged);
        Waits.atFirst(window, judged);
        return Explained.of(judged.ordered(), budgets, Causes::takes);
    }

    /**
     * Judges all causes of a service whose processes serve behind one address; those of one process as {@link
     * #judge(WindowEvidence, Budgets)} does.
     *
     * @param processes the same window of each
     */
    public static List<Finding> judge(List<WindowEvidence> processes, Budgets budgets) {
        return processes.size() == 1
                ? judge(processes.getFirst(), budgets)
                : new Joined(
                                processes.stream().map(Causes::alone).toList(),
                                Set.of(GeneratorLimit.ID.id()),
                                Stream.concat(
                                                Stream.of(OwnWarmUp.ID, DatabaseLimit.ID, FreshPages.ID),
                                                Waits.ALL.stream().map(WaitCause::id))
                                        .map(CauseId::id)
                                        .collect(Collectors.toSet()))
                        .findings();
    }

    private static Joined.OneProcess alone(WindowEvidence window) {
        String name = window.evidence().place();
        List<Finding> findings = judge(window, Budgets.NONE);
        return window.evidence().seen()
                ? new Joined.OneProcess(name, findings)
                : Joined.OneProcess.unseen(name, findings);
    }

    /** Returns the parts of a request's time that the cause of a finding makes longer. */
    private static Set<BudgetPart> takes(Finding finding) {
        return ALL.stream()
                .filter(cause -> cause.id().id().equals(finding.id()))
                .findFirst()
                .map(cause -> cause.id().takes())
                .orElse(Set.of());
    }

    /** Judges the causes that can be judged without knowing the load. */
    public static List<Finding> judgeLive(WindowEvidence window) {
        return judge(window).stream()
                .filter(finding -> !has(Role.NEEDS_LOAD, finding))
                .toList();
    }

    /** Returns, among the findings, the first confirmed one of this role, by the order of causes. */
    public static Optional<Finding> confirmed(Role role, List<Finding> findings) {
        return ALL.stream()
                .filter(cause -> cause.id().roles().contains(role))
                .flatMap(cause -> findings.stream().filter(finding -> cause.id().confirmedBy(finding)))
                .findFirst();
    }

    /**
     * Tells whether a finding is of a cause that costs throughput here: it held the run back, or it lowers the peak itself,
     * so that no difference to the peak can show it. What takes as much at the peak, and could have held the run back, did
     * not.
     */
    public static boolean costs(Finding finding) {
        boolean lowersThePeak = ALL.stream()
                .anyMatch(cause ->
                        cause.id().confirmedBy(finding) && cause.id().can().isEmpty());
        return lowersThePeak || !finding.explains().isEmpty();
    }

    /**
     * Returns from when to when C2 was starved before the end of the load, where it was not starved at the end; empty for less than
     * 10 s.
     */
    public static Optional<Moment> starvedEarlier(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> has(Role.STARVES_C2, finding) && finding.state() == FindingState.RULED_OUT)
                .flatMap(C2Starved::earlier)
                .filter(moment -> moment.toSecond() - moment.fromSecond() >= LEAST_STARVED)
                .findFirst();
    }

    /** Returns what would have let C2 work where it was {@link #starvedEarlier}. */
    public static List<FindingRemedy> earlierRemedies(List<Finding> findings) {
        return starvedEarlier(findings).isEmpty()
                ? List.of()
                : findings.stream()
                        .filter(finding -> has(Role.STARVES_C2, finding))
                        .flatMap(finding -> finding.remedies().stream())
                        .toList();
    }

    private static boolean has(Role role, Finding finding) {
        return ALL.stream()
                .anyMatch(cause -> cause.id().id().equals(finding.id())
                        && cause.id().roles().contains(role));
    }
}
