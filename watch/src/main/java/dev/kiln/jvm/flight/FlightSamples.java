package dev.kiln.jvm.flight;

import dev.kiln.jvm.flight.FlightStream.FlightClock;
import dev.kiln.model.run.FlightDigest.FamilySamples;
import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.model.run.FlightDigest.TierShare;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;

/**
 * FlightSamples turns execution samples into shares of interpreter, C1, C2, inlined and native code. async-profiler
 * marks frames of C1. The JDK's recorder does not, so its first frame that was not inlined is looked up among the
 * compilations. That frame's method is also the one that a sample counts for: it is what the JVM runs in one tier or
 * another.
 */
final class FlightSamples {
    /** This number stands for an unknown method. */
    private static final int UNKNOWN = -1;

    private enum FrameKind {
        INTERPRETED,
        C1,
        C2,
        INLINED,
        NATIVE,
        /** It is code of C1 or C2: the level of its method decides. */
        COMPILED,
        /** It is inlined into code of C1 or C2. */
        INTO_COMPILED,
        /** It is no Java code: a thread of the JVM itself. */
        NOT_JAVA
    }

    /** @param bytecode index of the one that runs, as far as it is known */
    private record Leaf(FrameKind kind, int method, int bytecode) {
        Leaf(FrameKind kind, int method) {
            this(kind, method, 0);
        }
    }

    private record SpanAndMethod(long span, int method) {}

    /** The samples are those of the interpreter, of C1 and of C2. */
    private static final class HotCounts {
        private final int[] samples = new int[3];
        private int deepest;
    }

    /** Samples of hot methods are summed over spans of ten seconds each, while a service may still warm up. */
    private static final int SPAN_SECONDS = 10;

    private static final int SPANS = 60;
    private static final int MOST_METHODS = 200;

    /** This share of all samples changes no share of a tier by much. */
    private static final double FEW = 0.05;

    private final CompiledMethods methods;
    private final boolean namesC1;
    private final FlightClock clock;
    private final IdentityHashMap<RecordedStackTrace, Leaf> known = new IdentityHashMap<>();
    private final Map<Long, EnumMap<FrameKind, Integer>> seconds = new TreeMap<>();
    private final Map<SpanAndMethod, HotCounts> hot = new HashMap<>();
    private final FamilyTally families = new FamilyTally();
    private long compiled;
    private long withoutLevel;

    /** This is the span of the first sample: a recording may begin long after the launch. */
    private long beginning = UNKNOWN;

    /** @param namesC1 whether "JIT compiled" means C2 alone, as in async-profiler's recordings */
    FlightSamples(CompiledMethods methods, boolean namesC1, FlightClock clock) {
        this.methods = methods;
        this.namesC1 = namesC1;
        this.clock = clock;
    }

    /** Forgets the stack traces: they are the same objects only within a chunk. */
    void chunkEnded() {
        known.clear();
        families.chunkEnded();
    }

    void add(RecordedEvent event) {
        RecordedStackTrace trace = event.getStackTrace();
        if (trace == null || trace.getFrames().isEmpty()) {
            return;
        }
        Leaf leaf = known.computeIfAbsent(trace, this::leaf);
        long time = FlightClock.nanos(event.getStartTime());
        FrameKind kind = kindAt(leaf, time);
        if (kind == FrameKind.NOT_JAVA || !clock.holds(time)) {
            return;
        }
        families.add(trace, clock.second(time));
        if (kind != FrameKind.COMPILED) {
            seconds.computeIfAbsent(clock.second(time), second -> new EnumMap<>(FrameKind.class))
                    .merge(kind, 1, Integer::sum);
            count(kind, leaf, clock.second(time) / SPAN_SECONDS);
        }
    }

    /** Tells whether it has samples, and in at least half as many seconds. */
    boolean covers(FlightSamples other) {
        return !seconds.isEmpty() && 2 * seconds.size() >= other.seconds.size();
    }

    private void count(FrameKind kind, Leaf leaf, long span) {
        int column = switch (kind) {
            case INTERPRETED -> 0;
            case C1 -> 1;
            case C2, INLINED -> 2;
            default -> UNKNOWN;
        };
        if (beginning == UNKNOWN) {
            beginning = span;
        }
        if (column != UNKNOWN && leaf.method() != UNKNOWN && span < beginning + SPANS) {
            HotCounts counts = hot.computeIfAbsent(new SpanAndMethod(span, leaf.method()), m -> new HotCounts());
            counts.samples[column]++;
            counts.deepest = Math.max(counts.deepest, leaf.bytecode());
        }
    }

    /** Returns the methods with most samples, by span. */
    List<HotMethod> hot() {
        Map<Integer, Integer> all = new HashMap<>();
        hot.forEach((key, counts) ->
                all.merge(key.method(), IntStream.of(counts.samples).sum(), Integer::sum));
        Set<Integer> most = all.entrySet().stream()
                .sorted(Map.Entry.<Integer, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(method -> methods.name(method.getKey())))
                .limit(MOST_METHODS)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        return hot.entrySet().stream()
                .filter(e -> most.contains(e.getKey().method()))
                .map(e -> hot(e.getKey(), e.getValue()))
                .sorted(Comparator.comparingLong(HotMethod::timeNanos).thenComparing(HotMethod::method))
                .toList();
    }

    private HotMethod hot(SpanAndMethod key, HotCounts counts) {
        long from = key.span() * SPAN_SECONDS;
        return new HotMethod(
                FlightClock.row(from),
                methods.name(key.method()),
                counts.samples[0],
                counts.samples[1],
                counts.samples[2],
                methods.levelAt(key.method(), clock.epochNanos(from + SPAN_SECONDS)),
                counts.deepest);
    }

    private FrameKind kindAt(Leaf leaf, long time) {
        boolean into = leaf.kind() == FrameKind.INTO_COMPILED;
        if (!into && leaf.kind() != FrameKind.COMPILED) {
            return leaf.kind();
        }
        compiled++;
        int level = leaf.method() == UNKNOWN ? 0 : methods.levelAt(leaf.method(), time);
        if (level == 0) {
            withoutLevel++;
            return FrameKind.COMPILED;
        }
        return level < 4 ? FrameKind.C1 : into ? FrameKind.INLINED : FrameKind.C2;
    }

    private Leaf leaf(RecordedStackTrace trace) {
        List<RecordedFrame> frames = trace.getFrames();
        FrameKind first = kind(frames.getFirst());
        if (first == FrameKind.NATIVE) {
            boolean java = frames.stream().anyMatch(frame -> kind(frame) != FrameKind.NATIVE);
            return new Leaf(java ? FrameKind.NATIVE : FrameKind.NOT_JAVA, UNKNOWN);
        }
        if (first == FrameKind.COMPILED) {
            return new Leaf(first, id(frames.getFirst()));
        }
        return first == FrameKind.INLINED
                ? inlined(frames)
                : new Leaf(first, id(frames.getFirst()), frames.getFirst().getBytecodeIndex());
    }

    private Leaf inlined(List<RecordedFrame> frames) {
        for (RecordedFrame frame : frames) {
            switch (kind(frame)) {
                case INLINED -> {}
                case C1 -> {
                    return new Leaf(FrameKind.C1, id(frame));
                }
                case COMPILED -> {
                    return new Leaf(FrameKind.INTO_COMPILED, id(frame));
                }
                default -> {
                    return new Leaf(FrameKind.INLINED, kind(frame) == FrameKind.C2 ? id(frame) : UNKNOWN);
                }
            }
        }
        // All frames are inlined: the stack was cut before the compiled method.
        return new Leaf(namesC1 ? FrameKind.INLINED : FrameKind.INTO_COMPILED, UNKNOWN);
    }

    private int id(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        return method == null ? UNKNOWN : methods.id(method);
    }

    private FrameKind kind(RecordedFrame frame) {
        return switch (String.valueOf(frame.getType())) {
            case "Interpreted" -> FrameKind.INTERPRETED;
            case "C1 compiled" -> FrameKind.C1;
            case "JIT compiled" -> namesC1 ? FrameKind.C2 : FrameKind.COMPILED;
            case "Inlined" -> FrameKind.INLINED;
            default -> FrameKind.NATIVE;
        };
    }

    List<FamilySamples> families() {
        return families.rows();
    }

    List<TierShare> shares() {
        return seconds.entrySet().stream()
                .map(e -> share(e.getKey(), e.getValue()))
                .toList();
    }

    private static TierShare share(long second, EnumMap<FrameKind, Integer> samples) {
        return new TierShare(
                FlightClock.row(second),
                samples.getOrDefault(FrameKind.INTERPRETED, 0),
                samples.getOrDefault(FrameKind.C1, 0),
                samples.getOrDefault(FrameKind.C2, 0),
                samples.getOrDefault(FrameKind.INLINED, 0),
                samples.getOrDefault(FrameKind.NATIVE, 0));
    }

    /** Returns a note for readers of the shares; empty if there are too few to change one by much. */
    String missing() {
        return withoutLevel <= FEW * compiled
                ? ""
                : withoutLevel + " of " + compiled
                        + " samples in compiled code count for no tier: their method's compilation was not recorded";
    }
}
