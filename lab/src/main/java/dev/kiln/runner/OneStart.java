package dev.kiln.runner;

import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Ports;
import dev.kiln.host.process.ProcessTree;
import dev.kiln.jvm.StartupLog;
import dev.kiln.launch.LaunchedTarget;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.StartupSpec;
import dev.kiln.model.experiment.StartupSpec.LogNumber;
import dev.kiln.model.experiment.StartupSpec.PlannedStart;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Course.StartPhase;
import dev.kiln.model.run.StartupEvidence.StartSample;
import dev.kiln.runner.StartWait.LoggedNumber;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A OneStart is the start of one process: its launch, the moment at which it is ready, its end.
 *
 * @param launchNanos time to launch a program that does nothing; it is not part of a start
 */
record OneStart(
        StartupSides sides, StartupSpec spec, Path directory, Path log, long launchNanos, Cancellation cancellation) {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    /** No start is shorter than this: a program that does next to nothing must not seem to take no time at all. */
    private static final long LEAST_NANOS = 100_000;

    /** A StartResult is a sample, with the unit of its value. */
    record StartResult(StartSample sample, String unit) {}

    /**
     * An Over is all that is known when the start is over, before the process is stopped: the value that is compared
     * with its unit, the time since the launch in ns, and the memory and CPU time so far.
     */
    private record Over(double value, String unit, long readyNanos, OptionalLong rss, OptionalLong cpu) {}

    StartResult run(PlannedStart planned) {
        int port = Ports.free();
        Placeholders values = sides.values(port, directory);
        spec.end().readiness().ifPresent(readiness -> ReadinessProbe.requireFree(readiness, values));
        OptionalLong before = ChildUsage.cpuNanos();
        LaunchedTarget launched = sides.launch(planned.side(), values, log);
        PinnedProcess process = launched.process();
        Over over;
        try {
            over = untilOver(process, values, port, before);
            sides.unlike(planned.side(), process, log).ifPresent(why -> {
                throw new RunFailure(Outcome.TARGET_FAILED, why, log);
            });
        } finally {
            launched.stop(STOP_LIMIT);
        }
        // After the process has ended: some of it is logged only then.
        List<StartPhase> phases =
                StartupLog.read(log, process.command(), sides.directory(planned.side()), process.launchEpochMillis());
        StartSample sample = new StartSample(
                planned.pair(), planned.side(), over.value(), over.readyNanos(), over.rss(), over.cpu(), phases);
        return new StartResult(sample, over.unit());
    }

    private Over untilOver(PinnedProcess process, Placeholders values, int port, OptionalLong before) {
        StartWait wait = new StartWait(process, log, spec.end().timeout(), cancellation);
        long moment = spec.end().readiness().isPresent()
                ? wait.ready(spec.end().readiness().get(), values, port)
                : wait.exit(spec.end().ignoreFailure());
        OptionalLong rss = OptionalLong.empty();
        OptionalLong cpu = OptionalLong.empty();
        if (spec.end().readiness().isPresent()) {
            ProcessTree.TreeUsage usage = process.usage();
            rss = usage.rssBytes() == 0 ? rss : OptionalLong.of(usage.rssBytes());
            cpu = usage.cpuNanos() == 0 ? cpu : OptionalLong.of(usage.cpuNanos());
        } else {
            OptionalLong after = ChildUsage.cpuNanos();
            cpu = before.isPresent() && after.isPresent()
                    ? OptionalLong.of(after.getAsLong() - before.getAsLong())
                    : cpu;
        }
        long readyNanos = moment - process.launchNanos();
        Optional<LoggedNumber.LoggedValue> number = spec.end().number().map(n -> number(wait, n));
        return new Over(
                number.map(LoggedNumber.LoggedValue::value)
                        .orElse(Math.max(LEAST_NANOS, readyNanos - launchNanos) / 1e6),
                number.map(LoggedNumber.LoggedValue::unit).orElse("ms"),
                readyNanos,
                rss,
                cpu);
    }

    private static LoggedNumber.LoggedValue number(StartWait wait, LogNumber number) {
        return wait.number(new LoggedNumber(number), number.regex());
    }

    /**
     * ChildUsage reads the CPU time of all children that have ended and were waited for: getrusage(2). {@code /proc}
     * has the same in steps of 10 ms, which is a quarter of the start of a small JVM.
     */
    public static final class ChildUsage {
        private static final int RUSAGE_CHILDREN = -1;

        /** The size is that of {@code struct rusage} of 64-bit Linux: two timevals and 14 numbers. */
        private static final long RUSAGE_BYTES = (2 * 2 + 14) * 8;

        private ChildUsage() {}

        /** Returns user and system time so far, for differences; empty where the C library cannot be called. */
        @SuppressWarnings("restricted")
        public static OptionalLong cpuNanos() {
            Linker linker = Linker.nativeLinker();
            MethodHandle getrusage = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("getrusage"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment usage = arena.allocate(RUSAGE_BYTES, Long.BYTES);
                int failed = (int) getrusage.invokeExact(RUSAGE_CHILDREN, usage);
                return failed == 0 ? OptionalLong.of(nanos(usage, 0) + nanos(usage, 2)) : OptionalLong.empty();
            } catch (Throwable e) {
                // A method handle declares that it may throw anything; this one calls C.
                return OptionalLong.empty();
            }
        }

        private static long nanos(MemorySegment usage, int index) {
            return usage.getAtIndex(ValueLayout.JAVA_LONG, index) * 1_000_000_000
                    + usage.getAtIndex(ValueLayout.JAVA_LONG, index + 1) * 1_000;
        }
    }
}
