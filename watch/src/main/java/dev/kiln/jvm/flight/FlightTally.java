package dev.kiln.jvm.flight;

import dev.kiln.jvm.flight.FlightStream.EventFields;
import dev.kiln.jvm.flight.FlightStream.FlightClock;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.CodeCacheEvent;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.FlightDigest.FlightDeoptimizations;
import dev.kiln.model.run.FlightDigest.QueueUse;
import dev.kiln.model.run.FlightDigest.ThrowableCount;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.CompilerSample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;

/** A FlightTally counts events but samples; memory grows with seconds, collections and methods of C2. */
final class FlightTally {
    /** C2's code has this level. */
    private static final int C2 = 4;

    private record SecondAndLevel(long second, int level) {}

    private record DeoptimizedSecond(long second, String reason, String action) {}

    private static final class CompiledSecond {
        private int count;
        private int failed;
        private long sum;
        private long longest;
        private String longestMethod = "";

        FlightCompilations of(SecondAndLevel key) {
            return new FlightCompilations(
                    FlightClock.row(key.second()), key.level(), count, failed, sum, longest, longestMethod);
        }
    }

    private final FlightClock clock;
    private final CompiledMethods methods;
    private final Map<SecondAndLevel, CompiledSecond> compilations = new HashMap<>();
    private final C2Work c2Work = new C2Work();
    private final List<QueueUse> queues = new ArrayList<>();
    private final Map<DeoptimizedSecond, Integer> deoptimizations = new HashMap<>();
    private final GcTally gc;
    private final List<CodeCacheEvent> codeCache = new ArrayList<>();
    private final Map<Long, CgroupSample> throttling = new TreeMap<>();
    private final Map<Long, CompilerSample> counters = new TreeMap<>();
    private long leftOut;
    private final Map<Long, ThrowableCount> throwables = new TreeMap<>();
    private boolean byAsyncProfiler;

    FlightTally(FlightClock clock, CompiledMethods methods) {
        this.clock = clock;
        this.methods = methods;
        this.gc = new GcTally(clock);
    }

    void wire(FlightStream stream) {
        stream.on("jdk.Compilation", this::compilation);
        stream.on("jdk.CompilerQueueUtilization", this::queue);
        stream.on("jdk.CompilerStatistics", this::counted);
        stream.on("jdk.Deoptimization", this::deoptimization);
        gc.wire(stream);
        stream.on("jdk.CodeCacheFull", event -> codeCache(event, "full" + segment(event)));
        stream.on("jdk.JITRestart", event -> codeCache(event, "compilation switched on again"));
        stream.on("jdk.ContainerCPUThrottling", this::throttled);
        stream.on("jdk.ExceptionStatistics", this::thrown);
        stream.on("jdk.ActiveRecording", this::recorder);
    }

    private void compilation(RecordedEvent event) {
        long end = FlightClock.nanos(event.getEndTime());
        int level = (int) EventFields.number(event, "compileLevel");
        boolean succeeded = EventFields.flag(event, "succeded");
        RecordedMethod method = event.getValue("method");
        if (method != null && succeeded) {
            methods.compiled(method, end, level);
        }
        if (clock.holds(end)) {
            long duration = event.getDuration().toNanos();
            if (level == C2) {
                c2Work.compiled(method, succeeded && !EventFields.flag(event, "isOsr"), duration);
            }
            CompiledSecond row = compilations.computeIfAbsent(
                    new SecondAndLevel(clock.second(end), level), key -> new CompiledSecond());
            row.count++;
            row.failed += succeeded ? 0 : 1;
            row.sum += duration;
            if (duration > row.longest) {
                row.longest = duration;
                row.longestMethod = method == null ? "" : method.getType().getName() + "." + method.getName();
            }
        }
    }

    private void queue(RecordedEvent event) {
        long time = FlightClock.nanos(event.getEndTime());
        if (clock.holds(time)) {
            queues.add(new QueueUse(
                    clock.since(time),
                    EventFields.text(event, "compiler").toUpperCase(Locale.ROOT),
                    EventFields.number(event, "queueSize"),
                    EventFields.number(event, "peakQueueSize"),
                    EventFields.number(event, "addedCount"),
                    EventFields.number(event, "removedCount")));
        }
    }

    private void deoptimization(RecordedEvent event) {
        long time = FlightClock.nanos(event.getEndTime());
        if (clock.holds(time)) {
            DeoptimizedSecond key = new DeoptimizedSecond(
                    clock.second(time), EventFields.text(event, "reason"), EventFields.text(event, "action"));
            deoptimizations.merge(key, 1, Integer::sum);
        }
    }

    private void codeCache(RecordedEvent event, String what) {
        long time = FlightClock.nanos(event.getStartTime());
        if (!clock.holds(time)) {
            return;
        }
        if (codeCache.size() == EventFields.MOST_EVENTS) {
            leftOut++;
            return;
        }
        codeCache.add(new CodeCacheEvent(clock.since(time), what));
    }

    private static String segment(RecordedEvent event) {
        String segment = EventFields.text(event, "codeBlobType");
        return segment.isEmpty() ? "" : ": " + segment;
    }

    private void throttled(RecordedEvent event) {
        long time = FlightClock.nanos(event.getStartTime());
        if (clock.holds(time)) {
            throttling.put(
                    clock.second(time),
                    new CgroupSample(
                            clock.since(time),
                            EventFields.number(event, "cpuElapsedSlices"),
                            EventFields.number(event, "cpuThrottledSlices"),
                            EventFields.nanos(event, "cpuThrottledTime")));
        }
    }

    private void counted(RecordedEvent event) {
        long time = FlightClock.nanos(event.getStartTime());
        if (clock.holds(time)) {
            counters.put(
                    time,
                    new CompilerSample(
                            clock.since(time),
                            EventFields.number(event, "compileCount"),
                            EventFields.number(event, "osrCompileCount"),
                            EventFields.nanos(event, "totalTimeSpent"),
                            EventFields.number(event, "nmethodCodeSize"),
                            EventFields.number(event, "bailoutCount"),
                            EventFields.number(event, "invalidatedCount")));
        }
    }

    private void thrown(RecordedEvent event) {
        long time = FlightClock.nanos(event.getStartTime());
        if (clock.holds(time)) {
            throwables.put(time, new ThrowableCount(clock.since(time), EventFields.number(event, "throwables")));
        }
    }

    /** Returns the JIT's counters, as a JVM that was not watched recorded them itself. */
    List<CompilerSample> counters() {
        return List.copyOf(counters.values());
    }

    private void recorder(RecordedEvent event) {
        byAsyncProfiler |= EventFields.text(event, "name").startsWith("async-profiler");
    }

    /** Tells whether async-profiler made the recording: frames of C1 then have another name than those of C2. */
    boolean byAsyncProfiler() {
        return byAsyncProfiler;
    }

    long leftOut() {
        return leftOut + gc.leftOut();
    }

    FlightDigest digest(FlightSamples samples) {
        return new FlightDigest(
                new FlightDigest.FlightJit(
                        compilations.entrySet().stream()
                                .map(e -> e.getValue().of(e.getKey()))
                                .sorted(Comparator.comparingLong(FlightCompilations::timeNanos)
                                        .thenComparingInt(FlightCompilations::level))
                                .toList(),
                        queues.stream()
                                .sorted(Comparator.comparingLong(QueueUse::timeNanos)
                                        .thenComparing(QueueUse::compiler))
                                .toList(),
                        deoptimizations.entrySet().stream()
                                .map(e -> new FlightDeoptimizations(
                                        FlightClock.row(e.getKey().second()),
                                        e.getKey().reason(),
                                        e.getKey().action(),
                                        e.getValue()))
                                .sorted(Comparator.comparingLong(FlightDeoptimizations::timeNanos)
                                        .thenComparing(FlightDeoptimizations::reason)
                                        .thenComparing(FlightDeoptimizations::action))
                                .toList(),
                        codeCache.stream()
                                .sorted(Comparator.comparingLong(CodeCacheEvent::timeNanos))
                                .toList(),
                        c2Work.rows()),
                new FlightDigest.FlightCollector(gc.pauses(), gc.heap()),
                new FlightDigest.FlightSamples(
                        samples.shares(), samples.hot(), samples.families(), List.copyOf(throwables.values())),
                List.copyOf(throttling.values()));
    }
}
