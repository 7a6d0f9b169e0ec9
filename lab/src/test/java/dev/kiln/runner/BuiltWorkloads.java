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
        return building(name).join();
    }

    /** Begins to build, so that others can be used meanwhile. */
    static void begin(String name) {
        CompletableFuture<Workload> unused = building(name);
    }

    /** What failed is tried again when it is asked for again. */
    private static CompletableFuture<Workload> building(String name) {
        return BUILT.compute(
                name,
                (key, before) -> before == null || before.isCompletedExceptionally()
                        ? CompletableFuture.supplyAsync(() -> build(key), Thread.ofPlatform()::start)
                        : before);
    }

    private static Workload build(String name) {
        Workload workload = WorkloadFile.read(Bench.root().resolve("workloads"), name);
        new WorkloadBuilder(Bench.root(), new Cancellation(), new Bench.Unwatched()).build(workload);
        return workload;
    }
}
