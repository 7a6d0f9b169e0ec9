package dev.kiln.model;

import static dev.kiln.model.Metric.Better.HIGHER;
import static dev.kiln.model.Metric.Better.LOWER;
import static dev.kiln.model.Metric.Better.UNKNOWN;
import static dev.kiln.model.Metric.MetricKind.DIFFERENCE;
import static dev.kiln.model.Metric.MetricKind.POSITIVE;
import static dev.kiln.model.Metric.MetricKind.TIME;
import static dev.kiln.model.Metric.MetricUse.ASKED;
import static dev.kiln.model.Metric.MetricUse.CLAIMED;
import static dev.kiln.model.Metric.MetricUse.COMPARED;
import static dev.kiln.model.Metric.MetricUse.FOLLOWED;
import static dev.kiln.model.Metric.MetricUse.OF_CALLS;
import static dev.kiln.model.Metric.MetricUse.OF_PARTS;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A Metric is one of the figures that describe a run; this is their catalogue. Comparisons, gates, claims, histories
 * and exports all take id, unit and direction from here; {@code explain.RunFigures} takes the figure from a run. A new
 * metric is a constant here and a line there.
 */
public enum Metric {
    /** The peak is the throughput of the measuring phase; in a claim it is the variant's reference peak. */
    PEAK("peak", "peak", "req/s", HIGHER, POSITIVE, COMPARED, FOLLOWED, CLAIMED, OF_CALLS),
    T90("t90", "T90", "s", LOWER, TIME, COMPARED, FOLLOWED, CLAIMED, OF_CALLS),
    /** The warm-up cost is the requests lost, as seconds at the peak; it is 0 or less where nothing was lost. */
    WARMUP_COST("warm-up-cost", "warm-up cost", "s", LOWER, DIFFERENCE, COMPARED, FOLLOWED, OF_CALLS),
    END_OF_WARMUP("end-of-warmup", "end of warm-up", "req/s", HIGHER, POSITIVE, FOLLOWED, CLAIMED),
    THROUGHPUT("throughput", "throughput", "req/s", HIGHER, POSITIVE, COMPARED, OF_CALLS, CLAIMED, OF_PARTS),
    /** These requests completed in the warm-up's load; those of all phases would differ with the phases' lengths. */
    REQUESTS("warm-up-requests", "requests of the warm-up", "", HIGHER, POSITIVE, COMPARED, FOLLOWED, OF_CALLS),
    /** The errors are the failed requests of all load phases. */
    ERRORS("errors", "failed requests", "", LOWER, DIFFERENCE, COMPARED, OF_CALLS),
    START("startup", "start-up", "s", LOWER, POSITIVE, COMPARED, FOLLOWED, CLAIMED),
    FIRST_RESPONSE("first-response", "first response", "s", LOWER, POSITIVE, COMPARED, FOLLOWED, CLAIMED),
    P50("p50", "p50 latency", "ms", LOWER, POSITIVE, COMPARED, OF_CALLS, CLAIMED),
    P75("p75", "p75 latency", "ms", LOWER, POSITIVE, COMPARED, CLAIMED),
    P95("p95", "p95 latency", "ms", LOWER, POSITIVE, COMPARED, CLAIMED),
    P99("p99", "p99 latency", "ms", LOWER, POSITIVE, COMPARED, OF_CALLS, CLAIMED),
    MEAN("mean", "mean latency", "ms", LOWER, POSITIVE, COMPARED, CLAIMED),
    MAX("max", "max latency", "ms", LOWER, POSITIVE, COMPARED, CLAIMED),
    /** The median of response times came to its level at this time; only a run whose rate was served has it. */
    P50_LEVEL_TIME("p50-level-time", "p50 at its level", "s", LOWER, TIME, COMPARED, CLAIMED),
    /** The p99 of response times came to its level at this time; only a run whose rate was served has it. */
    P99_LEVEL_TIME("p99-level-time", "p99 at its level", "s", LOWER, TIME, COMPARED, FOLLOWED, CLAIMED),
    /** The 99th percentile was above twice its level for this many seconds of the warm-up. */
    P99_ABOVE_TWICE(
            "p99-above-twice", "p99 above twice its level", "s", LOWER, DIFFERENCE, COMPARED, FOLLOWED, CLAIMED),
    /** The 99th percentile of the load's first 10 s counts requests without a response as the slowest. */
    P99_FIRST_10("p99-first-10s", "p99 of the first 10 s", "ms", LOWER, POSITIVE, COMPARED, CLAIMED),
    P99_FIRST_30("p99-first-30s", "p99 of the first 30 s", "ms", LOWER, POSITIVE, COMPARED, CLAIMED),
    P99_FIRST_60("p99-first-60s", "p99 of the first 60 s", "ms", LOWER, POSITIVE, COMPARED, CLAIMED),
    /** The load's latency objective was met for good from this time on. */
    SLO_MET("slo-met", "SLO met", "s", LOWER, TIME, COMPARED, FOLLOWED, CLAIMED),
    /** These requests of the warm-up were slower than the latency objective, or failed. */
    BEYOND_SLO("beyond-slo", "requests beyond the SLO", "", LOWER, DIFFERENCE, COMPARED, FOLLOWED, CLAIMED),
    /** The backlog of a run with a rate was drained at this time: no request waited to be sent any more. */
    DRAINED("drained", "backlog drained", "s", LOWER, TIME, COMPARED, CLAIMED),
    /** These requests of a run with a rate were due and never sent, or never answered. */
    UNSERVED("unserved", "requests unserved", "", LOWER, DIFFERENCE, COMPARED, CLAIMED),
    CPU_PER_REQUEST("cpu-per-request", "CPU per request", "\u00b5s", LOWER, POSITIVE, COMPARED),
    /** A request was blocked so long at the first load's end, or untaken, or what it waited for is unknown. */
    BLOCKED_PER_REQUEST("blocked-per-request", "blocked or queued, per request", "ms", LOWER, DIFFERENCE, ASKED),
    /** The threads that serve a request waited this long for a CPU at the end of the first load. */
    CPU_WAIT_PER_REQUEST("cpu-wait-per-request", "waiting for a CPU, per request", "ms", LOWER, DIFFERENCE, ASKED),
    /** Collections, other safepoints and a CPU limit stopped a request for this long at the end of the first load. */
    STOPPED_PER_REQUEST("stopped-per-request", "stopped, per request", "ms", LOWER, DIFFERENCE, ASKED),
    /** The CPU boost of a target whose limit goes down after its start ended at this time since the launch. */
    BOOST_END("boost-end", "end of the CPU boost", "s", LOWER, POSITIVE, COMPARED),
    /** The throughput of the ten seconds that begin a second after the boost's end is given in per cent of the peak. */
    AFTER_BOOST("after-boost", "throughput after the boost", "%", HIGHER, POSITIVE, COMPARED),
    RSS("rss", "RSS", "MiB", LOWER, POSITIVE, COMPARED, FOLLOWED, CLAIMED),
    /** The allocation per request is that of the last load; it needs a flight recording. */
    ALLOCATION("allocation-per-request", "allocation per request", "KiB", LOWER, POSITIVE, COMPARED, CLAIMED),
    /** The system time is what the target used in the kernel in the warm-up's second half, in per cent of one CPU. */
    SYSTEM_CPU("system-cpu", "system time", "%", LOWER, DIFFERENCE, CLAIMED, OF_PARTS),
    /** The CPU of all C2 threads together in the warm-up's second half is given in per cent of one CPU. */
    C2_CPU("c2-cpu", "C2 CPU", "%", UNKNOWN, POSITIVE, CLAIMED, OF_PARTS),
    /** The time that C2's threads waited for a CPU in the warm-up's second half is given in per cent of one CPU. */
    C2_WAIT("c2-wait", "C2 wait", "%", LOWER, POSITIVE, COMPARED, FOLLOWED, CLAIMED, OF_PARTS),
    /** C2's backlog of compilations for the load was cleared at this time since the first request. */
    C2_CLEARED("c2-cleared", "C2 backlog cleared", "s", LOWER, TIME, COMPARED, CLAIMED),
    /** The C2 queue is the median number of methods waiting for C2 over the warm-up's second half. */
    C2_QUEUE("c2-queue", "C2 queue", "", LOWER, POSITIVE, CLAIMED, OF_PARTS),
    COMPILATIONS("compilations", "compilations", "", UNKNOWN, POSITIVE, COMPARED, FOLLOWED, CLAIMED, OF_PARTS),
    /** These compilations replaced loops while they ran, by the end of the run. */
    OSR_COMPILATIONS("osr-compilations", "OSR compilations", "", UNKNOWN, DIFFERENCE, COMPARED, CLAIMED),
    /** This code of C2 was listed by the JVM and made not entrant by the end of the run. */
    NOT_ENTRANT("not-entrant", "C2 code not entrant", "", UNKNOWN, DIFFERENCE, COMPARED, CLAIMED, OF_PARTS),
    /** The code of these compilations was out of date before it could be used; they count up to the end of the run. */
    INVALIDATIONS("invalidations", "outdated compilations", "", LOWER, DIFFERENCE, CLAIMED),
    /** The time in collections is given in per cent of the warm-up's second half. */
    GC_TIME("gc-time", "time in collections", "%", LOWER, DIFFERENCE, COMPARED, CLAIMED, OF_PARTS),
    /** The CPU of the collector's threads in the warm-up's second half is given in per cent of one CPU. */
    GC_CPU("gc-cpu", "CPU of the collector", "%", LOWER, DIFFERENCE, CLAIMED, OF_PARTS),
    /** These compilations ended between the launch and the moment when the load came to 90 % of the peak. */
    COMPILATIONS_TO_T90("compilations-to-t90", "compilations to T90", "", UNKNOWN, POSITIVE, CLAIMED),
    /** The code growth is the machine code produced per second of the warm-up's second half. */
    CODE_GROWTH("code-growth", "code growth", "kB/s", UNKNOWN, DIFFERENCE, CLAIMED, OF_PARTS),
    /** This share of samples in the warm-up's second half was in code of C1; recordings and profiles have it. */
    C1_FRAMES("c1-frames", "frames of C1", "%", UNKNOWN, DIFFERENCE, CLAIMED, OF_PARTS),
    /** This share of the same samples was in code that C2 inlined into other code. */
    INLINED_FRAMES("inlined-frames", "inlined frames of C2", "%", UNKNOWN, DIFFERENCE, CLAIMED, OF_PARTS),
    /** The longest compilation is of those that ended in the warm-up's second half; it needs a flight recording. */
    LONGEST_COMPILATION("longest-compilation", "longest compilation", "s", LOWER, POSITIVE, CLAIMED, OF_PARTS),
    COMPILE_TIME("compile-time", "compile time", "s", LOWER, POSITIVE, FOLLOWED),
    /** This share of the C1 methods with counters has a full profile (level 3) in the warm-up's second half. */
    LEVEL3_SHARE("level3-share", "level-3 share", "%", UNKNOWN, POSITIVE, CLAIMED, OF_PARTS),
    /** These threads used CPU time in the warm-up's second half. */
    BUSY_THREADS("busy-threads", "busy threads", "", UNKNOWN, POSITIVE, CLAIMED, OF_PARTS),
    /** The voluntary switches are counted per second and worker thread of the warm-up's second half. */
    VOLUNTARY("voluntary", "voluntary switches", "/s", UNKNOWN, POSITIVE, CLAIMED, OF_PARTS),
    INVOLUNTARY("involuntary", "involuntary switches", "/s", UNKNOWN, POSITIVE, CLAIMED, OF_PARTS),
    /** The ratio is that of the workers' involuntary switches to their voluntary ones. */
    SWITCH_RATIO("switch-ratio", "switch ratio", "", UNKNOWN, POSITIVE, CLAIMED, OF_PARTS),
    /** These classes came from the AOT cache. */
    AOT_CLASSES("aot-classes", "AOT classes", "", UNKNOWN, POSITIVE, CLAIMED),
    /** This share of hot methods' samples is in methods profiled in the AOT cache; flight recordings have it. */
    AOT_COVERAGE("aot-coverage", "AOT coverage", "%", HIGHER, DIFFERENCE, COMPARED, CLAIMED);

    /** Better is the direction in which a metric gets better. */
    public enum Better {
        HIGHER,
        LOWER,
        UNKNOWN
    }

    /** A MetricKind decides how two configurations are compared by a metric. */
    public enum MetricKind {
        /** The quantity is positive: configurations are compared by the ratio of geometric means. */
        POSITIVE,
        /** The quantity can be 0 or negative: configurations are compared by the difference of means. */
        DIFFERENCE,
        /** The quantity is a time that not every run reaches before a horizon. */
        TIME
    }

    /** A MetricUse is a place where a metric appears. */
    public enum MetricUse {
        /** The metric appears in {@code kiln compare} and in gates. */
        COMPARED,
        /** The metric appears there where somebody asks for it: each metric compared widens the intervals of all. */
        ASKED,
        /** {@code kiln history} and its exports follow the metric from experiment to experiment. */
        FOLLOWED,
        /** The claims of an experiment file may name the metric. */
        CLAIMED,
        /** {@code kiln compare} and gates have the metric for each call of a mix as well: {@code p99@checkout}. */
        OF_CALLS,
        /** Claims may name the metric of a part of a run as well: {@code c2-wait(spring, measure)}. */
        OF_PARTS
    }

    /** These metrics are read from the load and need no peak. */
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

    /** These metrics are sums over the whole load or run: the longer it lasts, the more they are. */
    private static final Set<Metric> GROWING = EnumSet.of(
            WARMUP_COST,
            REQUESTS,
            ERRORS,
            P99_ABOVE_TWICE,
            BEYOND_SLO,
            COMPILATIONS,
            OSR_COMPILATIONS,
            NOT_ENTRANT,
            INVALIDATIONS,
            COMPILE_TIME);

    /** Metrics had these names before, or people give them; they are known on input only, without case and hyphens. */
    private static final Map<String, String> ALIASES = Map.of(
            "deficit", letters(WARMUP_COST.id),
            "requests", letters(REQUESTS.id),
            "start", letters(START.id),
            "maximum", letters(MAX.id),
            "maxrss", letters(RSS.id));

    /** A metric's name may be followed by its call or its unit. */
    private static final Pattern NAMED =
            Pattern.compile("\\s*[@,(\\[].*|_(s|ms|us|ns|bytes|kib|mib|gib|kb|mb|gb|pct)$");

    /** This character stands between a metric and the call that it is of. */
    public static final char OF = '@';

    private final String id;
    private final String label;
    private final String unit;
    private final Better better;
    private final MetricKind kind;

    @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
    private final Set<MetricUse> uses;

    Metric(String id, String label, String unit, Better better, MetricKind kind, MetricUse... uses) {
        this.id = id;
        this.label = label;
        this.unit = unit;
        this.better = better;
        this.kind = kind;
        this.uses = Set.of(uses);
    }

    /** Returns the metric's name in files and in JSON. */
    public String id() {
        return id;
    }

    public String label() {
        return label;
    }

    /** Returns the unit of the metric's figures; empty for a count. */
    public String unit() {
        return unit;
    }

    public Better better() {
        return better;
    }

    public MetricKind kind() {
        return kind;
    }

    /** Tells whether the metric is read from the load, so that only valid runs have it. */
    public boolean ofThroughput() {
        return LOAD.contains(this) || againstPeak();
    }

    /** Tells whether the metric is a sum over the whole load or run, so that runs of different lengths differ in it. */
    public boolean growsWithTheLoad() {
        return GROWING.contains(this);
    }

    /** Tells whether a peak that is a lower bound makes this metric a bound too. */
    public boolean againstPeak() {
        return this == PEAK || this == T90 || this == WARMUP_COST || this == COMPILATIONS_TO_T90;
    }

    /** Returns the metrics of a use in the order in which results show them. */
    public static List<Metric> all(MetricUse use) {
        return Arrays.stream(values())
                .filter(metric -> metric.uses.contains(use))
                .toList();
    }

    public static List<String> ids(MetricUse use) {
        return all(use).stream().map(Metric::id).toList();
    }

    /** Returns the metric of this id or older name, whatever its case and hyphens. */
    public static Optional<Metric> known(String name, MetricUse use) {
        String plain = plain(name);
        return all(use).stream()
                .filter(metric -> plain(metric.id).equals(plain))
                .findFirst();
    }

    /** Returns the metric that configurations can be compared by, be it always or where somebody asks. */
    public static Optional<Metric> comparable(String name) {
        return known(name, MetricUse.COMPARED).or(() -> known(name, MetricUse.ASKED));
    }

    /** Returns a metric's direction by a file's name for it, such as {@code p99@checkout} or {@code p99_ms}. */
    public static Better direction(String name) {
        String bare = NAMED.matcher(name.strip()).replaceFirst("").strip();
        return comparable(name).or(() -> comparable(bare)).map(Metric::better).orElse(Better.UNKNOWN);
    }

    /** Tells whether a name that somebody typed means the other metric, be it one of the catalogue or of a table. */
    public static boolean same(String name, String other) {
        return plain(name).equals(plain(other));
    }

    /** Tells whether two sides' ids are the same; a table's own column is not the metric once named so. */
    public static boolean sameId(String id, String other) {
        return plain(id, Map.of()).equals(plain(other, Map.of()));
    }

    private static String plain(String name) {
        return plain(name, ALIASES);
    }

    /** Reduces a name to letters and digits, its call apart; other names of a metric become its id. */
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
