package dev.kiln.compare;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What of a run is compared.
 *
 * @param id its name in files and in JSON
 * @param unit empty if it has none, or none is known
 */
public record Metric(String id, String label, String unit, Better better, Kind kind) {
    /** Which way is better. */
    public enum Better {
        HIGHER,
        LOWER,
        UNKNOWN
    }

    /** How two configurations are held against each other. */
    public enum Kind {
        /** Ratio of geometric means. */
        POSITIVE,
        /** Difference of means: the quantity can be 0 or negative. */
        DIFFERENCE,
        /** Time that not every run reaches before a horizon. */
        TIME
    }

    public static final Metric PEAK = new Metric("peak", "peak", "req/s", Better.HIGHER, Kind.POSITIVE);
    public static final Metric T90 = new Metric("t90", "T90", "s", Better.LOWER, Kind.TIME);
    public static final Metric DEFICIT = new Metric("deficit", "warm-up deficit", "s", Better.LOWER, Kind.DIFFERENCE);
    public static final Metric REQUESTS = new Metric("requests", "requests served", "", Better.HIGHER, Kind.POSITIVE);
    public static final Metric THROUGHPUT =
            new Metric("throughput", "throughput", "req/s", Better.HIGHER, Kind.POSITIVE);
    public static final Metric STARTUP = new Metric("startup", "start-up", "s", Better.LOWER, Kind.POSITIVE);
    public static final Metric FIRST_RESPONSE =
            new Metric("firstResponse", "first response", "s", Better.LOWER, Kind.POSITIVE);
    public static final Metric P50 = new Metric("p50", "p50 latency", "ms", Better.LOWER, Kind.POSITIVE);
    public static final Metric P75 = new Metric("p75", "p75 latency", "ms", Better.LOWER, Kind.POSITIVE);
    public static final Metric P95 = new Metric("p95", "p95 latency", "ms", Better.LOWER, Kind.POSITIVE);
    public static final Metric P99 = new Metric("p99", "p99 latency", "ms", Better.LOWER, Kind.POSITIVE);
    public static final Metric MEAN = new Metric("mean", "mean latency", "ms", Better.LOWER, Kind.POSITIVE);
    public static final Metric MAX = new Metric("max", "max latency", "ms", Better.LOWER, Kind.POSITIVE);
    public static final Metric CPU_PER_REQUEST =
            new Metric("cpu-per-request", "CPU per request", "\u00b5s", Better.LOWER, Kind.POSITIVE);
    public static final Metric RSS = new Metric("rss", "RSS", "MiB", Better.LOWER, Kind.POSITIVE);
    public static final Metric ALLOCATION =
            new Metric("allocation-per-request", "allocation per request", "KiB", Better.LOWER, Kind.POSITIVE);
    public static final Metric C2_WAIT = new Metric("c2Wait", "C2 wait", "%", Better.LOWER, Kind.POSITIVE);
    public static final Metric COMPILATIONS =
            new Metric("compilations", "compilations", "", Better.UNKNOWN, Kind.POSITIVE);

    /** In the order of a result. */
    public static final List<Metric> KNOWN = List.of(
            PEAK,
            T90,
            DEFICIT,
            THROUGHPUT,
            REQUESTS,
            STARTUP,
            FIRST_RESPONSE,
            P50,
            P75,
            P95,
            P99,
            MEAN,
            MAX,
            CPU_PER_REQUEST,
            RSS,
            ALLOCATION,
            C2_WAIT,
            COMPILATIONS);

    /** Other names of the same, as people write them. */
    private static final Map<String, String> SAME = Map.of("maximum", "max", "start", "startup");

    /** The known metric of this name, whatever its case. */
    public static Optional<Metric> known(String name) {
        String plain = plain(name);
        return KNOWN.stream().filter(metric -> plain(metric.id).equals(plain)).findFirst();
    }

    /** A metric of a table, by the column's name: known ones keep their meaning, and the table's unit if it says one. */
    public static Metric of(String column) {
        Column parts = Column.parse(column);
        return known(parts.name())
                .map(metric -> parts.unit().isEmpty() ? metric : metric.in(parts.unit()))
                .orElseGet(() -> new Metric(parts.name(), parts.name(), parts.unit(), Better.UNKNOWN, Kind.POSITIVE));
    }

    Metric in(String other) {
        return new Metric(id, label, other, better, kind);
    }

    /** With its unit, for heads of tables. */
    public String title() {
        return unit.isEmpty() ? label : label + ", " + unit;
    }

    static String plain(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        return SAME.getOrDefault(plain, plain);
    }
}
