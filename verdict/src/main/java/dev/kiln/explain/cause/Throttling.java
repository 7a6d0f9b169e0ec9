package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.cause.Difference.Taken;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowEvidence.CpuLimit;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier.BoostedStart;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Throttling is the cause that a CPU limit cuts periods short. It looks like starvation to every thread, so it is
 * judged first.
 */
final class Throttling {
    static final CauseId ID = new CauseId(
                    "cgroup-throttling", "throttled by a CPU limit", Curve.STOPS, CauseId.ANY, Role.LIMITS_CPU)
            .taking(BudgetPart.CPU_LIMIT);

    /**
     * A limit counts from this share of periods cut short, the relative difference that counts as one (delta of the
     * analysis).
     */
    private static final double CUT_SHORT = AnalysisConfig.DELTA;

    private static final int[] FACTORS = {2, 4};

    private static final FindingRemedy RAISE = new FindingRemedy(
            "raise or remove the CPU limit, at least while it warms up",
            "cpu.max (cgroup v2), cpu.cfs_quota_us (v1); resources.limits.cpu of Kubernetes",
            "neighbours may get less CPU; their CPU requests and weights still protect them",
            RemedyPlace.PLATFORM);

    private static final FindingRemedy FEWER_THREADS = new FindingRemedy(
            "use fewer threads than the limit has CPUs",
            "-XX:ActiveProcessorCount=N",
            "a lower peak",
            RemedyPlace.LAUNCH_FLAG);

    private Throttling() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        Optional<CpuLimit> seen = s.cpuLimit();
        if (seen.isEmpty()) {
            return ID.notObservable("the cgroup's cpu.stat was not recorded during the load: it takes a"
                    + " cgroup with CPU control, version 1 or 2, that can be read");
        }
        CpuLimit limit = seen.get();
        if (limit.periods() <= 0) {
            return ID.ruledOut(proof("no CPU limit was in force", s.moment()));
        }
        String text = String.format(
                Locale.ROOT,
                "the cgroup's CPU limit cut %,d of %,d periods short (%.0f %%), %.1f s of waiting in %.0f s",
                limit.cut(),
                limit.periods(),
                100 * limit.share(),
                limit.waitedSeconds(),
                limit.seconds());
        return limit.share() >= CUT_SHORT
                ? ID.confirmed(limit.share(), List.of(proof(text, s.moment())), remedies(s))
                : ID.ruledOut(proof(text, s.moment()));
    }

    static Optional<Taken> takes(WindowEvidence s) {
        return s.cpuLimit().map(limit -> Taken.share(limit.share(), "of its periods"));
    }

    /**
     * Returns the remedies; a boost can be tried where the limit is Kiln's own, and the target has more CPUs than that.
     * Where C2 waited, which under a limit every thread does, what favours C2 can help within the limit, too.
     */
    private static List<FindingRemedy> remedies(WindowEvidence s) {
        RunInfo info = s.evidence().info();
        List<FindingRemedy> all = new ArrayList<>();
        double cpus =
                info.cpus().pinned() ? info.cpus().target().size() : info.host().cpus();
        OptionalDouble quota = info.treatment().limits().cpus();
        for (int factor : FACTORS) {
            if (quota.isPresent() && factor * quota.getAsDouble() <= cpus) {
                BoostedStart boost =
                        new BoostedStart(factor * quota.getAsDouble(), quota.getAsDouble(), Optional.empty());
                all.add(new FindingRemedy(
                                "give it " + factor + " times the CPU while it warms up",
                                boost.text()
                                        + "; in Kubernetes: StartupCPUBoost, or startupBoost of a VerticalPodAutoscaler",
                                "the machine must have this CPU to spare whenever an instance starts",
                                RemedyPlace.PLATFORM)
                        .tried(Change.with(boost)));
            }
        }
        all.add(RAISE);
        // A JVM counts one CPU at least, and does so by itself where there is but one.
        if (Math.min(cpus, quota.orElse(cpus)) > 1) {
            all.add(FEWER_THREADS);
        }
        if (s.starvedC2().isPresent()) {
            all.addAll(Remedies.withVirtualThreads(s, List.of(Remedies.PRIORITY_AT_LAUNCH, Remedies.AOT_TRAFFIC)));
        }
        return all;
    }
}
