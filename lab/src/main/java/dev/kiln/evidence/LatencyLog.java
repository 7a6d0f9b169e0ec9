package dev.kiln.evidence;

import dev.kiln.model.LatencyInterval;
import dev.kiln.model.PhaseLatency;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Reads {@code latency.hlog} back, as far as it was written. */
public final class LatencyLog {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** As many as the log itself has. */
    private static final int SIGNIFICANT_DIGITS = 3;

    private LatencyLog() {}

    /** One line of the log. Times in ns since launch, values in ns. */
    public record Entry(String phase, long startNanos, long endNanos, Histogram latencies) {}

    /**
     * The log as it was written.
     *
     * @param gaps lines that could not be read, with file and line
     */
    public record Entries(List<Entry> entries, List<String> gaps) {
        public Entries {
            entries = List.copyOf(entries);
            gaps = List.copyOf(gaps);
        }
    }

    /**
     * Per second of each phase, counted from the phase's start, and of each phase as a whole.
     *
     * @param gaps lines that could not be read, with file and line
     */
    public record Result(List<LatencyInterval> intervals, List<PhaseLatency> phases, List<String> gaps) {
        public Result {
            intervals = List.copyOf(intervals);
            phases = List.copyOf(phases);
            gaps = List.copyOf(gaps);
        }
    }

    public static Result read(Path file) throws IOException {
        Entries read = entries(file);
        List<PhaseLatency> phases = phases(read.entries());
        List<LatencyInterval> seconds = new ArrayList<>();
        List<Entry> second = new ArrayList<>();
        long phaseStart = 0;
        for (Entry e : read.entries()) {
            if (!second.isEmpty()) {
                Entry first = second.getFirst();
                boolean samePhase = first.phase().equals(e.phase());
                if (!samePhase || secondOf(first, phaseStart) != secondOf(e, phaseStart)) {
                    seconds.add(merge(second));
                    second.clear();
                }
                phaseStart = samePhase ? phaseStart : e.startNanos();
            } else {
                phaseStart = e.startNanos();
            }
            second.add(e);
        }
        if (!second.isEmpty()) {
            seconds.add(merge(second));
        }
        return new Result(seconds, phases, read.gaps());
    }

    /** Percentiles of a phase come from its whole histogram: those of its seconds cannot be joined. */
    private static List<PhaseLatency> phases(List<Entry> entries) {
        Map<String, Histogram> wholes = new LinkedHashMap<>();
        for (Entry e : entries) {
            wholes.computeIfAbsent(e.phase(), phase -> new Histogram(SIGNIFICANT_DIGITS))
                    .add(e.latencies());
        }
        return wholes.entrySet().stream()
                .map(e -> new PhaseLatency(
                        e.getKey(),
                        e.getValue().getTotalCount(),
                        e.getValue().getValueAtPercentile(50),
                        e.getValue().getValueAtPercentile(99),
                        e.getValue().getMaxValue(),
                        Optional.of(new PhaseLatency.More(
                                e.getValue().getMean(),
                                e.getValue().getValueAtPercentile(75),
                                e.getValue().getValueAtPercentile(90),
                                e.getValue().getValueAtPercentile(95),
                                e.getValue().getValueAtPercentile(99.9)))))
                .toList();
    }

    private static long secondOf(Entry e, long phaseStart) {
        return (e.startNanos() - phaseStart) / NANOS_PER_SECOND;
    }

    private static LatencyInterval merge(List<Entry> entries) {
        Histogram all = entries.getFirst().latencies();
        for (Entry e : entries.subList(1, entries.size())) {
            all.add(e.latencies());
        }
        return new LatencyInterval(
                entries.getFirst().phase(),
                entries.getFirst().startNanos(),
                entries.getLast().endNanos(),
                all.getTotalCount(),
                all.getValueAtPercentile(50),
                all.getValueAtPercentile(99),
                all.getMaxValue());
    }

    /** The log as it was written, finer than seconds. */
    public static Entries entries(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        List<Entry> entries = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        int line = 0;
        for (int at = 0; at < text.length(); ) {
            int end = text.indexOf('\n', at);
            line++;
            if (end < 0) {
                gaps.add(file + ":" + line + ": the last line is cut short; its latencies are lost");
                break;
            }
            String row = text.substring(at, end);
            at = end + 1;
            if (row.isEmpty() || row.startsWith("#") || row.startsWith("\"StartTimestamp\"")) {
                continue;
            }
            Optional<Entry> entry = parse(row);
            entry.ifPresent(entries::add);
            if (entry.isEmpty()) {
                gaps.add(file + ":" + line + ": not a line of a histogram log; its latencies are lost");
            }
        }
        return new Entries(entries, gaps);
    }

    static Optional<Entry> parse(String row) {
        boolean tagged = row.startsWith("Tag=");
        String[] cells = row.split(",", -1);
        int first = tagged ? 1 : 0;
        if (cells.length != first + 4) {
            return Optional.empty();
        }
        try {
            long start = nanos(cells[first]);
            long length = nanos(cells[first + 1]);
            byte[] encoded = Base64.getDecoder().decode(cells[first + 3]);
            Histogram latencies = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 0);
            return Optional.of(new Entry(tagged ? cells[0].substring(4) : "", start, start + length, latencies));
        } catch (DataFormatException | RuntimeException e) {
            // HdrHistogram's decoder throws whatever damage leads to: underflows, negative array sizes, arithmetic.
            return Optional.empty();
        }
    }

    /** Decimal seconds to ns without the detour over double, which has no room for both. */
    private static long nanos(String seconds) {
        return new BigDecimal(seconds).movePointRight(9).longValue();
    }
}
