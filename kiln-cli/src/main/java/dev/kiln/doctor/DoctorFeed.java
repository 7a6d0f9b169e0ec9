package dev.kiln.doctor;

import dev.kiln.console.Installation;
import dev.kiln.doctor.MetricsPush.OtlpMetrics;
import dev.kiln.files.InputFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A DoctorFeed publishes the doctor's metrics: over HTTP to those who ask, and by push to a collector. */
record DoctorFeed(Optional<MetricsServer> server, Optional<MetricsPush> push) implements AutoCloseable {
    private static final Duration PUSH_EVERY = Duration.ofSeconds(10);

    /**
     * @param metrics address to serve them at
     * @param otlp URL of an OpenTelemetry collector
     */
    record Ways(Optional<String> metrics, Optional<String> otlp) {
        boolean any() {
            return metrics.isPresent() || otlp.isPresent();
        }
    }

    static DoctorFeed start(Ways ways, Supplier<DoctorMetrics> metrics, BooleanSupplier ready, PrintWriter log) {
        Optional<MetricsServer> server = ways.metrics()
                .map(address -> MetricsServer.start(address, () -> metrics.get().text(), ready));
        long start = System.currentTimeMillis();
        String host = host();
        try {
            Optional<MetricsPush> push = ways.otlp()
                    .map(url -> MetricsPush.start(
                            url,
                            PUSH_EVERY,
                            () -> OtlpMetrics.render(
                                    metrics.get(), Installation.version(), host, start, System.currentTimeMillis()),
                            line -> say(log, line)));
            server.ifPresent(on -> say(log, "serves /metrics and /ready on port " + on.port()));
            return new DoctorFeed(server, push);
        } catch (RuntimeException e) {
            server.ifPresent(MetricsServer::close);
            throw e;
        }
    }

    private static void say(PrintWriter log, String line) {
        log.println("kiln: " + line);
        log.flush();
    }

    private static String host() {
        try {
            return InputFile.text(Path.of("/proc/sys/kernel/hostname"), InputFile.DOCUMENT)
                    .strip();
        } catch (IOException e) {
            return InetAddress.getLoopbackAddress().getHostName();
        }
    }

    @Override
    public void close() {
        push.ifPresent(MetricsPush::close);
        server.ifPresent(MetricsServer::close);
    }
}
