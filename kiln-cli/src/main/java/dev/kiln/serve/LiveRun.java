package dev.kiln.serve;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.RunReader.RunTail;
import dev.kiln.explain.Forecaster;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.report.JsonOut;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import dev.kiln.stats.series.TimeToPeak;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** A LiveRun is one run while it is recorded, as events of a second each. Their times are seconds since launch. */
final class LiveRun {
    private static final double SECOND = 1e9;

    /** The least part of a second that counts as one: the rest of a phase that ended within a second is left out. */
    private static final double WHOLE = 0.95;

    private static final int ESTIMATE_EVERY = 5;
    private static final int LEAST_MEASURED = 6;

    /** C2 counts as done after so many quiet seconds while more work may come. */
    private static final int QUIET_SECONDS = 10;

    private final RunTail tail;
    private final Protocol protocol;
    private final boolean launched;
    private final BiConsumer<String, Consumer<JsonOut>> event;

    /** The bins of each phase up to the last second that was told, in the order of the phases. */
    private final Map<String, List<LoadBin>> loads = new LinkedHashMap<>();

    private int told;

    private final List<LoadBin> second = new ArrayList<>();
    private final Map<String, Long> begins = new HashMap<>();
    private final Map<Integer, ThreadSample> threads = new HashMap<>();
    private final List<CompilerSecond> compiled = new ArrayList<>();
    private Optional<CompilerSecond> compilers = Optional.empty();
    /** The CPU use of each C2 thread in the current second, by thread id. */
    private final Map<Integer, CpuUse> c2Threads = new HashMap<>();

    /** A CompilerSecond is what the compilers used and waited in one second, in CPU seconds. */
    private record CompilerSecond(long second, double c2Cpu, double c2Wait, double c1Cpu) {}

    /**
     * Begins before the first event.
     *
     * @param launched whether its target was launched for it: one that ran before has no time to its peak
     * @param event takes the name of an event, and what writes its fields
     */
    LiveRun(Path run, Protocol protocol, boolean launched, BiConsumer<String, Consumer<JsonOut>> event) {
        tail = new RunTail(run);
        this.protocol = protocol;
        this.launched = launched;
        this.event = event;
    }

    /** Writes what the runs of an experiment do, as this one says it. */
    static void plan(RunInfo info, JsonOut out) {
        out.text("experiment", info.which().experiment());
        out.texts("variants", info.which().variants());
        out.integer("runs", info.plan().runs().atLeast());
        out.objects("phases", info.protocol().phases(), phase -> {
            out.text("name", phase.name());
            out.flag("load", phase instanceof Phase.Load);
            out.number("seconds", phase.duration().toMillis() / 1e3, 1);
        });
        out.flag("untilFound", info.protocol().reference().isPresent());
    }

    /** Adds events for what was appended to the evidence; returns whether there was anything. */
    boolean look() {
        RunTail.Added added = tail.look();
        added.compilers().forEach(this::compiler);
        added.load().forEach(this::load);
        added.latency().forEach(this::latency);
        added.jit().forEach(this::jit);
        return !added.isEmpty();
    }

    /** Adds the last second, which no later one ends, and the estimate of the whole run. */
    void end() {
        if (!second.isEmpty()) {
            tell(
                    second.getFirst().phase(),
                    second.getFirst().startNanos(),
                    second.getLast().endNanos());
            second.clear();
        }
        if (!loads.isEmpty()) {
            estimate();
        }
    }

    private void load(LoadBin bin) {
        if (!second.isEmpty()) {
            LoadBin first = second.getFirst();
            boolean same = first.phase().equals(bin.phase())
                    && secondOf(first.phase(), first.startNanos()) == secondOf(bin.phase(), bin.startNanos());
            if (!same) {
                tell(first.phase(), first.startNanos(), second.getLast().endNanos());
                second.clear();
            }
        }
        second.add(bin);
    }

    private long secondOf(String phase, long nanos) {
        long begin = begins.computeIfAbsent(phase, p -> nanos);
        return Math.round(Math.floor((nanos - begin) / SECOND));
    }

    private void tell(String phase, long from, long to) {
        double took = (to - from) / SECOND;
        long completed = second.stream().mapToLong(LoadBin::completed).sum();
        long errors = second.stream().mapToLong(bin -> bin.errors().total()).sum();
        loads.computeIfAbsent(phase, p -> new ArrayList<>()).addAll(second);
        if (took < WHOLE) {
            return;
        }
        event.accept("second", out -> {
            out.number("s", from / SECOND, 3);
            out.text("phase", phase);
            out.number("rate", completed / took, 1);
            out.integer("errors", errors);
        });
        told++;
        if (told % ESTIMATE_EVERY == 0) {
            estimate();
        }
    }

    /** Adds an estimate of the time to the peak, as the report of the finished run has it. */
    private void estimate() {
        AnalysisConfig config = AnalysisConfig.defaults();
        List<LoadSeries> phases = loads.entrySet().stream()
                .map(phase -> LoadSeries.of(phase.getKey(), phase.getValue()))
                .toList();
        List<LoadSeries> before = phases.subList(0, phases.size() - measuring(phases));
        double[] warmup = LoadSeries.concatenated(before);
        if (warmup.length == 0) {
            return;
        }
        List<double[]> after = phases.stream()
                .skip(before.size())
                .map(LoadSeries::completed)
                .filter(load -> load.length >= LEAST_MEASURED)
                .toList();
        boolean measured = !after.isEmpty();
        SeriesAnalysis series = SeriesAnalyser.analyse(
                warmup, measured ? MeasuredLoad.atPeak(after, config) : MeasuredLoad.NONE, Optional.empty(), config);
        Optional<TimeToPeak> time = (measured ? series.times() : series.ownTimes())
                .stream().filter(one -> one.percent() == TimeToPeak.HEADLINE).findFirst();
        List<Forecaster.Second> seconds = firstLoad(phases.getFirst());
        Optional<String> forecast = phases.size() == 1 ? forecast(seconds) : Optional.empty();
        // Of a program without C2 there is nothing to clear.
        OptionalInt cleared = compiled.stream().allMatch(one -> one.c2Cpu == 0)
                ? OptionalInt.empty()
                : Forecaster.cleared(seconds, QUIET_SECONDS);
        event.accept("estimate", out -> {
            time.filter(known -> launched).ifPresent(t90 -> {
                out.number("t90", t90.seconds(), 2);
                out.number("lo", t90.lo(), 2);
                out.number("hi", t90.hi(), 2);
                out.text("words", t90.words(series.seconds()));
                out.flag("againstPeak", measured);
            });
            forecast.ifPresent(text -> out.text("forecast", text));
            cleared.ifPresent(second -> out.integer("cleared", second));
        });
    }

    /** Returns how many of the last phases measure the peak, by the protocol and by what has begun. */
    private int measuring(List<LoadSeries> phases) {
        if (protocol.reference().isPresent()) {
            return (int) phases.stream()
                    .filter(load -> FoundReference.isRound(load.phase()))
                    .count();
        }
        return phases.size() > 1 && phases.size() == protocol.loads().size() ? 1 : 0;
    }

    /** Returns what C2 did in each second of the first load, even if several seconds were read at once. */
    private List<Forecaster.Second> firstLoad(LoadSeries load) {
        double from = load.startNanos() / SECOND;
        double to = load.endNanos() / SECOND;
        return compiled.stream()
                .filter(one -> one.second >= from && one.second < to)
                .map(one -> new Forecaster.Second(one.c2Cpu, one.c2Wait))
                .toList();
    }

    /** Returns a forecast in a few words; empty unless C2 is starved of CPU. */
    private static Optional<String> forecast(List<Forecaster.Second> seconds) {
        Forecaster forecaster = new Forecaster();
        seconds.forEach(second -> forecaster.second(second.c2Cpu(), second.c2Wait()));
        return forecaster.starved()
                ? forecaster.forecast().filter(Forecast::tells).map(Forecast::brief)
                : Optional.empty();
    }

    private void latency(LatencyLog.Entry entry) {
        Histogram all = entry.latencies();
        if (all.getTotalCount() == 0) {
            return;
        }
        event.accept("latency", out -> {
            out.number("s", entry.startNanos() / SECOND, 3);
            out.number("p50", all.getValueAtPercentile(50) / 1e6, 3);
            out.number("p99", all.getValueAtPercentile(99) / 1e6, 3);
        });
    }

    private void compiler(ThreadSample sample) {
        ThreadSample before = threads.put(sample.tid(), sample);
        long now = (long) (sample.timeNanos() / SECOND);
        if (compilers.filter(one -> one.second < now).isPresent()) {
            CompilerSecond over = compilers.get();
            compiled.add(over);
            event.accept("compilers", out -> {
                out.integer("s", over.second);
                out.number("cpu", 100 * over.c2Cpu, 1);
                out.number("wait", 100 * shownWait(), 1);
                out.number("c1", 100 * over.c1Cpu, 1);
            });
            compilers = Optional.empty();
            c2Threads.clear();
        }
        CompilerSecond sum = compilers.orElse(new CompilerSecond(now, 0, 0, 0));
        double cpu = before == null ? 0 : (sample.cpuNanos() - before.cpuNanos()) / SECOND;
        double wait = before == null ? 0 : (sample.waitNanos() - before.waitNanos()) / SECOND;
        boolean c2 = sample.role() == ThreadRole.C2;
        if (c2) {
            c2Threads.merge(
                    sample.tid(),
                    new CpuUse(cpu, wait),
                    (a, b) -> new CpuUse(a.cpu() + b.cpu(), a.waiting() + b.waiting()));
        }
        compilers = Optional.of(new CompilerSecond(
                sum.second, sum.c2Cpu + (c2 ? cpu : 0), sum.c2Wait + (c2 ? wait : 0), sum.c1Cpu + (c2 ? 0 : cpu)));
    }

    /**
     * Returns the wait of C2's threads, as it is shown: the kernel counts a wait only when it ends, so a thread's wait
     * is limited to the part of the second in which it did not run.
     */
    private double shownWait() {
        return c2Threads.values().stream()
                .mapToDouble(use -> Math.clamp(use.waiting(), 0, Math.max(0, 1 - use.cpu())))
                .sum();
    }

    private void jit(JitSample sample) {
        event.accept("jit", out -> {
            out.number("s", sample.timeNanos() / SECOND, 1);
            sample.c1Queue().ifPresent(queue -> out.integer("q1", queue));
            sample.c2Queue().ifPresent(queue -> out.integer("q2", queue));
            sample.levels()
                    .ifPresent(levels -> out.array("levels", () -> {
                        out.number(levels.level1(), 0);
                        out.number(levels.level2(), 0);
                        out.number(levels.level3(), 0);
                        out.number(levels.level4(), 0);
                    }));
        });
    }
}
