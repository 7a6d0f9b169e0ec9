package dev.kiln.model;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The catalogue of metrics: the figures that describe a run. Comparisons, gates, claims, histories and exports all take
 * id, unit and direction from here; {@code explain.RunFigures} takes the figure from a run. A new metric is a constant
 * here and a line there.
 */
public enum Metric {
    /** Throughput of the measuring phase; a claim speaks of the variant's reference peak. */
    PEAK("peak", "peak", "req/s", Better.HIGHER, Kind.POSITIVE, Use.COMPARED, Use.FOLLOWED, Use.CLAIMED, Use.OF_CALLS),
    T90("t90", "T90", "s", Better.LOWER, Kind.TIME, Use.COMPARED, Use.FOLLOWED, Use.CLAIMED, Use.OF_CALLS),
    /** Warm-up cost: lost requests as seconds at the peak; 0 or less where nothing was lost. */
    WARMUP_COST(
            "warm-up-cost",
            "warm-up cost",
            "s",
            Better.LOWER,
            Kind.DIFFERENCE,
            Use.COMPARED,
            Use.FOLLOWED,
            Use.OF_CALLS),
    END_OF_WARMUP("end-of-warmup", "end of warm-up", "req/s", Better.HIGHER, Kind.POSITIVE, Use.FOLLOWED, Use.CLAIMED),
    THROUGHPUT(
            "throughput",
            "throughput",
            "req/s",
            Better.HIGHER,
            Kind.POSITIVE,
            Use.COMPARED,
            Use.OF_CALLS,
            Use.CLAIMED,
            Use.OF_PARTS),
    /** Completed in the warm-up's load; what a run served in all of its phases differs with their lengths. */
    REQUESTS(
            "warm-up-requests",
            "requests of the warm-up",
            "",
            Better.HIGHER,
            Kind.POSITIVE,
            Use.COMPARED,
            Use.FOLLOWED,
            Use.OF_CALLS),
    /** Of all load phases. */
    ERRORS("errors", "failed requests", "", Better.LOWER, Kind.DIFFERENCE, Use.COMPARED, Use.OF_CALLS),
    START("startup", "start-up", "s", Better.LOWER, Kind.POSITIVE, Use.COMPARED, Use.FOLLOWED, Use.CLAIMED),
    FIRST_RESPONSE(
            "first-response",
            "first response",
            "s",
            Better.LOWER,
            Kind.POSITIVE,
            Use.COMPARED,
            Use.FOLLOWED,
            Use.CLAIMED),
    P50("p50", "p50 latency", "ms", Better.LOWER, Kind.POSITIVE, Use.COMPARED, Use.OF_CALLS, Use.CLAIMED),
    P75("p75", "p75 latency", "ms", Better.LOWER, Kind.POSITIVE, Use.COMPARED, Use.CLAIMED),
    P95("p95", "p95 latency", "ms", Better.LOWER, Kind.POSITIVE, Use.COMPARED, Use.CLAIMED),
    P99("p99", "p99 latency", "ms", Better.LOWER, Kind.POSITIVE, Use.COMPARED, Use.OF_CALLS, Use.CLAIMED),
    MEAN("mean", "mean latency", "ms", Better.LOWER, Kind.POSITIVE, Use.COMPARED, Use.CLAIMED),
    MAX("max", "max latency", "ms", Better.LOWER, Kind.POSITIVE, Use.COMPARED, Use.CLAIMED),
    /** When the median of response times came to its level, of a run with a rate that was served. */
    P50_LEVEL_TIME("p50-level-time", "p50 at its level", "s", Better.LOWER, Kind.TIME, Use.COMPARED, Use.CLAIMED),
    /** When the 99th percentile of response times came to its level, of a run with a rate that was served. */
    P99_LEVEL_TIME(
            "p99-level-time",
            "p99 at its level",
            "s",
            Better.LOWER,
            Kind.TIME,
            Use.COMPARED,
            Use.FOLLOWED,
            Use.CLAIMED),
    /** Seconds of the warm-up in which the 99th percentile was above twice its level. */
    P99_ABOVE_TWICE(
            "p99-above-twice",
            "p99 above twice its level",
            "s",
            Better.LOWER,
            Kind.DIFFERENCE,
            Use.COMPARED,
            Use.FOLLOWED,
            Use.CLAIMED),
    /** Of the first seconds of the load; requests without a response count as the slowest. */
    P99_FIRST_10(
            "p99-first-10s", "p99 of the first 10 s", "ms", Better.LOWER, Kind.POSITIVE, Use.COMPARED, Use.CLAIMED),
    P99_FIRST_30(
            "p99-first-30s", "p99 of the first 30 s", "ms", Better.LOWER, Kind.POSITIVE, Use.COMPARED, Use.CLAIMED),
    P99_FIRST_60(
            "p99-first-60s", "p99 of the first 60 s", "ms", Better.LOWER, Kind.POSITIVE, Use.COMPARED, Use.CLAIMED),
    /** When a latency to keep was met for good. */
    SLO_MET("slo-met", "SLO met", "s", Better.LOWER, Kind.TIME, Use.COMPARED, Use.FOLLOWED, Use.CLAIMED),
    /** Requests of the warm-up that were slower than a latency to keep, or failed. */
    BEYOND_SLO(
            "beyond-slo",
            "requests beyond the SLO",
            "",
            Better.LOWER,
            Kind.DIFFERENCE,
            Use.COMPARED,
            Use.FOLLOWED,
            Use.CLAIMED),
    /** Until no request waited to be sent any more, of a run with a rate. */
    DRAINED("drained", "backlog drained", "s", Better.LOWER, Kind.TIME, Use.COMPARED, Use.CLAIMED),
    /** Requests of a run with a rate that were due and never sent, or never answered. */
    UNSERVED("unserved", "requests unserved", "", Better.LOWER, Kind.DIFFERENCE, Use.COMPARED, Use.CLAIMED),
    CPU_PER_REQUEST("cpu-per-request", "CPU per request", "\u00b5s", Better.LOWER, Kind.POSITIVE, Use.COMPARED),
    /** Since the launch, of a target whose CPU limit goes down after its start. */
    BOOST_END("boost-end", "end of the CPU boost", "s", Better.LOWER, Kind.POSITIVE, Use.COMPARED),
    /** Throughput of the ten seconds from a second after the end of the boost, per cent of the peak. */
    AFTER_BOOST("after-boost", "throughput after the boost", "%", Better.HIGHER, Kind.POSITIVE, Use.COMPARED),
    RSS("rss", "RSS", "MiB", Better.LOWER, Kind.POSITIVE, Use.COMPARED, Use.FOLLOWED, Use.CLAIMED),
    /** In the last load, of a run with a flight recording. */
    ALLOCATION(
            "allocation-per-request",
            "allocation per request",
            "KiB",
            Better.LOWER,
            Kind.POSITIVE,
            Use.COMPARED,
            Use.CLAIMED),
    /** Per cent of one CPU that the target used in the kernel, in the second half of the warm-up. */
    SYSTEM_CPU("system-cpu", "system time", "%", Better.LOWER, Kind.DIFFERENCE, Use.CLAIMED, Use.OF_PARTS),
    /** Per cent of one CPU that C2 used in the second half of the warm-up, all its threads together. */
    C2_CPU("c2-cpu", "C2 CPU", "%", Better.UNKNOWN, Kind.POSITIVE, Use.CLAIMED, Use.OF_PARTS),
    /** Per cent of one CPU that C2 waited for, in the same time. */
    C2_WAIT(
            "c2-wait",
            "C2 wait",
            "%",
            Better.LOWER,
            Kind.POSITIVE,
            Use.COMPARED,
            Use.FOLLOWED,
            Use.CLAIMED,
            Use.OF_PARTS),
    /** Since the first request, until C2 had worked off what the load gave it. */
    C2_CLEARED("c2-cleared", "C2 backlog cleared", "s", Better.LOWER, Kind.TIME, Use.COMPARED, Use.CLAIMED),
    /** Methods waiting for C2, median over the same time. */
    C2_QUEUE("c2-queue", "C2 queue", "", Better.LOWER, Kind.POSITIVE, Use.CLAIMED, Use.OF_PARTS),
    COMPILATIONS(
            "compilations",
            "compilations",
            "",
            Better.UNKNOWN,
            Kind.POSITIVE,
            Use.COMPARED,
            Use.FOLLOWED,
            Use.CLAIMED,
            Use.OF_PARTS),
    /** Of loops that run, by the end of the run. */
    OSR_COMPILATIONS(
            "osr-compilations", "OSR compilations", "", Better.UNKNOWN, Kind.DIFFERENCE, Use.COMPARED, Use.CLAIMED),
    /** Code of C2 that the JVM listed and later did not let be entered any more, by the end of the run. */
    NOT_ENTRANT(
            "not-entrant",
            "C2 code not entrant",
            "",
            Better.UNKNOWN,
            Kind.DIFFERENCE,
            Use.COMPARED,
            Use.CLAIMED,
            Use.OF_PARTS),
    /** Compilations whose code was out of date before it could be used, by the end of the run. */
    INVALIDATIONS("invalidations", "outdated compilations", "", Better.LOWER, Kind.DIFFERENCE, Use.CLAIMED),
    /** Per cent of the time in collections, in the second half of the warm-up. */
    GC_TIME(
            "gc-time",
            "time in collections",
            "%",
            Better.LOWER,
            Kind.DIFFERENCE,
            Use.COMPARED,
            Use.CLAIMED,
            Use.OF_PARTS),
    /** Per cent of one CPU that the collector's threads used, in the same time. */
    GC_CPU("gc-cpu", "CPU of the collector", "%", Better.LOWER, Kind.DIFFERENCE, Use.CLAIMED, Use.OF_PARTS),
    /** From the launch until the load came to 90 % of the peak. */
    COMPILATIONS_TO_T90("compilations-to-t90", "compilations to T90", "", Better.UNKNOWN, Kind.POSITIVE, Use.CLAIMED),
    /** Machine code produced per second, in the second half of the warm-up. */
    CODE_GROWTH("code-growth", "code growth", "kB/s", Better.UNKNOWN, Kind.DIFFERENCE, Use.CLAIMED, Use.OF_PARTS),
    /** Execution samples in code of C1, in the same time, of a run with a flight recording or profile. */
    C1_FRAMES("c1-frames", "frames of C1", "%", Better.UNKNOWN, Kind.DIFFERENCE, Use.CLAIMED, Use.OF_PARTS),
    /** Likewise in code that C2 inlined into other code. */
    INLINED_FRAMES(
            "inlined-frames", "inlined frames of C2", "%", Better.UNKNOWN, Kind.DIFFERENCE, Use.CLAIMED, Use.OF_PARTS),
    /** That ended in the same time, of a run with a flight recording. */
    LONGEST_COMPILATION(
            "longest-compilation", "longest compilation", "s", Better.LOWER, Kind.POSITIVE, Use.CLAIMED, Use.OF_PARTS),
    COMPILE_TIME("compile-time", "compile time", "s", Better.LOWER, Kind.POSITIVE, Use.FOLLOWED),
    /** Per cent of the C1 methods with counters that have a full profile (level 3), in the same time. */
    LEVEL3_SHARE("level3-share", "level-3 share", "%", Better.UNKNOWN, Kind.POSITIVE, Use.CLAIMED, Use.OF_PARTS),
    /** Threads with CPU time, in the same time. */
    BUSY_THREADS("busy-threads", "busy threads", "", Better.UNKNOWN, Kind.POSITIVE, Use.CLAIMED, Use.OF_PARTS),
    /** Switches per second and worker thread, in the same time. */
    VOLUNTARY("voluntary", "voluntary switches", "/s", Better.UNKNOWN, Kind.POSITIVE, Use.CLAIMED, Use.OF_PARTS),
    INVOLUNTARY("involuntary", "involuntary switches", "/s", Better.UNKNOWN, Kind.POSITIVE, Use.CLAIMED, Use.OF_PARTS),
    /** Involuntary switches for each voluntary one, of workers. */
    SWITCH_RATIO("switch-ratio", "switch ratio", "", Better.UNKNOWN, Kind.POSITIVE, Use.CLAIMED, Use.OF_PARTS),
    /** Classes that came from the AOT cache. */
    AOT_CLASSES("aot-classes", "AOT classes", "", Better.UNKNOWN, Kind.POSITIVE, Use.CLAIMED),
    /** Per cent of the samples of hot methods in methods whose profile the AOT cache has, of a run with a flight recording. */
    AOT_COVERAGE("aot-coverage", "AOT coverage", "%", Better.HIGHER, Kind.DIFFERENCE, Use.COMPARED, Use.CLAIMED);

    /** Which way is better. */
    public enum Better {
        HIGHER,
        LOWER,
        UNKNOWN
    }

    /** How two configurations are compared. */
    public enum Kind {
        /** Ratio of geometric means. */
        POSITIVE,
        /** Difference of means: the quantity can be 0 or negative. */
        DIFFERENCE,
        /** Time that not every run reaches before a horizon. */
        TIME
    }

    /** Where it is shown. */
    public enum Use {
        /** By {@code kiln compare} and by gates. */
        COMPARED,
        /** From experiment to experiment, by {@code kiln history} and its exports. */
        FOLLOWED,
        /** By the claims of an experiment file. */
        CLAIMED,
        /** By {@code kiln compare} and by gates, of each call of a mix as well: {@code p99@checkout}. */
        OF_CALLS,
        /** By claims, of a part of a run as well: {@code c2-wait(spring, measure)}. */
        OF_PARTS
    }

    /** Read from the load, without a peak. */
    private static final Set<Metric> LOAD = EnumSet.of(
            END_OF_WARMUP,
            THROUGHPUT,
            P50,
            P75,
            P95,
            P99,
            MEAN,
            MAX,
            P99_FIRST_10,
            P99_FIRST_30,
            P99_FIRST_60,
            P50_LEVEL_TIME,
            P99_LEVEL_TIME,
            P99_ABOVE_TWICE,
            SLO_MET,
            BEYOND_SLO,
            DRAINED,
            UNSERVED);

    /** Names that metrics had before, or that people give them; on input only. Case and hyphens make no difference. */
    private static final Map<String, String> ALIASES = Map.of(
            "deficit", letters(WARMUP_COST.id),
            "requests", letters(REQUESTS.id),
            "start", letters(START.id),
            "maximum", letters(MAX.id),
            "maxrss", letters(RSS.id));

    /** What may follow a metric in a name: its call, or its unit. */
    private static final Pattern NAMED =
            Pattern.compile("\\s*[@,(\\[].*|_(s|ms|us|ns|bytes|kib|mib|gib|kb|mb|gb|pct)$");

    /** Between a metric and the call that it is of. */
    public static final char OF = '@';

    private final String id;
    private final String label;
    private final String unit;
    private final Better better;
    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
    private final Set<Use> uses;

    Metric(String id, String label, String unit, Better better, Kind kind, Use... uses) {
        this.id = id;
        this.label = label;
        this.unit = unit;
        this.better = better;
        this.kind = kind;
        this.uses = Set.of(uses);
    }

    /** Its name in files and in JSON. */
    public String id() {
        return id;
    }

    public String label() {
        return label;
    }

    /** Empty for a count. */
    public String unit() {
        return unit;
    }

    public Better better() {
        return better;
    }

    public Kind kind() {
        return kind;
    }

    /** Whether it is read from the load, so that only valid runs have it. */
    public boolean ofThroughput() {
        return LOAD.contains(this) || againstPeak();
    }

    /** Whether a peak that is a lower bound makes this one a bound too. */
    public boolean againstPeak() {
        return this == PEAK || this == T90 || this == WARMUP_COST || this == COMPILATIONS_TO_T90;
    }

    /** In the order of a result. */
    public static List<Metric> all(Use use) {
        return Arrays.stream(values())
                .filter(metric -> metric.uses.contains(use))
                .toList();
    }

    public static List<String> ids(Use use) {
        return all(use).stream().map(Metric::id).toList();
    }

    /** The metric of this name, whatever its case and hyphens, by its id or an older name: {@code c2Wait} is {@code c2-wait}. */
    public static Optional<Metric> known(String name, Use use) {
        String plain = plain(name);
        return all(use).stream()
                .filter(metric -> plain(metric.id).equals(plain))
                .findFirst();
    }

    /**
     * Which way is better, by the name that a file gives: {@code p99}, {@code p99@checkout}, {@code p99, ms},
     * {@code p99_ms}. Unknown of a table's own columns.
     */
    public static Better direction(String name) {
        String bare = NAMED.matcher(name.strip()).replaceFirst("").strip();
        return known(name, Use.COMPARED)
                .or(() -> known(bare, Use.COMPARED))
                .map(Metric::better)
                .orElse(Better.UNKNOWN);
    }

    /** Whether a name that somebody typed means the other metric, be it one of the catalogue or of a table. */
    public static boolean same(String name, String other) {
        return plain(name).equals(plain(other));
    }

    /** Whether the ids of two sides are the same. A table's own column is no metric of the catalogue that once had its name. */
    public static boolean sameId(String id, String other) {
        return plain(id, Map.of()).equals(plain(other, Map.of()));
    }

    private static String plain(String name) {
        return plain(name, ALIASES);
    }

    /** Letters and digits of a name, and the call as it is; other names of the same, as people write them, become its id. */
    private static String plain(String name, Map<String, String> aliases) {
        int call = name.indexOf(OF);
        if (call >= 0) {
            return plain(name.substring(0, call), aliases)
                    + OF
                    + name.substring(call + 1).strip();
        }
        String plain = letters(name);
        return aliases.getOrDefault(plain, plain);
    }

    private static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}
