package dev.kiln.evidence;

import dev.kiln.model.load.Latency.Latencies;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.PhaseLatency;
import dev.kiln.model.load.Latency.Quantiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A LatencyTable is {@code latency.csv}: quantiles of each second and of whole phases, from sources that kept no
 * histograms. It replaces {@code latency.hlog}. Quantiles of seconds cannot be joined to those of a phase, so it has
 * rows for phases only if the source had them.
 */
public final class LatencyTable implements AutoCloseable {
    private static final String PHASE = "phase";

    private record LatencyLine(String span, LatencyInterval interval) {}

    private static final Table<LatencyLine> TABLE = new Table<>(
            "latency.csv",
            List.of("phase", "span", "start_ns", "end_ns", "count", "p50_ns", "p99_ns", "max_ns"),
            (row, line) -> row.field(line.interval().phase())
                    .field(line.span())
                    .field(line.interval().startNanos())
                    .field(line.interval().endNanos())
                    .field(line.interval().count())
                    .field(line.interval().p50Nanos())
                    .fieldOrEmpty(line.interval().p99Nanos())
                    .field(line.interval().maxNanos()),
            LatencyTable::line);

    private final CsvWriter rows;

    /** @param directory of the run */
    public LatencyTable(Path directory) {
        rows = TABLE.open(directory);
    }

    /** Writes the quantiles of one bin of the source. */
    public void second(LatencyInterval interval) {
        TABLE.write(rows, new LatencyLine("second", interval));
    }

    /** Writes the quantiles of a whole phase. */
    public void phase(LatencyInterval interval) {
        TABLE.write(rows, new LatencyLine(PHASE, interval));
    }

    @Override
    public void close() {
        rows.close();
    }

    static boolean in(Path directory) {
        return Files.exists(directory.resolve(TABLE.file()));
    }

    static LatencyLog.Result read(Path directory, Gaps gaps) {
        List<LatencyInterval> seconds = new ArrayList<>();
        List<PhaseLatency> phases = new ArrayList<>();
        for (LatencyLine line : TABLE.read(directory, gaps)) {
            LatencyInterval i = line.interval();
            if (line.span().equals(PHASE)) {
                phases.add(new PhaseLatency(i.phase(), i.quantiles(), Optional.empty()));
            } else {
                seconds.add(i);
            }
        }
        return new LatencyLog.Result(new Latencies(seconds, phases, List.of()), List.of());
    }

    private static LatencyLine line(CsvReader.EvidenceRow r) {
        String phase = r.text();
        return new LatencyLine(
                r.text(),
                new LatencyInterval(
                        phase,
                        r.figure(),
                        r.figure(),
                        new Quantiles(r.figure(), r.figure(), r.figureOrNone(), r.figure())));
    }
}
