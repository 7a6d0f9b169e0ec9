package dev.kiln.explain.budget;

import dev.kiln.explain.window.Counter;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PartSample;
import java.util.List;

/** BudgetCounters are what the machine and the JVM counted, each known at its own moments. */
record BudgetCounters(
        Counter kernel,
        Counter safepoints,
        Counter toSafepoints,
        Counter collections,
        Counter limited,
        Counter cut,
        Counter periods) {
    static BudgetCounters of(RunEvidence evidence) {
        List<PartSample> target = evidence.parts().stream()
                .filter(row -> row.part().equals("target") && row.modes().isPresent())
                .toList();
        // A program that is no JVM, and a log of collections, count no safepoints.
        List<MemorySample> jvm =
                evidence.memory().stream().anyMatch(row -> row.safepoints() > 0) ? evidence.memory() : List.of();
        return new BudgetCounters(
                Counter.of(
                        target,
                        PartSample::timeNanos,
                        row -> row.modes().orElseThrow().systemNanos()),
                Counter.of(jvm, MemorySample::timeNanos, MemorySample::safepointNanos),
                Counter.of(
                        jvm.stream()
                                .filter(row -> row.toSafepointNanos().isPresent())
                                .toList(),
                        MemorySample::timeNanos,
                        row -> row.toSafepointNanos().getAsLong()),
                Counter.of(jvm, MemorySample::timeNanos, MemorySample::collectionNanos),
                Counter.of(evidence.cgroup(), CgroupSample::timeNanos, CgroupSample::throttledNanos),
                Counter.of(evidence.cgroup(), CgroupSample::timeNanos, CgroupSample::throttledPeriods),
                Counter.of(evidence.cgroup(), CgroupSample::timeNanos, CgroupSample::periods));
    }
}
