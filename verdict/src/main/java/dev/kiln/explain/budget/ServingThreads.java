package dev.kiln.explain.budget;

import dev.kiln.explain.window.Counter;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * ServingThreads are the threads that work for requests: those whose CPU time comes with the load. The compilers, the
 * collector and the JVM's other threads never do; of the others, a thread that uses as much CPU while nothing is sent does
 * not either. Carriers of virtual threads do, whoever runs on them meanwhile: requests run nowhere else.
 */
final class ServingThreads {
    /** A thread works in the background if its CPU rate without load is at least this share of the one under load. */
    private static final double BACKGROUND = 0.5;

    /** A stretch without load tells from this length on: threads are sampled once a second. */
    private static final long QUIET_NANOS = 3_000_000_000L;

    /** What runs on after the last response, such as a batch of log lines, is over after this time. */
    private static final long SETTLE_NANOS = 1_000_000_000L;

    /** What works in the background may hide the work of requests from this much of a CPU on. A choice. */
    private static final double MUCH = 0.5;

    /** Threads that serve and run for less than this share of that hardly do. A choice. */
    private static final double HARDLY = 0.1;

    private final ThreadTimes threads;
    private final Map<Integer, Boolean> background;
    private final Predicate<String> carries;

    /** The compilers' work, where none of the JVM's threads is told from those that serve; empty where each has its name. */
    private final Optional<Counter> compiled;

    private ServingThreads(
            ThreadTimes threads,
            Map<Integer, Boolean> background,
            Predicate<String> carries,
            Optional<Counter> compiled) {
        this.threads = threads;
        this.background = background;
        this.carries = carries;
        this.compiled = compiled;
    }

    static ServingThreads of(RunEvidence evidence, ThreadTimes threads) {
        List<Window> loaded = new ArrayList<>();
        List<Window> quiet = new ArrayList<>();
        for (PhaseTime phase : evidence.info().phases()) {
            OptionalLong end = phase.endNanos();
            if (end.isPresent() && phase.load()) {
                loaded.add(new Window(phase.startNanos(), end.getAsLong()));
            } else if (end.isPresent() && end.getAsLong() - phase.startNanos() >= QUIET_NANOS + SETTLE_NANOS) {
                quiet.add(new Window(phase.startNanos() + SETTLE_NANOS, end.getAsLong()));
            }
        }
        Map<Integer, Boolean> background = new HashMap<>();
        if (!quiet.isEmpty() && !loaded.isEmpty()) {
            Map<Integer, Double> under = rates(threads, loaded);
            rates(threads, quiet)
                    .forEach((tid, rate) ->
                            background.put(tid, rate > 0 && rate >= BACKGROUND * under.getOrDefault(tid, 0.0)));
        }
        boolean virtual = evidence.hasVirtual();
        return new ServingThreads(
                threads,
                background,
                name -> virtual && evidence.info().machine().mayCarry(name),
                evidence.hasUnnamedThreads()
                        ? Optional.of(Counter.of(
                                evidence.compiler(), CompilerSample::timeNanos, CompilerSample::compileNanos))
                        : Optional.empty());
    }

    private static Map<Integer, Double> rates(ThreadTimes threads, List<Window> windows) {
        Map<Integer, Double> cpu = new HashMap<>();
        double seconds = windows.stream().mapToDouble(Window::seconds).sum();
        for (Window window : windows) {
            for (ThreadTimes.Use use : threads.between(window.fromNanos(), window.toNanos())) {
                cpu.merge(use.last().tid(), use.cpuNanos() / 1e9 / seconds, Double::sum);
            }
        }
        return cpu;
    }

    private boolean serves(ThreadSample last) {
        return !last.role().isOfJvm() && !isInBackground(last);
    }

    private boolean isInBackground(ThreadSample last) {
        return background.getOrDefault(last.tid(), false) && !carries.test(last.name());
    }

    /**
     * Tells whether it is known what requests ran. It is not where no thread was recorded but the JVM's own, which run no request.
     * Threads that are as busy in the pause may have requests that never end, or spin for others: where these ran, and hardly any
     * other, what of it was for requests is not known. Nor is it where the JVM's threads have no names of their own, and its
     * compilers and collector worked.
     *
     * @param use of the threads that serve
     * @param collected share of the time in collections, of which each stops all CPUs that the service uses
     */
    boolean areKnown(CpuUse use, Window window, double collected) {
        if (threads.between(window.fromNanos(), window.toNanos()).stream()
                .allMatch(thread -> thread.last().role().isOfJvm())) {
            return false;
        }
        if (compiled.isPresent()
                && compiled.get().rateWhereKnown(window).orElse(1) + collected * Math.max(1, use.cpu())
                        >= AnalysisConfig.DELTA * use.cpu()) {
            return false;
        }
        double others = threads.evenly(last -> !last.role().isOfJvm() && isInBackground(last), window)
                .cpu();
        return others < MUCH || use.cpu() >= HARDLY * others;
    }

    /** Returns the CPU and the wait of the threads that serve, per second of the window. */
    CpuUse use(Window window) {
        return threads.evenly(this::serves, window);
    }

    /** Returns how many of them were in an uninterruptible sleep at a time, on average; empty where that was not recorded. */
    OptionalDouble uninterruptible(Window window) {
        return threads.in(ThreadState.UNINTERRUPTIBLE, this::serves, window);
    }
}
