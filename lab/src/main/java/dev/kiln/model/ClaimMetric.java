package dev.kiln.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What of a variant's runs a claim may speak of. */
public enum ClaimMetric {
    PEAK("peak", "req/s", true),
    END_OF_WARMUP("end-of-warmup", "req/s", true),
    T90("t90", "s", true),
    START("start", "s", false),
    FIRST_RESPONSE("first-response", "s", false),
    COMPILATIONS("compilations", "", false),
    /** Per cent of one CPU that C2 used in the second half of the warm-up, all its threads together. */
    C2_CPU("c2-cpu", "%", false),
    /** Per cent of one CPU that C2 waited for, in the same time. */
    C2_WAIT("c2-wait", "%", false),
    /** Methods waiting for C2, median over the same time. */
    C2_QUEUE("c2-queue", "", false),
    /** Per cent of the C1 methods with counters that have a full profile: level 3 of levels 2 and 3, in the same time. */
    LEVEL3_SHARE("level3-share", "%", false),
    /** Threads with CPU time, in the same time. */
    BUSY_THREADS("busy-threads", "", false),
    /** Switches per second and worker thread, in the same time. */
    VOLUNTARY("voluntary", "/s", false),
    INVOLUNTARY("involuntary", "/s", false),
    /** Classes that came from the AOT cache. */
    AOT_CLASSES("aot-classes", "", false);

    private final String id;
    private final String unit;
    private final boolean throughput;

    ClaimMetric(String id, String unit, boolean throughput) {
        this.id = id;
        this.unit = unit;
        this.throughput = throughput;
    }

    /** Its name in experiment files. */
    public String id() {
        return id;
    }

    /** Empty for a count. */
    public String unit() {
        return unit;
    }

    /** Whether it is read from the load, so that only valid runs have it. */
    public boolean ofThroughput() {
        return throughput;
    }

    public static Optional<ClaimMetric> known(String id) {
        return Arrays.stream(values()).filter(metric -> metric.id.equals(id)).findFirst();
    }

    public static List<String> ids() {
        return Arrays.stream(values()).map(ClaimMetric::id).toList();
    }
}
