package dev.kiln.runner;

import dev.kiln.model.experiment.Workload;
import dev.kiln.plan.WorkloadFile;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The workloads, each built once. Tests that run beside each other wait only for those that they need. */
public final class BuiltWorkloads {
    private static final Map<String, CompletableFuture<Workload>> BUILT = new ConcurrentHashMap<>();

    private BuiltWorkloads() {}

    public static Workload ready(String name) {
        return begun(name).join();
    }

    /** Begins to build, so that others can be used meanwhile. */
    static CompletableFuture<Workload> begun(String name) {
        return BUILT.computeIfAbsent(
                name, key -> CompletableFuture.supplyAsync(() -> build(key), Thread.ofPlatform()::start));
    }

    private static Workload build(String name) {
        Workload workload = WorkloadFile.read(Bench.root().resolve("workloads"), name);
        new WorkloadBuilder(Bench.root(), new Cancellation(), new Bench.Unwatched()).build(workload);
        return workload;
    }
}
