package dev.kiln.evidence;

import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadBin;
import dev.kiln.model.Modifier;
import dev.kiln.model.RunInfo;
import dev.kiln.model.SoakPlan.SoakSegment;
import dev.kiln.model.SoakPlan.SoakSegment.SoakWindow;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Reads a soak's runs row by row into windows: however long it was, no more is held than the windows and one histogram. Rows
 * that a crash cut short are left out.
 */
public final class SoakReader {
    private static final Pattern HEAP_LIMIT = Pattern.compile("-(?:Xmx|XX:MaxHeapSize=)(\\d{1,15})([kKmMgG]?)");
    private static final Pattern MEMORY_LIMIT = Pattern.compile(Modifier.MemoryLimit.NAME + ": (\\d{1,15})([kKmMgG]?)");

    private final Path run;
    private final long windowNanos;
    private final List<Sums> windows = new ArrayList<>();
    private long zero = -1;
    private long end;
    private long requests;
    private long errors;

    private static final class Sums {
        private long requests;
        private long errors;
        private long p99;
        private double rss;
        private int rssSamples;
        private long heap;

        SoakWindow window() {
            return new SoakWindow(requests, errors, p99, rssSamples == 0 ? 0 : Math.round(rss / rssSamples), heap);
        }
    }

    private SoakReader(Path run, double windowSeconds) {
        this.run = run;
        this.windowNanos = Math.round(windowSeconds * 1e9);
    }

    /** All segments in the folder of a soak, in the order of their processes; none where nothing was recorded. */
    public static List<SoakSegment> read(Path soak, double windowSeconds) {
        List<Path> runs = new ArrayList<>();
        try (Stream<Path> tree = Files.walk(soak, 2)) {
            tree.filter(directory -> Files.exists(directory.resolve("run.json")))
                    .forEach(runs::add);
        } catch (IOException | UncheckedIOException e) {
            throw new KilnException(
                    Exit.USAGE, "cannot read " + soak + ": " + e.getMessage(), "name a folder that kiln soak wrote", e);
        }
        return runs.stream()
                .map(run -> new SoakReader(run, windowSeconds).segment(windowSeconds))
                .sorted(java.util.Comparator.comparingInt(SoakSegment::run))
                .toList();
    }

    private SoakSegment segment(double windowSeconds) {
        RunInfo info = RunReader.info(run);
        rows("load.csv", this::load);
        if (zero >= 0) {
            latencies();
            rows(Table.MEMORY.file(), this::memory);
            rows(Table.HEAP.file(), this::heap);
        }
        // A window that a phase's end or a crash cut short looks like a collapse.
        long whole = zero < 0 ? 0 : (end - zero) / windowNanos;
        return new SoakSegment(
                info.run(),
                info.outcome(),
                info.outcomeDetail(),
                zero < 0 ? 0 : (end - zero) / 1e9,
                requests,
                errors,
                windowSeconds,
                windows.stream().limit(whole).map(Sums::window).toList(),
                memoryLimit(info),
                info.jvm().stream()
                        .flatMap(jvm -> jvm.flags().stream())
                        .flatMapToLong(flag -> bytes(HEAP_LIMIT, flag))
                        .reduce((first, last) -> last));
    }

    private static OptionalLong memoryLimit(RunInfo info) {
        OptionalLong limit = info.treatment().modifiers().stream()
                .flatMapToLong(modifier -> bytes(MEMORY_LIMIT, modifier))
                .findFirst();
        long machine = info.host().memoryBytes();
        return limit.isPresent() || machine <= 0 ? limit : OptionalLong.of(machine);
    }

    private static LongStream bytes(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        if (!found.matches()) {
            return LongStream.empty();
        }
        int power = 1 + "kmg".indexOf(found.group(2).toLowerCase(Locale.ROOT));
        return LongStream.of(Long.parseLong(found.group(1)) << (found.group(2).isEmpty() ? 0 : 10 * power));
    }

    private void rows(String file, Consumer<String[]> row) {
        lines(file, line -> {
            String[] cells = line.split(",", -1);
            if (!cells[cells.length - 1].isEmpty() && Character.isDigit(cells[cells.length - 1].charAt(0))) {
                try {
                    row.accept(cells);
                } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                    // Damaged; the next one counts again.
                    return;
                }
            }
        });
    }

    /** The last line counts only if it is whole: a number that was cut short is another number. */
    private void lines(String file, Consumer<String> take) {
        Path path = run.resolve(file);
        if (!Files.exists(path)) {
            return;
        }
        // A damaged byte costs its row and no more.
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(Files.newInputStream(path), StandardCharsets.UTF_8))) {
            boolean cut = cutShort(path);
            String next = in.readLine();
            while (next != null) {
                String line = next;
                next = in.readLine();
                if (next != null || !cut) {
                    take.accept(line);
                }
            }
        } catch (IOException e) {
            throw new KilnException(
                    Exit.PROBLEM, "cannot read " + path + ": " + IoReason.of(e), "restore the file, or delete it", e);
        }
    }

    private static boolean cutShort(Path path) throws IOException {
        try (var channel = Files.newByteChannel(path)) {
            if (channel.size() == 0) {
                return false;
            }
            var last = java.nio.ByteBuffer.allocate(1);
            channel.position(channel.size() - 1).read(last);
            return last.get(0) != '\n';
        }
    }

    private void load(String[] cells) {
        LoadBin bin = LoadReader.bin(cells);
        zero = zero < 0 ? bin.startNanos() : zero;
        end = bin.endNanos();
        requests += bin.completed();
        errors += bin.errors().total();
        Sums sums = at(end - 1);
        sums.requests += bin.completed();
        sums.errors += bin.errors().total();
    }

    private Sums at(long nanos) {
        int index = (int) ((nanos - zero) / windowNanos);
        while (windows.size() <= index) {
            windows.add(new Sums());
        }
        return windows.get(index);
    }

    private boolean outside(long nanos) {
        return nanos < zero || nanos >= end;
    }

    private void latencies() {
        Histogram[] all = {new Histogram(3)};
        int[] current = {-1};
        lines(
                "latency.hlog",
                line -> LatencyLog.parse(line).ifPresent(entry -> {
                    // By the middle of a second: its end may lie in the next window by a rounding.
                    long at = (entry.startNanos() + entry.endNanos()) / 2;
                    if (outside(at)) {
                        return;
                    }
                    int index = (int) ((at - zero) / windowNanos);
                    if (index != current[0]) {
                        close(current[0], all[0]);
                        all[0] = new Histogram(3);
                        current[0] = index;
                    }
                    all[0].add(entry.latencies());
                }));
        close(current[0], all[0]);
    }

    private void close(int index, Histogram all) {
        if (index >= 0 && index < windows.size() && all.getTotalCount() > 0) {
            windows.get(index).p99 = all.getValueAtPercentile(99);
        }
    }

    private void memory(String[] cells) {
        long at = Long.parseLong(cells[0]);
        if (!outside(at)) {
            at(at).rss += Long.parseLong(cells[1]);
            at(at).rssSamples++;
        }
    }

    private void heap(String[] cells) {
        long at = Long.parseLong(cells[0]);
        if (!outside(at)) {
            long used = Long.parseLong(cells[1]);
            Sums sums = at(at);
            sums.heap = sums.heap == 0 ? used : Math.min(sums.heap, used);
        }
    }

    /** Seconds of load that have been recorded of all segments. */
    public static double seconds(List<SoakSegment> segments) {
        return segments.stream().mapToDouble(SoakSegment::seconds).sum();
    }

    /** The number of the next run. */
    public static int next(List<SoakSegment> segments) {
        return segments.stream().mapToInt(SoakSegment::run).max().orElse(0) + 1;
    }
}
