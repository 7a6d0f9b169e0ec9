package dev.kiln.doctor;

import dev.kiln.doctor.DoctorMetrics.MetricFamily;
import dev.kiln.doctor.DoctorMetrics.MetricKind;
import dev.kiln.doctor.DoctorMetrics.MetricPoint;
import dev.kiln.load.Statuses;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.Secrets;
import dev.kiln.report.JsonOut;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A MetricsPush sends metrics to an OpenTelemetry collector; one that is away is told once, and retried. */
public final class MetricsPush implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final URI collector;
    private final Supplier<String> body;
    private final Consumer<String> log;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final Thread thread;
    private Optional<String> trouble = Optional.empty();

    private MetricsPush(URI collector, Duration every, Supplier<String> body, Consumer<String> log) {
        this.collector = collector;
        this.body = body;
        this.log = log;
        this.thread = Thread.ofVirtual().name("kiln-otlp").unstarted(() -> pushEach(every));
    }

    /**
     * Starts at once.
     *
     * @param url of the collector; without a path, {@code /v1/metrics} is its path
     * @param body the next request
     * @param log takes a line when the collector begins to refuse, and when it takes metrics again
     */
    public static MetricsPush start(String url, Duration every, Supplier<String> body, Consumer<String> log) {
        MetricsPush push = new MetricsPush(parse(url), every, body, log);
        push.thread.start();
        return push;
    }

    private static URI parse(String url) {
        try {
            URI uri = new URI(url);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                boolean bare = uri.getPath().isEmpty() || uri.getPath().equals("/");
                return bare ? uri.resolve("/v1/metrics") : uri;
            }
        } catch (URISyntaxException e) {
            // Told below.
        }
        throw KilnException.usage("--otlp: found '" + url + "'", "give a URL such as http://localhost:4318");
    }

    private void pushEach(Duration every) {
        try {
            while (true) {
                Thread.sleep(every);
                tell(push());
            }
        } catch (InterruptedException e) {
            // Closed.
            return;
        }
    }

    /** Returns why the collector did not take it; empty when it did. */
    private Optional<String> push() throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(collector)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.get()))
                .build();
        try {
            int status = Statuses.of(client, request, PATIENCE);
            return status / 100 == 2 ? Optional.empty() : Optional.of("status " + status);
        } catch (IOException e) {
            return Optional.of(IoReason.of(e));
        }
    }

    private void tell(Optional<String> now) {
        if (!now.equals(trouble)) {
            String at = "the collector at " + Secrets.HIDDEN.text(collector.toString());
            log.accept(now.map(why -> at + " does not take the metrics (" + why + "); Kiln goes on trying")
                    .orElse(at + " takes the metrics again"));
        }
        trouble = now;
    }

    @Override
    public void close() {
        thread.interrupt();
        client.shutdownNow();
    }

    /**
     * OtlpMetrics are in the JSON encoding of the OpenTelemetry Protocol 1.x: an {@code ExportMetricsServiceRequest}. A
     * state set is a gauge of 0 and 1 there, and times are ns since 1970 as text.
     */
    public static final class OtlpMetrics {
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
        public static String render(
                DoctorMetrics metrics, String version, String host, long startMillis, long nowMillis) {
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
}
