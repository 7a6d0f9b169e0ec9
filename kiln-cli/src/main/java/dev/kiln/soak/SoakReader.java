package dev.kiln.soak;

import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.RunReader.RowStream;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.Generations;
import dev.kiln.model.run.Sample.HeapSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.soak.SoakPlan.SoakSegment;
import dev.kiln.soak.SoakPlan.SoakSegment.SoakLoad;
import dev.kiln.soak.SoakPlan.SoakSegment.SoakMemory;
import dev.kiln.soak.SoakPlan.SoakSegment.SoakWindow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * A SoakReader reads the runs of a soak row by row into windows: however long it was, memory holds only the windows and
 * one histogram. Rows that a crash cut short are left out.
 */
public final class SoakReader {
    private static final Pattern HEAP_LIMIT = Pattern.compile("-(?:Xmx|XX:MaxHeapSize=)(\\d{1,15})([kKmMgG]?)");

    /** A row beyond this window is damaged: a plan has at most 600. */
    private static final int MOST_WINDOWS = 100_000;

    private final Path run;
    private final long windowNanos;
    private final List<Sums> windows = new ArrayList<>();
    private long zero = -1;
    private long end;
    private long requests;
    private long errors;
    private Optional<Generations> collectedBefore = Optional.empty();
    private Optional<Generations> collected = Optional.empty();
    private long others;

    private static final class Sums {
        private long requests;
        private long errors;
        private long p99;
        private double rss;
        private int rssSamples;
        private long heap;
        private int full;
        private int cycles;

        SoakWindow window() {
            long meanRss = rssSamples == 0 ? 0 : Math.round(rss / rssSamples);
            return new SoakWindow(requests, errors, p99, meanRss, heap, full, cycles);
        }
    }

    private SoakReader(Path run, double windowSeconds) {
        this.run = run;
        this.windowNanos = Math.round(windowSeconds * 1e9);
    }

    /** Reads all segments in the folder of a soak, in the order of their processes; there may be none. */
    public static List<SoakSegment> read(Path soak, double windowSeconds) {
        List<Path> runs = new ArrayList<>();
        try (Stream<Path> tree = Files.walk(soak, 2)) {
            // A folder that is a link may lead to what somebody else recorded.
            tree.filter(directory -> Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                            && Files.exists(directory.resolve("run.json")))
                    .forEach(runs::add);
        } catch (IOException | UncheckedIOException e) {
            throw KilnException.usage(
                    "cannot read " + soak + ": " + e.getMessage(), "name a folder that kiln soak wrote", e);
        }
        return runs.stream()
                .map(run -> new SoakReader(run, windowSeconds).segment(windowSeconds))
                .sorted(Comparator.comparingInt(SoakSegment::run))
                .toList();
    }

    private SoakSegment segment(double windowSeconds) {
        RunInfo info = RunReader.info(run);
        RowStream rows = new RowStream(run);
        rows.load(this::load);
        if (zero >= 0) {
            latencies(rows);
            rows.memory(this::memory);
            rows.heap(this::heap);
        }
        // A window that a phase's end or a crash cut short looks like a collapse.
        long whole = zero < 0 ? 0 : (end - zero) / windowNanos;
        return new SoakSegment(
                info.run(),
                info.outcome(),
                info.course().outcomeDetail(),
                new SoakLoad(zero < 0 ? 0 : (end - zero) / 1e9, requests, errors),
                windowSeconds,
                windows.stream().limit(whole).map(Sums::window).toList(),
                new SoakMemory(
                        memoryLimit(info),
                        info.jvm().stream()
                                .flatMap(jvm -> jvm.flags().stream())
                                .flatMapToLong(SoakReader::heapLimit)
                                .reduce((first, last) -> last),
                        collected.map(all -> all.since(collectedBefore.orElseThrow()))));
    }

    private static OptionalLong memoryLimit(RunInfo info) {
        OptionalLong limit = info.treatment().limits().memoryBytes();
        long machine = info.host().memoryBytes();
        return limit.isPresent() || machine <= 0 ? limit : OptionalLong.of(machine);
    }

    private static LongStream heapLimit(String flag) {
        Matcher found = HEAP_LIMIT.matcher(flag);
        if (!found.matches()) {
            return LongStream.empty();
        }
        int power = 1 + "kmg".indexOf(found.group(2).toLowerCase(Locale.ROOT));
        return LongStream.of(Long.parseLong(found.group(1)) << (found.group(2).isEmpty() ? 0 : 10 * power));
    }

    private void load(LoadBin bin) {
        if (zero >= 0 && (bin.endNanos() <= zero || (bin.endNanos() - zero) / windowNanos > MOST_WINDOWS)) {
            return;
        }
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

    private void latencies(RowStream rows) {
        Histogram[] all = {new Histogram(3)};
        int[] current = {-1};
        rows.latencies(entry -> {
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
        });
        close(current[0], all[0]);
    }

    private void close(int index, Histogram all) {
        if (index >= 0 && index < windows.size() && all.getTotalCount() > 0) {
            windows.get(index).p99 = all.getValueAtPercentile(99);
        }
    }

    private void memory(MemorySample sample) {
        if (!outside(sample.timeNanos())) {
            Sums sums = at(sample.timeNanos());
            sums.rss += sample.rssBytes();
            sums.rssSamples++;
            sample.generations().ifPresent(now -> {
                long other = sample.collections() - now.young() - now.full();
                sums.full +=
                        collected.map(before -> (int) now.since(before).full()).orElse(0);
                sums.cycles += collected.isPresent() ? (int) Math.max(0, other - others) : 0;
                others = other;
            });
            collected = sample.generations();
            collectedBefore = collectedBefore.or(sample::generations);
        }
    }

    private void heap(HeapSample sample) {
        if (!outside(sample.timeNanos())) {
            Sums sums = at(sample.timeNanos());
            sums.heap = sums.heap == 0 ? sample.usedBytes() : Math.min(sums.heap, sample.usedBytes());
        }
    }

    /** Returns the recorded seconds of load, summed over all segments. */
    public static double seconds(List<SoakSegment> segments) {
        return SoakLoad.of(segments).seconds();
    }

    /** Returns the number of the next run, which is 1 for a soak without any. */
    public static int next(List<SoakSegment> segments) {
        return segments.stream().mapToInt(SoakSegment::run).max().orElse(0) + 1;
    }
}
