package dev.kiln.doctor;

import dev.kiln.doctor.DoctorMetrics.MetricFamily;
import dev.kiln.doctor.DoctorMetrics.MetricKind;
import dev.kiln.doctor.DoctorMetrics.MetricPoint;
import dev.kiln.report.JsonOut;
import java.util.Map;

/**
 * Metrics in the JSON encoding of the OpenTelemetry Protocol 1.x: an {@code ExportMetricsServiceRequest}. A state set is
 * a gauge of 0 and 1 there, and times are ns since 1970 as text.
 */
public final class OtlpMetrics {
    /** {@code AggregationTemporality}: the whole since the start. */
    private static final int CUMULATIVE = 2;

    private final String startNanos;
    private final String nowNanos;

    private OtlpMetrics(long startMillis, long nowMillis) {
        this.startNanos = startMillis + "000000";
        this.nowNanos = nowMillis + "000000";
    }

    /**
     * Renders one request.
     *
     * @param host name of the machine
     * @param startMillis since 1970, when Kiln was started
     * @param nowMillis since 1970
     */
    public static String render(DoctorMetrics metrics, String version, String host, long startMillis, long nowMillis) {
        OtlpMetrics otlp = new OtlpMetrics(startMillis, nowMillis);
        Map<String, String> resource =
                Map.of("service.name", "kiln-doctor", "service.version", version, "host.name", host);
        return JsonOut.render(out -> one(out, "resourceMetrics", () -> {
            out.object("resource", () -> attributes(out, resource));
            one(out, "scopeMetrics", () -> {
                out.object("scope", () -> {
                    out.text("name", "kiln");
                    out.text("version", version);
                });
                out.objects("metrics", metrics.families(), family -> otlp.family(out, family));
            });
        }));
    }

    private static void one(JsonOut out, String array, Runnable content) {
        out.array(array, () -> out.object(content));
    }

    private void family(JsonOut out, MetricFamily family) {
        boolean counter = family.kind() == MetricKind.COUNTER;
        out.text("name", family.name());
        out.text("description", family.help());
        out.text(
                "unit",
                switch (family.unit()) {
                    case "seconds" -> "s";
                    case "", "ratio" -> "1";
                    default -> "{" + family.unit() + "}";
                });
        out.object(counter ? "sum" : "gauge", () -> {
            if (counter) {
                out.integer("aggregationTemporality", CUMULATIVE);
                out.flag("isMonotonic", true);
            }
            out.objects("dataPoints", family.points(), point -> point(out, point, counter));
        });
    }

    private void point(JsonOut out, MetricPoint point, boolean counter) {
        attributes(out, point.labels());
        if (counter) {
            out.text("startTimeUnixNano", startNanos);
        }
        out.text("timeUnixNano", nowNanos);
        out.exact("asDouble", point.value());
    }

    private static void attributes(JsonOut out, Map<String, String> values) {
        out.objects("attributes", values.entrySet(), attribute -> {
            out.text("key", attribute.getKey());
            out.object("value", () -> out.text("stringValue", attribute.getValue()));
        });
    }
}
