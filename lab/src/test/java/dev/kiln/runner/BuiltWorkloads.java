package dev.kiln.runner;

import dev.kiln.model.experiment.Workload;
import dev.kiln.plan.WorkloadFile;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The workloads, each built once. Tests that run beside each other wait only for those that they need. */
public final class BuiltWorkloads {
    private static final Map<String, Workload> BUILT = new ConcurrentHashMap<>();

    private BuiltWorkloads() {}

    public static Workload ready(String name) {
        return BUILT.computeIfAbsent(name, BuiltWorkloads::build);
    }

    private static Workload build(String name) {
        Workload workload = WorkloadFile.read(Bench.root().resolve("workloads"), name);
        new WorkloadBuilder(Bench.root(), new Cancellation(), new Bench.Unwatched()).build(workload);
        return workload;
    }
}
