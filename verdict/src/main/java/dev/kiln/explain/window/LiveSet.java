package dev.kiln.explain.window;

import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.FlightDigest.FlightPause;
import dev.kiln.model.run.FlightDigest.HeapChange;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.HeapSample;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.LongTrend;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongToDoubleFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A LiveSet is where the live objects of a heap went while it served. A full collection leaves nothing else. Any other one may
 * leave garbage, so live objects took at most what it left. A service fills its caches as it begins, so only the second half of the
 * requests counts; all of the time where requests are not known. A heap that is full of what requests left behind serves fewer and
 * fewer of them, so it is cut by requests and not by time.
 *
 * @param full how many full collections were seen up to the end
 * @param capped whether they left as much as an old generation can hold: more may be live, in the young one
 * @param risen the line through what any collection left, cut at what the last full ones left: it rises no faster than what is
 *     live. Of an old generation that is full, up to the part in which it was. Empty with too few full ones, or collections at all
 * @param filled the line through what any collection left: live objects, and garbage of the old generation
 * @param level the line through what full collections left; empty where there were none in most of it, where other collections left
 *     less, and where it is not known that an old generation was not full
 * @param lastBytes what the last full ones left
 * @param requests that succeeded in the time of the first line; empty where they are not known, or not all of this process
 * @param seconds of that time
 */
public record LiveSet(
        int full,
        boolean capped,
        Optional<LiveTrend> risen,
        Optional<LiveTrend> filled,
        Optional<LiveTrend> level,
        double lastBytes,
        OptionalDouble requests,
        double seconds) {
    /** One full collection may have been read while it went on: the least of the last three is no more than what is live. */
    public static final int LEAST_FULL = 3;

    /** The requests are cut into so many parts, as a {@link LongTrend} has blocks at most. */
    private static final int PARTS = 40;

    /** An old generation is full from this share of it on: what does not fit any more is small. */
    private static final double CAPPED = 0.98;

    /** A look at the heap may be so much earlier than the pause that it belongs to. */
    private static final long CLOCK_NANOS = 1_000_000;

    /** What belongs to one look at the counters is written within this time; the next look is later. */
    private static final long LOOK_NANOS = 50_000_000;

    /** A LiveTrend is a change of bytes over all of the time, with its interval of 95 %. */
    public record LiveTrend(double bytes, double leastBytes, double mostBytes, double levelBytes) {
        /** A change counts from this share of the level on: the relative difference that counts as one. */
        private static final double COUNTS = AnalysisConfig.DELTA;

        private static Optional<LiveTrend> of(double[] values) {
            int n = values.length;
            return LongTrend.ofMeans(values, AnalysisConfig.defaults().confidence())
                    .map(line -> new LiveTrend(line.slope() * n, line.lo() * n, line.hi() * n, line.level()));
        }

        /** Tells whether it rose, and by an amount that counts, by the whole of its interval. */
        public boolean rises() {
            return leastBytes > 0 && leastBytes >= COUNTS * levelBytes;
        }

        /** Tells whether it rose by no amount that counts, by the whole of its interval. */
        public boolean stays() {
            return mostBytes < COUNTS * levelBytes;
        }
    }

    /** A Left is what was in use when a collection had ended. */
    private record Left(long timeNanos, double bytes, boolean full) {}

    /**
     * A Progress is how far the load had come at any time.
     *
     * @param done requests, or ns
     * @param from what is left out at the beginning
     */
    private record Progress(LongToDoubleFunction done, double from, double to, long beginNanos, boolean ofRequests) {
        /** Returns the part of the rest in which a moment lies; negative before it. */
        int part(long nanos) {
            double share = (done.applyAsDouble(nanos) - from) / (to - from);
            return share < 0 ? -1 : (int) Math.min(PARTS - 1, share * PARTS);
        }
    }

    /** Reads it; empty where nothing tells what collections left. */
    public static Optional<LiveSet> of(WindowEvidence s) {
        RunEvidence evidence = s.evidence();
        long end = end(s);
        List<Left> left = (evidence.heap().isEmpty() ? recorded(evidence) : counted(evidence))
                .filter(one -> one.timeNanos >= s.zeroNanos() && one.timeNanos <= end)
                .toList();
        List<Left> full = left.stream().filter(Left::full).toList();
        double last = full.stream()
                .skip(Math.max(0, full.size() - LEAST_FULL))
                .mapToDouble(Left::bytes)
                .min()
                .orElse(0);
        return left.isEmpty() ? Optional.empty() : Optional.of(of(s, left, progress(s, end), full.size(), last));
    }

    private static LiveSet of(WindowEvidence s, List<Left> left, Progress progress, int full, double last) {
        OptionalDouble room = oldRoom(s);
        boolean capped = full > 0 && room.isPresent() && last >= CAPPED * room.getAsDouble();
        double[] most = least(left, progress, one -> true);
        double[] live = least(left, progress, Left::full);
        int parts = capped ? upTo(most, CAPPED * last) : PARTS;
        boolean free = room.isPresent() && !capped;
        boolean level = free
                && reach(live) >= PARTS / 2
                && Arrays.stream(most).min().orElse(0) >= (1 - AnalysisConfig.DELTA) * last;
        double share = (double) parts / PARTS;
        return new LiveSet(
                full,
                capped,
                full < LEAST_FULL
                        ? Optional.empty()
                        : LiveTrend.of(Arrays.stream(most)
                                .limit(parts)
                                .filter(Double::isFinite)
                                .map(bytes -> Math.min(bytes, last))
                                .toArray()),
                LiveTrend.of(Arrays.stream(most).filter(Double::isFinite).toArray()),
                level
                        ? LiveTrend.of(
                                Arrays.stream(live).filter(Double::isFinite).toArray())
                        : Optional.empty(),
                last,
                progress.ofRequests && !s.evidence().sent().shared()
                        ? OptionalDouble.of(share * (progress.to - progress.from))
                        : OptionalDouble.empty(),
                seconds(left, progress, parts));
    }

    /**
     * Returns what full collections can leave outside eden: with Serial and Parallel what the old generation holds, and then objects stay
     * in eden; with G1 there is no such bound. It is empty where that is not known.
     */
    private static OptionalDouble oldRoom(WindowEvidence s) {
        Optional<JvmInfo> jvm = s.evidence().info().jvm();
        if (jvm.filter(known -> known.uses("-XX:+UseG1GC")).isPresent()) {
            return OptionalDouble.of(Double.POSITIVE_INFINITY);
        }
        OptionalLong heap = jvm.map(known -> known.bytes("MaxHeapSize")).orElse(OptionalLong.empty());
        OptionalLong young = jvm.map(known -> known.bytes("MaxNewSize")).orElse(OptionalLong.empty());
        return heap.isPresent() && young.isPresent()
                ? OptionalDouble.of(heap.getAsLong() - young.getAsLong())
                : OptionalDouble.empty();
    }

    /** Returns how many parts there are before the first that reaches a level. */
    private static int upTo(double[] least, double level) {
        return (int) IntStream.range(0, PARTS)
                .takeWhile(part -> !(Double.isFinite(least[part]) && least[part] >= level))
                .count();
    }

    /** Returns how long the first parts took. */
    private static double seconds(List<Left> left, Progress progress, int parts) {
        long end = left.stream()
                .mapToLong(Left::timeNanos)
                .filter(nanos -> progress.part(nanos) < parts)
                .max()
                .orElse(progress.beginNanos);
        return Math.max(0, end - progress.beginNanos) / 1e9;
    }

    /** Returns the end of the first load, also where only its beginning is judged. */
    private static long end(WindowEvidence s) {
        List<LoadBin> load = s.evidence().load();
        return load.stream()
                .takeWhile(bin -> bin.phase().equals(load.getFirst().phase()))
                .mapToLong(LoadBin::endNanos)
                .reduce(s.window().toNanos(), Math::max);
    }

    private static Progress progress(WindowEvidence s, long end) {
        NavigableMap<Long, Double> served = new TreeMap<>();
        double all = 0;
        for (LoadBin bin : s.evidence().load()) {
            if (bin.endNanos() <= end) {
                all += bin.completed();
                served.put(bin.endNanos(), all);
            }
        }
        if (all == 0) {
            return new Progress(nanos -> nanos, s.zeroNanos(), end, s.zeroNanos(), false);
        }
        double half = all / 2;
        long begin = served.entrySet().stream()
                .filter(entry -> entry.getValue() >= half)
                .findFirst()
                .orElseThrow()
                .getKey();
        return new Progress(
                nanos -> Optional.ofNullable(served.floorEntry(nanos))
                        .map(Map.Entry::getValue)
                        .orElse(0.0),
                half,
                all,
                begin,
                true);
    }

    /** Returns the least of each part; what is not finite stands for a part in which nothing was collected. */
    private static double[] least(List<Left> left, Progress progress, Predicate<Left> counts) {
        double[] least = new double[PARTS];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        for (Left one : left) {
            int part = progress.part(one.timeNanos);
            if (part >= 0 && counts.test(one)) {
                least[part] = Math.min(least[part], one.bytes);
            }
        }
        return least;
    }

    /** Returns how many parts lie between the first and the last in which something was collected. */
    private static int reach(double[] least) {
        int[] seen = IntStream.range(0, PARTS)
                .filter(part -> Double.isFinite(least[part]))
                .toArray();
        return seen.length == 0 ? 0 : seen[seen.length - 1] - seen[0];
    }

    /**
     * Returns what the JVM's counters had. Which collection it was, the row of the same look says; the first look at a JVM has none, and
     * after a restart the last row is of the process before.
     */
    private static Stream<Left> counted(RunEvidence evidence) {
        TreeMap<Long, CollectionSample> looks = new TreeMap<>();
        evidence.collections().forEach(row -> looks.put(row.timeNanos(), row));
        return evidence.heap().stream().map(row -> new Left(row.timeNanos(), row.usedBytes(), isFull(row, looks)));
    }

    private static boolean isFull(HeapSample row, TreeMap<Long, CollectionSample> looks) {
        return Optional.ofNullable(looks.floorEntry(row.timeNanos()))
                .filter(look -> row.timeNanos() - look.getKey() <= LOOK_NANOS)
                .flatMap(look -> look.getValue().full())
                .filter(ended -> ended.nanos() > 0)
                .isPresent();
    }

    /** Returns what a flight recording had. The pause of a collection has the moment at which the heap was looked at before it. */
    private static Stream<Left> recorded(RunEvidence evidence) {
        List<HeapChange> changes =
                evidence.flight().map(flight -> flight.collector().heap()).orElse(List.of());
        TreeMap<Long, HeapChange> begun = new TreeMap<>();
        changes.forEach(change -> begun.put(change.timeNanos(), change));
        Set<Long> full = new HashSet<>();
        evidence.flight().stream()
                .flatMap(flight -> flight.collector().pauses().stream())
                .filter(FlightPause::full)
                .forEach(pause -> Optional.ofNullable(begun.ceilingKey(pause.timeNanos() - CLOCK_NANOS))
                        .filter(began -> began <= pause.timeNanos() + pause.durationNanos())
                        .ifPresent(full::add));
        return changes.stream()
                .map(change -> new Left(change.timeNanos(), change.afterBytes(), full.contains(change.timeNanos())));
    }
}
