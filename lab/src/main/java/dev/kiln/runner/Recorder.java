package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.ProcFs;
import dev.kiln.model.KilnException;
import dev.kiln.model.RunInfo.JvmInfo;
import dev.kiln.model.RunInfo.NotRecorded;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Records a target and the rest of the lab into the evidence of a run, on a thread of its own: JIT compilers ten times a
 * second, everything else once a second. The death of the target is no error; there is just no more to record of it.
 */
public final class Recorder implements AutoCloseable {
    static final long TICK_NANOS = 100_000_000;
    private static final int TICKS_A_SECOND = 10;
    private static final int REHEARSALS = 100;

    private final RecorderSpec spec;
    private final RunWriter writer;
    private final RecorderGaps gaps = new RecorderGaps();
    private final RecorderThreads threads;
    private final RecorderJvm jvm;
    private final RecorderHost host;
    private final Optional<RecorderJit> jit;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private long cpuNanos;
    private long samples;
    private long longestPauseNanos;
    private Optional<KilnException> failure = Optional.empty();
    private Optional<RuntimeException> bug = Optional.empty();

    private Recorder(RecorderSpec spec, RunWriter writer) {
        this.spec = spec;
        this.writer = writer;
        ProcFs fs = ProcFs.ofThisMachine();
        this.threads = new RecorderThreads(fs, spec, writer, gaps);
        this.jvm = new RecorderJvm(fs, spec, writer, gaps);
        this.host = new RecorderHost(fs, spec, writer, gaps);
        this.jit = spec.jitQueries() ? Optional.of(new RecorderJit(fs, spec, writer, gaps)) : Optional.empty();
        this.thread = Thread.ofPlatform().daemon().name("kiln-recorder").unstarted(this::record);
    }

    /** Begins at once. The writer stays the caller's, to be closed after {@link #stop}. */
    public static Recorder start(RecorderSpec spec, RunWriter writer) {
        Recorder recorder = new Recorder(spec, writer);
        recorder.thread.start();
        recorder.jit.ifPresent(RecorderJit::start);
        return recorder;
    }

    /**
     * Looks at Kiln itself some times, so that the first run is recorded by code that is no longer loaded, interpreted and
     * compiled beside it.
     *
     * @param scratch empty directory; the caller deletes it
     */
    public static void rehearse(Path scratch) {
        RecorderSpec self = new RecorderSpec(ProcessHandle.current().pid(), System.nanoTime(), Map.of());
        try (RunWriter writer = new RunWriter(scratch)) {
            Recorder recorder = new Recorder(self, writer);
            try (recorder.threads;
                    recorder.host) {
                for (int i = 0; i < REHEARSALS; i++) {
                    recorder.sample(true);
                }
            }
        }
    }

    /** What the target's JVM said of itself so far. */
    public Optional<JvmInfo> jvm() {
        return jvm.info();
    }

    /** For a live display: what the C2 threads did in the last second or so; empty where there are none. */
    public Optional<CompilerLoad> c2LastSecond() {
        return threads.c2LastSecond();
    }

    /** What could not be recorded so far. */
    public List<NotRecorded> notRecorded() {
        return gaps.list();
    }

    /** Records once more and ends; calling it again changes nothing. */
    public RecorderResult stop() {
        close();
        // A disk that is full, the recorder itself tells of.
        Optional<RuntimeException> unexpected =
                bug.or(() -> jit.flatMap(RecorderJit::failure).filter(e -> !(e instanceof KilnException)));
        if (unexpected.isPresent()) {
            throw unexpected.get();
        }
        return new RecorderResult(gaps.list(), jvm.info(), cpuNanos, samples, longestPauseNanos, failure);
    }

    /** Ends as {@link #stop} does, but says nothing of how it went. */
    @Override
    public void close() {
        stop.countDown();
        jit.ifPresent(RecorderJit::close);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void record() {
        try (threads;
                host) {
            loop();
        } catch (KilnException e) {
            failure = Optional.of(e);
        } catch (RuntimeException e) {
            bug = Optional.of(e);
        } finally {
            cpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }
    }

    private void loop() {
        long begin = System.nanoTime();
        long last = begin;
        long tick = 0;
        boolean stopping = false;
        while (!stopping) {
            stopping = awaitStop(begin + tick * TICK_NANOS);
            long now = System.nanoTime();
            longestPauseNanos = Math.max(longestPauseNanos, now - last);
            last = now;
            sample(tick % TICKS_A_SECOND == 0 || stopping);
            samples++;
            // Ticks that were missed are not made up for: counters lose nothing by it.
            long due = (System.nanoTime() - begin) / TICK_NANOS + 1;
            boolean secondMissed = due / TICKS_A_SECOND > tick / TICKS_A_SECOND && due % TICKS_A_SECOND != 0;
            tick = secondMissed ? due / TICKS_A_SECOND * TICKS_A_SECOND : due;
        }
        jvm.end();
        writer.flush();
    }

    private void sample(boolean everything) {
        threads.sample(everything);
        jvm.sample();
        if (everything) {
            host.sample(jvm.pauses());
            writer.flush();
        }
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
        return "recorder of pid " + spec.targetPid();
    }
}
