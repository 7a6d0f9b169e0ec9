package dev.kiln.evidence;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The tables of a run: file names and columns, in one place for the writer and the reader. Units are in the names. */
enum Table {
    THREADS("threads.csv", "time_ns", "tid", "name", "role", "cpu_ns", "wait_ns", "slices", "voluntary", "involuntary"),
    COMPILER(
            "compiler.csv",
            "time_ns",
            "compilations",
            "osr_compilations",
            "compile_ns",
            "code_bytes",
            "bailouts",
            "invalidations"),
    JIT(
            "jit.csv",
            "time_ns",
            "c1_queue",
            "c2_queue",
            "level1",
            "level2",
            "level3",
            "level4",
            "code_used_bytes",
            "code_size_bytes",
            "code_full",
            "code_stopped"),
    MEMORY(
            "memory.csv",
            "time_ns",
            "rss_bytes",
            "pss_bytes",
            "collections",
            "collection_ns",
            "safepoints",
            "safepoint_ns"),
    CGROUP("cgroup.csv", "time_ns", "periods", "throttled_periods", "throttled_ns"),
    PARTS("parts.csv", "time_ns", "part", "cpu_ns", "wait_ns"),
    CPUS("cpus.csv", "time_ns", "cpu", "busy_ns", "idle_ns", "steal_ns"),
    HEAP("heap.csv", "time_ns", "used_bytes", "collections"),
    FLIGHT_COMPILATIONS("flight-compilations.csv", "time_ns", "level", "count", "failed", "sum_ns", "max_ns"),
    FLIGHT_QUEUES("flight-queues.csv", "time_ns", "compiler", "size", "peak_size", "added", "removed"),
    FLIGHT_DEOPTIMIZATIONS("flight-deoptimizations.csv", "time_ns", "reason", "count"),
    FLIGHT_PAUSES("flight-pauses.csv", "time_ns", "cause", "duration_ns"),
    FLIGHT_CODE_CACHE("flight-codecache.csv", "time_ns", "what"),
    FLIGHT_TIERS("flight-tiers.csv", "time_ns", "interpreted", "c1", "c2", "inlined", "native"),
    FLIGHT_THROTTLING("flight-throttling.csv", "time_ns", "periods", "throttled_periods", "throttled_ns");

    /** Those of a flight recording's digest: there only if a recording was made. */
    static final Set<Table> FLIGHT = EnumSet.range(FLIGHT_COMPILATIONS, FLIGHT_THROTTLING);

    private final String file;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> columns;

    Table(String file, String... columns) {
        this.file = file;
        this.columns = List.of(columns);
    }

    String file() {
        return file;
    }

    List<String> columns() {
        return columns;
    }
}
