package dev.kiln.evidence;

import java.util.List;

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
    CPUS("cpus.csv", "time_ns", "cpu", "busy_ns", "idle_ns", "steal_ns");

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
