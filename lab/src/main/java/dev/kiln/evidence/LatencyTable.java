package dev.kiln.evidence;

import dev.kiln.model.LatencyInterval;
import dev.kiln.model.PhaseLatency;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code latency.csv}: quantiles of each second and of whole phases, of sources that kept no histograms. It stands in the place
 * of {@code latency.hlog}: the quantiles of seconds cannot be joined to those of a phase, so these are there only where
 * the source told them.
 */
final class LatencyTable {
    static final String FILE = "latency.csv";
    static final List<String> COLUMNS =
            List.of("phase", "span", "start_ns", "end_ns", "count", "p50_ns", "p99_ns", "max_ns");

    static final String SECOND = "second";
    static final String PHASE = "phase";

    private record Line(String span, LatencyInterval interval) {}

    private LatencyTable() {}

    static boolean in(Path directory) {
        return Files.exists(directory.resolve(FILE));
    }

    static LatencyLog.Result read(Path directory, Gaps gaps) {
        List<LatencyInterval> seconds = new ArrayList<>();
        List<PhaseLatency> phases = new ArrayList<>();
        for (Line line : CsvReader.read(directory, FILE, COLUMNS, LatencyTable::line, gaps)) {
            LatencyInterval i = line.interval();
            if (line.span().equals(PHASE)) {
                phases.add(new PhaseLatency(i.phase(), i.count(), i.p50Nanos(), i.p99Nanos(), i.maxNanos()));
            } else {
                seconds.add(i);
            }
        }
        return new LatencyLog.Result(seconds, phases, List.of());
    }

    private static Line line(CsvReader.Row r) {
        String phase = r.text();
        return new Line(
                r.text(),
                new LatencyInterval(phase, r.figure(), r.figure(), r.figure(), r.figure(), r.figure(), r.figure()));
    }
}
