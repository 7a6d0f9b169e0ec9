package dev.kiln.importer;

import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.model.load.Latency.Quantiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** Takes what sources tell, and gives the captured samples. */
final class Recorded implements LoadSink {
    final List<String> phases = new ArrayList<>();
    final List<LoadRow> rows = new ArrayList<>();
    final List<Long> ends = new ArrayList<>();
    final List<Quantiles> totals = new ArrayList<>();
    final List<String> gaps = new ArrayList<>();
    OptionalDouble offered = OptionalDouble.empty();
    long latencies;

    static Path sample(String name) {
        // The tests run in the module's folder.
        return Path.of("../load/src/test/resources/dev/kiln/importer", name);
    }

    static byte[] bytes(String name) {
        try {
            return Files.readAllBytes(sample(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Lines lines(String text) {
        return new Lines("some.log", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    static Recorded of(LoadSource source) {
        Recorded recorded = new Recorded();
        source.read(recorded);
        return recorded;
    }

    long completed() {
        return rows.stream().mapToLong(LoadRow::completed).sum();
    }

    long failed() {
        return rows.stream().mapToLong(row -> row.errors().total()).sum();
    }

    @Override
    public void phase(String name, long startNanos) {
        phases.add(name);
    }

    @Override
    public void row(LoadRow row) {
        rows.add(row);
    }

    @Override
    public void latencies(long startNanos, long endNanos, Histogram histogram) {
        latencies += histogram.getTotalCount();
    }

    @Override
    public void end(long endNanos) {
        ends.add(endNanos);
    }

    @Override
    public void total(Quantiles total) {
        totals.add(total);
    }

    @Override
    public void offered(double perSecond) {
        offered = OptionalDouble.of(perSecond);
    }

    @Override
    public void gap(String what) {
        gaps.add(what);
    }
}
