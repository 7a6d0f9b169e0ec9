package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.window.RequestCost;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;

/**
 * VirtualSpinning judges whether virtual threads spin: they yield to each other while what they wait for cannot go on. Their
 * carriers run all the time and serve next to nothing.
 */
final class VirtualSpinning {
    /** Carriers run at full load from this share of the CPUs that the target may use. */
    private static final double FULL = 0.8;

    /**
     * Carriers that spin are switched away from, and do not block: so many involuntary switches come on a voluntary one.
     * Measured with 500 virtual threads on 4 permits: 300 or more where they yield, 0.1 to 4 where they block.
     */
    private static final double SWITCHES_A_BLOCK = 20;

    /**
     * The scheduler's timer has a carrier's name: a carrier at full load runs, or waits for a CPU, for at least this share of the
     * time. Measured on one CPU with 500 virtual threads that yield, JDK 25: 0.99 of the carrier; 0.48 of the timer, which took
     * 24 % of the CPU and blocked 18,000 times a second.
     */
    private static final double CARRIER = 0.7;

    /**
     * A request costs this many times the CPU that it costs in the reference. Measured with the same threads: 14 ms of CPU
     * where they yield on one carrier, 0.1 ms where they block.
     */
    private static final double TIMES_THE_COST = 10;

    /** What is served is next to nothing up to this share of what the reference served. */
    private static final double NEXT_TO_NOTHING = 0.1;

    /**
     * The scheduler of virtual threads takes this share of the samples only where threads do little else than yield.
     * Measured: 75 % where they do.
     */
    private static final double SCHEDULER = 0.3;

    private static final List<String> SCHEDULERS = List.of(
            "java.lang.VirtualThread.",
            "java.lang.Thread.yield",
            "jdk.internal.vm.Continuation.",
            "java.util.concurrent.ForkJoinPool");

    private VirtualSpinning() {}

    /**
     * Returns nothing where carriers did not run all the time, or blocked: then no virtual thread spins.
     *
     * @param id of the cause that it is a form of
     */
    static Optional<Finding> judge(
            WindowEvidence s, Findings earlier, Predicate<String> isCarrier, CauseId id, List<FindingRemedy> remedies) {
        // Threads are sampled about once a second, so what they used is of the time between samples.
        Window sampled = s.threads().sampled(s.window());
        double seconds = sampled.seconds();
        List<ThreadTimes.Use> pool = s.threads().between(sampled.fromNanos(), sampled.toNanos()).stream()
                .filter(use -> isCarrier.test(use.last().name()))
                .toList();
        List<ThreadTimes.Use> carriers = pool.stream()
                .filter(use -> seconds > 0 && use.demand(seconds) >= CARRIER)
                .toList();
        double cpu = pool.stream().mapToLong(ThreadTimes.Use::cpuNanos).sum() / 1e9 / seconds;
        double away = carriers.stream().mapToLong(ThreadTimes.Use::involuntary).sum() / seconds;
        double blocks = carriers.stream().mapToLong(ThreadTimes.Use::voluntary).sum() / seconds;
        if (s.targetCpus().isEmpty()
                || carriers.isEmpty()
                || cpu < FULL * s.targetCpus().getAsDouble()
                || away < SWITCHES_A_BLOCK * blocks) {
            return Optional.empty();
        }
        String text = String.format(
                Locale.ROOT,
                "carriers of virtual threads used %.0f %% of the CPUs and blocked %.0f times a second",
                100 * Math.min(1, cpu / s.targetCpus().getAsDouble()),
                blocks);
        Optional<RequestCost> cost = RequestCost.of(s);
        OptionalDouble scheduler = scheduler(s, s.evidence().flight().orElse(FlightDigest.EMPTY));
        String known = text + cost.map(VirtualSpinning::words).orElse("") + words(scheduler, "");
        if (scheduler.isPresent()) {
            return Optional.of(
                    scheduler.getAsDouble() >= SCHEDULER
                            ? confirmed(s, id.can(), cpu, known, id, remedies)
                            : id.ruledOut(proof(known, s.moment())));
        }
        return Optional.of(
                cost.isPresent() && isForNothing(cost.get()) && !codeIsSlow(earlier)
                        ? confirmed(s, id.can(), cpu, known, id, remedies)
                        : afterIt(s, cost, cpu, known, id, remedies));
    }

    /** Tells whether a request costs far more than in the reference, while next to nothing is served. */
    private static boolean isForNothing(RequestCost cost) {
        return cost.ratio() >= TIMES_THE_COST
                && cost.window().perSecond()
                        <= NEXT_TO_NOTHING * cost.reference().perSecond();
    }

    private static boolean codeIsSlow(Findings earlier) {
        return earlier.confirmed(DeoptimisationStorm.ID)
                || earlier.confirmed(RecompilationGivenUp.ID)
                || earlier.confirmed(NeverCompiled.ID)
                || earlier.confirmed(C2Starved.ID)
                || earlier.explaining(CodeCacheFull.ID);
    }

    /**
     * Judges by the recording that was made when all else was measured: threads that spin there are present, and explain no
     * difference. A service that spins in both loads costs as much in both, so without a recording it is not ruled out. With one
     * it is, but only where a request cost as much before.
     */
    private static Finding afterIt(
            WindowEvidence s,
            Optional<RequestCost> cost,
            double cpu,
            String known,
            CauseId id,
            List<FindingRemedy> remedies) {
        OptionalDouble scheduler = s.evidence()
                .closing()
                .map(closing -> scheduler(closing.tiers(), closing.hot()))
                .orElse(OptionalDouble.empty());
        if (scheduler.isEmpty()) {
            return id.notObservable(known + "; whether they work or spin takes a flight recording (--flight-recorder)");
        }
        String text = known + words(scheduler, " of the load that went on under a recording (closing/recording.jfr)");
        return scheduler.getAsDouble() >= SCHEDULER
                ? confirmed(s, CauseId.NONE, cpu, text, id, remedies)
                : cost.filter(VirtualSpinning::isTheSame).isPresent()
                        ? id.ruledOut(proof(text, s.moment()))
                        : id.notObservable(
                                text + "; before, a request may have cost another CPU time, and whether threads"
                                        + " spun then takes a flight recording (--flight-recorder)");
    }

    /** Tells whether a request costs about as much as in the reference. */
    private static boolean isTheSame(RequestCost cost) {
        return Math.abs(cost.ratio() - 1) <= AnalysisConfig.DELTA;
    }

    private static String words(RequestCost cost) {
        return String.format(
                Locale.ROOT,
                "; %s; it served %.4g and %.4g req/s",
                cost.words(),
                cost.window().perSecond(),
                cost.reference().perSecond());
    }

    private static String words(OptionalDouble scheduler, String of) {
        return scheduler.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; %.0f %% of the samples%s were in the scheduler of virtual threads",
                        100 * scheduler.getAsDouble(),
                        of);
    }

    private static Finding confirmed(
            WindowEvidence s, Set<Effect> did, double cpu, String text, CauseId id, List<FindingRemedy> remedies) {
        return id.confirmed(
                id.title(),
                did,
                cpu / Math.max(1, s.targetCpus().orElse(1)),
                List.of(proof(text, s.moment())),
                remedies);
    }

    /** Returns the share of samples of a window in the scheduler of virtual threads; empty without samples of hot methods. */
    private static OptionalDouble scheduler(WindowEvidence s, FlightDigest flight) {
        return scheduler(s.within(flight.tiers(), TierShare::timeNanos), s.within(flight.hot(), HotMethod::timeNanos));
    }

    private static OptionalDouble scheduler(List<TierShare> tiers, List<HotMethod> hot) {
        int all = tiers.stream()
                .mapToInt(row -> row.interpreted() + row.c1() + row.c2() + row.inlined() + row.nativeCode())
                .sum();
        int scheduling = hot.stream()
                .filter(row -> SCHEDULERS.stream().anyMatch(row.method()::startsWith))
                .mapToInt(row -> row.interpreted() + row.c1() + row.c2())
                .sum();
        return all == 0 || hot.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of((double) scheduling / all);
    }
}
