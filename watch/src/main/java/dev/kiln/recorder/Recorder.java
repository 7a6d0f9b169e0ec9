package dev.kiln.recorder;

import dev.kiln.evidence.EvidenceSink;
import dev.kiln.evidence.RunWriter;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.recorder.Recording.DumpTimes;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Recorder records a target, and the rest of the lab if there is one, into evidence. A thread of its own reads the
 * JIT compilers up to ten times a second, and everything else once a second. The death of the target is no error: there
 * is nothing more to record of it.
 */
public final class Recorder implements Recording {
    private static final long SECOND = 1_000_000_000;
    private static final int REHEARSALS = 100;

    private final RecorderContext context;
    private final RecorderTarget target;
    private final Optional<RecorderDumps> dumps;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private long cpuNanos;
    private Optional<KilnException> failure = Optional.empty();
    private Optional<RuntimeException> bug = Optional.empty();

    private Recorder(ProcFs fs, RecorderSpec spec, EvidenceSink writer) {
        this.context = new RecorderContext(fs, spec, writer);
        this.target = new RecorderTarget(context);
        this.dumps = spec.dumping().wanted()
                ? Optional.of(new RecorderDumps(context, () -> target.jit().flatMap(RecorderJit::refusal)))
                : Optional.empty();
        this.thread = Thread.ofPlatform().daemon().name("kiln-recorder").unstarted(this::record);
    }

    /** Starts at once. The caller closes the writer after {@link #stop}. */
    public static Recorder start(RecorderSpec spec, EvidenceSink writer) {
        return start(ProcFs.ofThisMachine(), spec, writer);
    }

    /** Starts the same below another root. */
    public static Recorder start(ProcFs fs, RecorderSpec spec, EvidenceSink writer) {
        Recorder recorder = new Recorder(fs, spec, writer);
        recorder.thread.start();
        recorder.target.jit().ifPresent(RecorderJit::start);
        return recorder;
    }

    /** Records Kiln into an empty scratch directory a few times, so that its code is compiled before runs. */
    public static void rehearse(Path scratch) {
        RecorderSpec self = new RecorderSpec(ProcessHandle.current().pid(), System.nanoTime(), Map.of(), false);
        try (RunWriter writer = new RunWriter(scratch)) {
            Recorder recorder = new Recorder(ProcFs.ofThisMachine(), self, writer);
            try {
                for (int i = 0; i < REHEARSALS; i++) {
                    recorder.target.sample(true, false);
                }
            } finally {
                recorder.target.close();
            }
        }
    }

    @Override
    public Optional<JvmInfo> jvm() {
        return target.jvm();
    }

    @Override
    public Optional<CompilerLoad> c2LastSecond() {
        return target.c2LastSecond();
    }

    @Override
    public void dumpThreads(DumpTimes times) {
        dumps.ifPresent(some -> some.plan(times));
    }

    /** Tells whether the target has died. It is known only if no lab is recorded with it. */
    public boolean targetHasEnded() {
        return target.hasEnded();
    }

    /** Tells whether the recorder runs. If it has failed, {@link #stop} tells why. */
    public boolean isRecording() {
        return thread.isAlive();
    }

    /** Says what could not be recorded so far. */
    public List<NotRecorded> notRecorded() {
        return context.gaps();
    }

    @Override
    public Recording.RecordingResult stop() {
        close();
        // A full disk is no bug, and the recorder reports it itself.
        Optional<RuntimeException> unexpected = bug.or(
                () -> Stream.of(target.jit().flatMap(RecorderJit::failure), dumps.flatMap(RecorderDumps::failure))
                        .flatMap(Optional::stream)
                        .filter(e -> !(e instanceof KilnException))
                        .findFirst());
        if (unexpected.isPresent()) {
            throw unexpected.get();
        }
        return new Recording.RecordingResult(
                context.gaps(),
                Stream.concat(target.notes().stream(), context.notes().stream()).toList(),
                jvm(),
                cpuNanos,
                failure);
    }

    @Override
    public void close() {
        stop.countDown();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        // After the thread, which may start another one.
        target.jit().ifPresent(RecorderJit::close);
        dumps.ifPresent(RecorderDumps::close);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void record() {
        try {
            loop();
        } catch (KilnException e) {
            failure = Optional.of(e);
        } catch (RuntimeException e) {
            bug = Optional.of(e);
        } catch (Error e) {
            // Such as no memory left. Without a word the run would count as complete, with cut evidence.
            bug = Optional.of(new IllegalStateException("the recorder failed: " + e, e));
        } finally {
            writeHeld();
            target.close();
            cpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }
    }

    /** Writes what is held, also where the loop failed: what was seen is evidence. */
    private void writeHeld() {
        try {
            context.keep();
        } catch (RuntimeException e) {
            failure = failure.or(() -> e instanceof KilnException full ? Optional.of(full) : Optional.empty());
            bug = bug.or(() -> failure.isPresent() ? Optional.empty() : Optional.of(e));
        }
    }

    private void loop() {
        long begin = System.nanoTime();
        long tick = 0;
        long ticks = context.pace().looksASecond();
        long tickNanos = SECOND / ticks;
        boolean stopping = false;
        while (!stopping) {
            stopping = awaitStop(begin + tick * tickNanos);
            target.sample(tick % ticks == 0 || stopping, stopping);
            // Missed ticks are not made up for: counters lose nothing.
            long due = (System.nanoTime() - begin) / tickNanos + 1;
            boolean secondMissed = due / ticks > tick / ticks && due % ticks != 0;
            tick = secondMissed ? due / ticks * ticks : due;
        }
        context.keep();
        target.end();
        context.writer().flush();
    }

    private boolean awaitStop(long dueNanos) {
        try {
            return stop.await(Math.max(0, dueNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Override
    public String toString() {
        return "recorder of pid " + context.pid();
    }
}
