package dev.kiln.evidence;

import dev.kiln.files.OutputFile;
import dev.kiln.model.load.Latency.Beginning;
import dev.kiln.model.load.Latency.Histogrammed;
import dev.kiln.model.load.Latency.Latencies;
import dev.kiln.model.load.Latency.LatencyCounts;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.PhaseLatency;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.text.CsvLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;

/**
 * A LatencyLog is {@code latency.hlog}: histograms in the HdrHistogram log format V1.3, which its own tools read.
 * Values are in ns. Time stamps are seconds since launch with all nine decimals, so that they fit {@code load.csv} to
 * the nanosecond.
 */
public final class LatencyLog implements AutoCloseable {
    public static final String NAME = "latency.hlog";

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** A beginning may be so much shorter than asked for: its load's last interval starts before the end. */
    private static final long SLACK_NANOS = NANOS_PER_SECOND;

    /** Joined histograms have the precision of those in the log. */
    private static final int SIGNIFICANT_DIGITS = 3;

    /** Maxima are divided by this, because the format's column Interval_Max is in ms where values are in ns. */
    private static final double NANOS_PER_MILLI = 1e6;

    private final Path file;
    private final FileChannel out;
    private final StringBuilder pending = new StringBuilder(16 * 1024);
    private ByteBuffer encoded = ByteBuffer.allocate(0);

    /** Opens or continues a run's log; the wall clock at launch lets other tools show absolute times. */
    public LatencyLog(Path directory, long launchEpochMillis) {
        file = directory.resolve(NAME);
        try {
            out = OutputFile.growing(file);
            if (out.size() == 0) {
                String launch = String.format(Locale.ROOT, "%.3f", launchEpochMillis / 1e3);
                pending.append("#[Latencies in ns by completion time; times in seconds since launch]\n")
                        .append("#[Histogram log format version 1.3]\n")
                        .append("#[StartTime: " + launch + " (seconds since epoch)]\n")
                        .append("#[BaseTime: " + launch + " (seconds since epoch)]\n")
                        .append("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",")
                        .append("\"Interval_Compressed_Histogram\"\n");
            }
        } catch (IOException e) {
            throw CsvWriter.cannotWrite(file, e);
        }
    }

    /** Writes the histogram of an interval. The phase's name must have passed {@link LoadFile#isValidPhaseName}. */
    public void write(String phase, long startNanos, long endNanos, EncodableHistogram histogram) {
        int needed = histogram.getNeededByteBufferCapacity();
        if (encoded.capacity() < needed) {
            encoded = ByteBuffer.allocate(needed);
        }
        encoded.clear();
        int length = histogram.encodeIntoCompressedByteBuffer(encoded, Deflater.BEST_SPEED);
        byte[] bytes = new byte[length];
        encoded.get(0, bytes);
        pending.append("Tag=").append(phase).append(',');
        seconds(startNanos);
        seconds(endNanos - startNanos);
        pending.append(histogram.getMaxValueAsDouble() / NANOS_PER_MILLI).append(',');
        pending.append(Base64.getEncoder().encodeToString(bytes)).append('\n');
    }

    private void seconds(long nanos) {
        long whole = nanos / NANOS_PER_SECOND;
        long rest = nanos % NANOS_PER_SECOND;
        pending.append(whole).append('.');
        String decimals = Long.toString(rest);
        pending.repeat('0', 9 - decimals.length()).append(decimals).append(',');
    }

    public void flush() {
        if (!pending.isEmpty()) {
            CsvWriter.appendWhole(out, file, ByteBuffer.wrap(pending.toString().getBytes(StandardCharsets.UTF_8)));
            pending.setLength(0);
        }
    }

    @Override
    public void close() {
        try (out) {
            flush();
        } catch (IOException e) {
            throw CsvWriter.cannotWrite(file, e);
        }
    }

    /** An Entry is one line of the log. Its times are in ns since launch, its latencies in ns. */
    public record Entry(String phase, long startNanos, long endNanos, Histogram latencies) {}

    /** Entries are a log's lines, each with a histogram, and those that could not be read, with their place. */
    public record Entries(List<Entry> entries, List<String> gaps) {
        public Entries {
            entries = List.copyOf(entries);
            gaps = List.copyOf(gaps);
        }
    }

    /**
     * A Result has the latencies of each second of each phase, counted from the phase's start, those of each phase as a
     * whole, and those of the first load's beginning.
     *
     * @param gaps lines that could not be read, with file and line
     */
    public record Result(Latencies latencies, List<String> gaps) {
        public Result {
            gaps = List.copyOf(gaps);
        }
    }

    /** Reads a log and joins its intervals to seconds and phases; requests beyond the limit count apart. */
    public static Result read(Path file, long limitNanos) throws IOException {
        Entries read = entries(file);
        List<PhaseLatency> phases = phases(read.entries());
        List<Beginning> beginnings = Beginning.SECONDS.stream()
                .flatMap(length -> beginning(read.entries(), length).stream())
                .toList();
        List<LatencyInterval> seconds = new ArrayList<>();
        List<Entry> second = new ArrayList<>();
        long phaseStart = 0;
        for (Entry e : read.entries()) {
            if (!second.isEmpty()) {
                Entry first = second.getFirst();
                boolean samePhase = first.phase().equals(e.phase());
                if (!samePhase || secondOf(first, phaseStart) != secondOf(e, phaseStart)) {
                    seconds.add(merge(second, limitNanos));
                    second.clear();
                }
                phaseStart = samePhase ? phaseStart : e.startNanos();
            } else {
                phaseStart = e.startNanos();
            }
            second.add(e);
        }
        if (!second.isEmpty()) {
            seconds.add(merge(second, limitNanos));
        }
        return new Result(new Latencies(seconds, phases, beginnings), read.gaps());
    }

    /** Returns the latencies of the first load's first seconds, or nothing if that load is shorter. */
    private static Optional<Beginning> beginning(List<Entry> entries, int length) {
        Histogram all = new Histogram(SIGNIFICANT_DIGITS);
        long end = 0;
        for (Entry e : entries) {
            if (!e.phase().equals(entries.getFirst().phase())) {
                break;
            }
            end = e.startNanos() - entries.getFirst().startNanos();
            if (end >= length * NANOS_PER_SECOND) {
                break;
            }
            all.add(e.latencies());
        }
        if (end + SLACK_NANOS < length * NANOS_PER_SECOND) {
            return Optional.empty();
        }
        List<Long> tail = new ArrayList<>();
        for (int step = 0; step <= Beginning.STEPS; step++) {
            tail.add(all.getValueAtPercentile(99 + (double) step / Beginning.STEPS));
        }
        return Optional.of(new Beginning(length, all.getTotalCount(), tail));
    }

    /** Returns each phase's percentiles from one histogram: those of its seconds cannot be joined. */
    private static List<PhaseLatency> phases(List<Entry> entries) {
        Map<String, Histogram> wholes = new LinkedHashMap<>();
        for (Entry e : entries) {
            wholes.computeIfAbsent(e.phase(), phase -> new Histogram(SIGNIFICANT_DIGITS))
                    .add(e.latencies());
        }
        return wholes.entrySet().stream()
                .map(e -> new PhaseLatency(
                        e.getKey(),
                        quantiles(e.getValue()),
                        Optional.of(new PhaseLatency.More(
                                e.getValue().getMean(),
                                e.getValue().getValueAtPercentile(75),
                                e.getValue().getValueAtPercentile(90),
                                e.getValue().getValueAtPercentile(95),
                                e.getValue().getValueAtPercentile(99.9),
                                counts(e.getValue())))))
                .toList();
    }

    private static LatencyCounts counts(Histogram latencies) {
        SortedMap<Integer, Long> steps = new TreeMap<>();
        latencies
                .recordedValues()
                .forEach(value -> steps.merge(
                        LatencyCounts.step(value.getValueIteratedTo()),
                        value.getCountAddedInThisIterationStep(),
                        Long::sum));
        return LatencyCounts.of(steps);
    }

    private static long secondOf(Entry e, long phaseStart) {
        return (e.startNanos() - phaseStart) / NANOS_PER_SECOND;
    }

    private static LatencyInterval merge(List<Entry> entries, long limitNanos) {
        Histogram all = entries.getFirst().latencies();
        for (Entry e : entries.subList(1, entries.size())) {
            all.add(e.latencies());
        }
        return new LatencyInterval(
                entries.getFirst().phase(),
                entries.getFirst().startNanos(),
                entries.getLast().endNanos(),
                quantiles(all),
                limitNanos >= all.getMaxValue()
                        ? 0
                        : all.getCountBetweenValues(all.nextNonEquivalentValue(limitNanos), all.getMaxValue()),
                Optional.of(
                        new Histogrammed(all.getMean(), all.getValueAtPercentile(95), all.getValueAtPercentile(99.9))));
    }

    private static Quantiles quantiles(Histogram all) {
        return new Quantiles(
                all.getTotalCount(), all.getValueAtPercentile(50), all.getValueAtPercentile(99), all.getMaxValue());
    }

    /** Reads the log as it was written, with intervals that are finer than seconds. */
    public static Entries entries(Path file) throws IOException {
        List<Entry> entries = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        EncodedLatencies.Room room = new EncodedLatencies.Room();
        each(file, entry -> room.take(entry.latencies(), () -> entries.add(entry)), gaps::add);
        if (room.isFull()) {
            gaps.add(file + ": its last latencies take more memory than there is; they are lost");
        }
        return new Entries(entries, gaps);
    }

    /** Reads the log and passes its lines on, one after the other. */
    static void each(Path file, Consumer<Entry> entries, Consumer<String> gaps) throws IOException {
        CsvReader.lines(
                file,
                (number, line) -> {
                    if (!line.isEmpty() && !line.startsWith("#") && !line.startsWith("\"StartTimestamp\"")) {
                        parse(line)
                                .ifPresentOrElse(
                                        entries,
                                        () -> gaps.accept(file + ":" + number
                                                + ": not a line of a histogram log; its latencies are lost"));
                    }
                },
                (number, line) ->
                        gaps.accept(file + ":" + number + ": the last line is cut short; its latencies are lost"));
    }

    static Optional<Entry> parse(String row) {
        boolean tagged = row.startsWith("Tag=");
        List<String> cells = CsvLine.cells(row);
        int first = tagged ? 1 : 0;
        if (cells.size() != first + 4) {
            return Optional.empty();
        }
        try {
            long start = EncodedLatencies.nanos(cells.get(first));
            long length = EncodedLatencies.nanos(cells.get(first + 1));
            Histogram latencies = EncodedLatencies.decode(cells.get(first + 3));
            return Optional.of(new Entry(tagged ? cells.get(0).substring(4) : "", start, start + length, latencies));
        } catch (DataFormatException | RuntimeException e) {
            // HdrHistogram's decoder throws whatever damage leads to: underflows, negative array sizes, arithmetic.
            return Optional.empty();
        }
    }
}
