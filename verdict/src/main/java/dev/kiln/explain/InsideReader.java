package dev.kiln.explain;

import dev.kiln.explain.Inside.CodeCache;
import dev.kiln.explain.Inside.Compilations;
import dev.kiln.explain.Inside.Deoptimizations;
import dev.kiln.explain.Inside.Hot;
import dev.kiln.explain.Inside.InsideClosing;
import dev.kiln.explain.Inside.InsideCode;
import dev.kiln.explain.Inside.InsideJit;
import dev.kiln.explain.Inside.Levels;
import dev.kiln.explain.Inside.Queue;
import dev.kiln.explain.Inside.Stopped;
import dev.kiln.explain.Inside.Tiers;
import dev.kiln.explain.window.Recorded;
import dev.kiln.explain.window.Window;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.MemorySample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An InsideReader puts what was recorded of the JIT, the collector and the cgroup on the time axis of the curves. */
final class InsideReader {
    private static final long SECOND = 1_000_000_000L;
    private static final long END_NANOS = 10 * SECOND;

    /** Five seconds have few samples of any other method. */
    private static final int MOST_CLOSING = 20;

    private final RunEvidence evidence;
    private final long zeroNanos;

    InsideReader(RunEvidence evidence, long zeroNanos) {
        this.evidence = evidence;
        this.zeroNanos = zeroNanos;
    }

    Inside read() {
        return new Inside(
                new InsideJit(
                        queues(),
                        flight(this::compilations),
                        flight(this::deoptimizations),
                        flight(digest -> digest.compilers().c2Work())),
                new InsideCode(levels(), codeCache(), flight(this::tiers), flight(this::hot)),
                evidence.flight().map(this::pauses).orElseGet(this::collections),
                rates(cgroup(), CgroupSample::timeNanos, CgroupSample::throttledNanos),
                evidence.closing().flatMap(this::closing));
    }

    private Optional<InsideClosing> closing(FlightDigest flight) {
        OptionalLong from = flight.tiers().stream()
                .mapToLong(FlightDigest.TierShare::timeNanos)
                .min();
        return from.isEmpty()
                ? Optional.empty()
                : Optional.of(new InsideClosing(
                        second(from.getAsLong()),
                        hot(flight.hot().stream(), Long.MIN_VALUE).stream()
                                .limit(MOST_CLOSING)
                                .toList()));
    }

    private double second(long timeNanos) {
        return (timeNanos - zeroNanos) / 1e9;
    }

    private long wholeSecond(long timeNanos) {
        return Math.floorDiv(timeNanos - zeroNanos, SECOND);
    }

    /** Returns the JVM's own answers; where it was not asked, the recording's, as both count the same queues. */
    private List<Queue> queues() {
        List<Queue> asked = lastOfSecond(
                        s -> s.c1Queue().isPresent() || s.c2Queue().isPresent())
                .stream()
                .map(s -> new Queue(second(s.timeNanos()), number(s.c1Queue()), number(s.c2Queue())))
                .toList();
        return asked.isEmpty() ? flight(this::recordedQueues) : asked;
    }

    private List<Queue> recordedQueues(FlightDigest flight) {
        Map<Long, double[]> sizes = new TreeMap<>();
        for (FlightDigest.QueueUse use : flight.queues()) {
            double[] both = sizes.computeIfAbsent(use.timeNanos(), time -> new double[] {Double.NaN, Double.NaN});
            both[use.compiler().equals("C1") ? 0 : 1] = use.size();
        }
        return sizes.entrySet().stream()
                .map(e -> new Queue(second(e.getKey()), e.getValue()[0], e.getValue()[1]))
                .toList();
    }

    private List<Levels> levels() {
        return lastOfSecond(s -> s.levels().isPresent()).stream()
                .map(s -> {
                    JitState.CodeLevels levels = s.levels().orElseThrow();
                    return new Levels(
                            second(s.timeNanos()), levels.level1(), levels.level2(), levels.level3(), levels.level4());
                })
                .toList();
    }

    private List<CodeCache> codeCache() {
        return lastOfSecond(s -> s.codeCache().filter(c -> c.sizeBytes() > 0).isPresent()).stream()
                .map(s -> {
                    JitState.CodeCacheFill cache = s.codeCache().orElseThrow();
                    return new CodeCache(second(s.timeNanos()), cache.usedBytes() / (double) cache.sizeBytes());
                })
                .toList();
    }

    private List<JitSample> lastOfSecond(Predicate<JitSample> told) {
        Map<Long, JitSample> last = new TreeMap<>();
        evidence.jit().stream().filter(told).forEach(s -> last.put(wholeSecond(s.timeNanos()), s));
        return List.copyOf(last.values());
    }

    private <T> List<T> flight(Function<FlightDigest, List<T>> rows) {
        return evidence.flight().map(rows).orElse(List.of());
    }

    private List<Tiers> tiers(FlightDigest flight) {
        List<Tiers> rows = new ArrayList<>();
        for (FlightDigest.TierShare tier : flight.tiers()) {
            double all = tier.interpreted() + tier.c1() + tier.c2() + tier.inlined() + tier.nativeCode();
            if (all > 0) {
                rows.add(new Tiers(
                        second(tier.timeNanos()),
                        tier.interpreted() / all,
                        tier.c1() / all,
                        tier.c2() / all,
                        tier.inlined() / all,
                        tier.nativeCode() / all));
            }
        }
        return rows;
    }

    private List<Compilations> compilations(FlightDigest flight) {
        return flight.compilations().stream()
                .map(c -> new Compilations(second(c.timeNanos()), c.level(), c.count(), c.maxNanos() / 1e6))
                .toList();
    }

    /** Returns the methods by their samples in the first load; its last ten seconds are its end. */
    private List<Hot> hot(FlightDigest flight) {
        Optional<PhaseTime> load =
                evidence.info().phases().stream().filter(PhaseTime::load).findFirst();
        long from = load.map(PhaseTime::startNanos).orElse(0L);
        long to = load.map(PhaseTime::endNanos).orElse(OptionalLong.empty()).orElse(Long.MAX_VALUE);
        long end = flight.hot().stream()
                .mapToLong(HotMethod::timeNanos)
                .filter(time -> time < to)
                .max()
                .orElse(0);
        return hot(
                flight.hot().stream().filter(row -> row.timeNanos() >= from && row.timeNanos() < to), end - END_NANOS);
    }

    /** @param endNanos from then on rows are of the end */
    private static List<Hot> hot(Stream<HotMethod> rows, long endNanos) {
        return rows.collect(Collectors.groupingBy(HotMethod::method)).entrySet().stream()
                .map(method -> ofMethod(method.getKey(), method.getValue(), endNanos))
                .sorted(Comparator.comparingInt(Hot::samples).reversed().thenComparing(Hot::method))
                .toList();
    }

    private static Hot ofMethod(String method, List<HotMethod> rows, long endNanos) {
        List<HotMethod> last =
                rows.stream().filter(row -> row.timeNanos() >= endNanos).toList();
        int inC2 = last.stream().mapToInt(HotMethod::c2).sum();
        int slower = last.stream().mapToInt(row -> row.interpreted() + row.c1()).sum();
        return new Hot(
                method,
                rows.stream().mapToInt(HotMethod::interpreted).sum(),
                rows.stream().mapToInt(HotMethod::c1).sum(),
                rows.stream().mapToInt(HotMethod::c2).sum(),
                last.stream().mapToInt(HotMethod::level).max().orElse(0),
                slower > inC2);
    }

    /** Counts deoptimisations for all reasons together; seconds without any are zeros, and no gap. */
    private List<Deoptimizations> deoptimizations(FlightDigest flight) {
        Map<Long, Integer> counts = zeros(0);
        flight.deoptimizations().forEach(d -> counts.merge(wholeSecond(d.timeNanos()), d.count(), Integer::sum));
        return counts.entrySet().stream()
                .map(e -> new Deoptimizations(e.getKey(), e.getValue()))
                .toList();
    }

    /** Sums the pauses by the second in which they began. */
    private List<Stopped> pauses(FlightDigest flight) {
        Map<Long, Double> millis = zeros(0.0);
        flight.collector()
                .pauses()
                .forEach(p -> millis.merge(wholeSecond(p.timeNanos()), p.durationNanos() / 1e6, Double::sum));
        return millis.entrySet().stream()
                .map(e -> new Stopped(e.getKey(), e.getValue()))
                .toList();
    }

    /** Returns the value for every second from launch to the load's end; empty unless most is recorded. */
    private <T> Map<Long, T> zeros(T zero) {
        Map<Long, T> seconds = new TreeMap<>();
        long end =
                evidence.load().stream().mapToLong(bin -> bin.endNanos()).max().orElse(zeroNanos);
        Optional<Recorded> recorded = evidence.flight().flatMap(Recorded::of);
        for (long s = wholeSecond(0); s < wholeSecond(end); s++) {
            long nanos = zeroNanos + s * SECOND;
            Window second = new Window(nanos, nanos + SECOND);
            if (recorded.map(rows -> rows.mostOf(second)).orElse(true)) {
                seconds.put(s, zero);
            }
        }
        return seconds;
    }

    /** Reads the collector's time from the JVM's counters, which are zero for a program that is no JVM. */
    private List<Stopped> collections() {
        boolean none = evidence.memory().stream().allMatch(s -> s.collections() == 0 && s.safepoints() == 0);
        return none ? List.of() : rates(evidence.memory(), MemorySample::timeNanos, MemorySample::collectionNanos);
    }

    /** Returns the ms per second by which a counter of ns grew, at the beginning of each interval. */
    private <T> List<Stopped> rates(List<T> samples, ToLongFunction<T> time, ToLongFunction<T> nanos) {
        List<Stopped> rows = new ArrayList<>();
        for (int i = 1; i < samples.size(); i++) {
            long from = time.applyAsLong(samples.get(i - 1));
            long took = time.applyAsLong(samples.get(i)) - from;
            if (took > 0) {
                double grown = nanos.applyAsLong(samples.get(i)) - nanos.applyAsLong(samples.get(i - 1));
                rows.add(new Stopped(second(from), 1e3 * grown / took));
            }
        }
        return rows;
    }

    /** Returns the cgroup as Kiln recorded it from outside, or else as the JVM did from within. */
    private List<CgroupSample> cgroup() {
        return evidence.cgroup().size() > 1 ? evidence.cgroup() : flight(FlightDigest::throttling);
    }

    private static double number(OptionalInt value) {
        return value.isPresent() ? value.getAsInt() : Double.NaN;
    }
}
