package dev.kiln.compare;

import dev.kiln.model.Metric;
import dev.kiln.model.Metric.Better;
import dev.kiln.model.Metric.MetricKind;
import dev.kiln.model.Metric.MetricUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Quantity is what is compared: a metric, or a table's own column; its unit is empty if not known. */
public record Quantity(String id, String label, String unit, Better better, MetricKind kind) {
    private static final Map<String, Double> SECONDS =
            Map.of("s", 1.0, "ms", 1e-3, "us", 1e-6, "\u00b5s", 1e-6, "ns", 1e-9);
    private static final Map<String, Double> BYTES =
            Map.of("B", 1.0, "kB", 1e3, "MB", 1e6, "GB", 1e9, "KiB", 1024.0, "MiB", 1048576.0, "GiB", 1073741824.0);

    /** This pattern matches a column that names its unit: {@code p99 [ms]}, {@code p99 (ms)}, {@code p99, ms}. */
    private static final Pattern SAID = Pattern.compile("(.+?)\\s*(?:\\[([^\\]]+)\\]|\\(([^)]+)\\)|,\\s*(\\S+))");

    /** This pattern matches a column with its unit as a suffix, such as {@code p99_ms}. */
    private static final Pattern SUFFIX = Pattern.compile("(.+)_(s|ms|us|ns|bytes|kib|mib|gib|kb|mb|gb|pct)");

    /** This column counts what its author counted, and not a warm-up's requests, which once had that name. */
    private static final String REQUESTS = "requests";

    public static Quantity of(Metric metric) {
        return new Quantity(metric.id(), metric.label(), metric.unit(), metric.better(), metric.kind());
    }

    /** Returns the metric of one call of a mix. */
    static Quantity of(Metric metric, String call) {
        return new Quantity(
                metric.id() + Metric.OF + call,
                metric.label() + " of " + call,
                metric.unit(),
                metric.better(),
                metric.kind());
    }

    /** Reads a column's name: metrics, also of a call, keep their meaning; a unit that it names is the metric's. */
    public static Quantity of(String column) {
        Optional<String> call = call(column);
        if (call.isPresent()) {
            return of(ofCall(column).orElseThrow(), call.get());
        }
        Matcher said = SAID.matcher(column.strip());
        if (said.matches()) {
            for (int group = 2; group <= 4; group++) {
                if (said.group(group) != null) {
                    return of(said.group(1), said.group(group).strip());
                }
            }
        }
        Matcher suffix = SUFFIX.matcher(column.strip());
        return suffix.matches() ? of(suffix.group(1), unit(suffix.group(2))) : of(column.strip(), "");
    }

    /** Returns the call that a metric is asked of, {@code checkout} of {@code p99@checkout}; else empty. */
    public static Optional<String> call(String id) {
        return ofCall(id).map(metric -> id.substring(id.indexOf(Metric.OF) + 1).strip());
    }

    private static Optional<Metric> ofCall(String id) {
        int at = id.indexOf(Metric.OF);
        return at < 0 ? Optional.empty() : Metric.known(id.substring(0, at), MetricUse.OF_CALLS);
    }

    private static Quantity of(String name, String unit) {
        if (name.equalsIgnoreCase(REQUESTS)) {
            return new Quantity(name, name, unit, Better.HIGHER, MetricKind.POSITIVE);
        }
        return Metric.comparable(name)
                .map(metric -> unit.isEmpty() ? of(metric) : of(metric).in(unit))
                .orElseGet(() -> new Quantity(name, name, unit, Better.UNKNOWN, MetricKind.POSITIVE));
    }

    private static String unit(String suffix) {
        return switch (suffix) {
            case "bytes" -> "B";
            case "kib" -> "KiB";
            case "mib" -> "MiB";
            case "gib" -> "GiB";
            case "kb" -> "kB";
            case "mb" -> "MB";
            case "gb" -> "GB";
            case "pct" -> "%";
            default -> suffix;
        };
    }

    Quantity in(String other) {
        return new Quantity(id, label, other, better, kind);
    }

    boolean is(Metric metric) {
        return id.equals(metric.id());
    }

    /** Tells whether this is one of these metrics, of a call and not of the whole load. */
    boolean isOfCall(Metric... metrics) {
        return ofCall(id).filter(List.of(metrics)::contains).isPresent();
    }

    /** Returns the label with its unit, for heads of tables. */
    public String title() {
        return unit.isEmpty() ? label : label + ", " + unit;
    }

    /** Returns the factor that turns a value in one unit into the other; empty if there is none. */
    public static OptionalDouble factor(String from, String to) {
        if (from.equals(to)) {
            return OptionalDouble.of(1);
        }
        for (Map<String, Double> dimension : List.of(SECONDS, BYTES)) {
            Double a = dimension.get(from);
            Double b = dimension.get(to);
            if (a != null && b != null) {
                return OptionalDouble.of(a / b);
            }
        }
        return OptionalDouble.empty();
    }
}
