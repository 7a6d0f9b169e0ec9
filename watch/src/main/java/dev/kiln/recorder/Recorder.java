package dev.kiln.recorder;

import dev.kiln.evidence.EvidenceSink;
import dev.kiln.evidence.RunWriter;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.jvm.Serving;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.recorder.Recording.DumpTimes;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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

    /** Longest time for which what may not be the process that serves is kept in memory. */
    private static final long LONGEST_HELD_NANOS = 60 * SECOND;

    /** A process that has just begun to listen may not be among those of the target yet. */
    private static final int STRANGERS = 3;

    private static final String UNSEEN = "CPU, threads, JIT and memory of what serves";

    private final RecorderContext context;
    private final WatchedProcess target;
    private final RecorderHost host;
    // Those of one process: others take their place if the JVM turns out to be another.
    private volatile RecorderThreads threads;
    private volatile RecorderJvm jvm;
    private volatile Optional<RecorderJit> jit;
    private final Optional<RecorderDumps> dumps;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private final Serving serving;
    private boolean served;
    private int strangers;
    private long cpuNanos;
    private Optional<KilnException> failure = Optional.empty();
    private Optional<RuntimeException> bug = Optional.empty();

    private Recorder(ProcFs fs, RecorderSpec spec, EvidenceSink writer) {
        this.context = new RecorderContext(fs, spec, writer);
        this.target = new WatchedProcess(context.fs(), spec.targetPid());
        this.threads = new RecorderThreads(context);
        this.jvm = new RecorderJvm(context);
        this.host = new RecorderHost(context);
        this.serving = new Serving(fs, spec.targetPid(), spec.ports());
        this.jit = spec.jitQueries() ? Optional.of(new RecorderJit(context)) : Optional.empty();
        this.dumps = spec.dumping().wanted()
                ? Optional.of(new RecorderDumps(context, () -> jit.flatMap(RecorderJit::refusal)))
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
        recorder.jit.ifPresent(RecorderJit::start);
        return recorder;
    }

    /** Records Kiln into an empty scratch directory a few times, so that its code is compiled before runs. */
    public static void rehearse(Path scratch) {
        RecorderSpec self = new RecorderSpec(ProcessHandle.current().pid(), System.nanoTime(), Map.of(), false);
        try (RunWriter writer = new RunWriter(scratch)) {
            Recorder recorder = new Recorder(ProcFs.ofThisMachine(), self, writer);
            try {
                for (int i = 0; i < REHEARSALS; i++) {
                    recorder.sample(true, false);
                }
            } finally {
                recorder.closeFiles();
            }
        }
    }

    @Override
    public Optional<JvmInfo> jvm() {
        return jvm.info()
                .filter(info -> !context.drops())
                .map(info -> info.running(jit.map(RecorderJit::flags).orElse(List.of())));
    }

    @Override
    public Optional<CompilerLoad> c2LastSecond() {
        return threads.c2LastSecond()
                .filter(load -> !context.drops())
                .map(load -> load.withQueue(jit.map(RecorderJit::c2Queue).orElse(OptionalInt.empty())));
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
        Optional<RuntimeException> unexpected =
                bug.or(() -> Stream.of(jit.flatMap(RecorderJit::failure), dumps.flatMap(RecorderDumps::failure))
                        .flatMap(Optional::stream)
                        .filter(e -> !(e instanceof KilnException))
                        .findFirst());
        if (unexpected.isPresent()) {
            throw unexpected.get();
        }
        return new Recording.RecordingResult(
                context.gaps(),
                Stream.concat(host.notes().stream(), context.notes().stream()).toList(),
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
        jit.ifPresent(RecorderJit::close);
        dumps.ifPresent(RecorderDumps::close);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeFiles() {
        threads.close();
        host.close();
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
            closeFiles();
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
            sample(tick % ticks == 0 || stopping, stopping);
            // Missed ticks are not made up for: counters lose nothing.
            long due = (System.nanoTime() - begin) / tickNanos + 1;
            boolean secondMissed = due / ticks > tick / ticks && due % ticks != 0;
            tick = secondMissed ? due / ticks * ticks : due;
        }
        context.keep();
        several();
        if (!context.drops()) {
            jvm.end();
        }
        context.writer().flush();
    }

    private void sample(boolean everything, boolean last) {
        if (!context.pace().lab()) {
            Optional<ProcStat> alive = target.read();
            if (alive.isEmpty()) {
                return;
            }
            // After the threads, so that their waits are counted up to this moment.
            threads.sample(everything);
            context.append(new PartSample(
                    context.now(),
                    RecorderSpec.TARGET,
                    alive.get().cpu().ownNanos(),
                    threads.waitNanos(),
                    Optional.empty()));
        } else {
            if (everything) {
                follow();
            }
            threads.sample(everything);
        }
        jvm.sample();
        if (everything) {
            jvm.sampleSlowly();
            host.sample(jvm.pauses(), last);
            context.writer().flush();
        }
    }

    /** Finds the process that serves: a launched script, or JVM, may start it or be replaced by it. */
    private void follow() {
        switch (serving.look()) {
            case Serving.Serves serves -> {
                served(serves.pid());
                context.keep();
            }
            case Serving.Guess guess -> {
                if (!served) {
                    record(guess.pid(), "another process took over: process ");
                }
            }
            case Serving.Stranger stranger -> {
                if (!served && ++strangers == STRANGERS) {
                    unseen();
                }
            }
            case Serving.Nobody nobody -> {}
        }
        if (context.now() > LONGEST_HELD_NANOS) {
            context.keep();
        }
    }

    private void served(long pid) {
        boolean replaced = served;
        served = true;
        host.served();
        // First: of one that was dropped nothing is added up.
        boolean dropped = context.drops();
        record(
                pid,
                replaced
                        ? "the process that serves was replaced: process "
                        : "the process that serves came late: process ");
        if (dropped) {
            takeUp(pid);
        }
    }

    /** Records this process in detail from now on; why is for readers, where another one was written. */
    private void record(long pid, String why) {
        if (pid == context.pid()) {
            return;
        }
        // Without ports the process is followed from the first second on, from a script to its JVM.
        if (context.keeps() && !context.spec().ports().isEmpty()) {
            context.note(String.format(
                    Locale.ROOT,
                    "%s%d after %d, seen %.0f s after the launch; counters of both are added up",
                    why,
                    pid,
                    context.pid(),
                    context.now() / 1e9));
        }
        // An answer of the old one must not count for the new one.
        jit.ifPresent(RecorderJit::end);
        context.follow(pid);
        threads.close();
        threads = new RecorderThreads(context);
        jvm = jvm.followed();
        host.follow();
        jit = jit.map(RecorderJit::followed);
    }

    /** One that was dropped for another program serves now. */
    private void takeUp(long pid) {
        context.resume();
        context.gapIsNow(
                UNSEEN,
                String.format(
                        Locale.ROOT,
                        "of the first %.0f s: another program listened on the port of the load, before process %d of the"
                                + " target did",
                        context.now() / 1e9,
                        pid));
    }

    /** Threads, JIT and memory of one of them are not those of all. */
    private void several() {
        if (serving.most() > 1 && !context.drops()) {
            context.note(String.format(
                    Locale.ROOT,
                    "%d processes of the target serve; recorded in detail is process %d: CPU is of all of them, and"
                            + " threads, JIT and memory are of that one alone",
                    serving.most(),
                    context.pid()));
        }
    }

    /** Its figures would be taken for those of what serves. */
    private void unseen() {
        context.drop();
        context.gap(
                UNSEEN,
                "another program listens on the port of the load, and not what the command started: it may have passed the"
                        + " work on to a daemon or a container; measure that one's own command");
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

    /** A WatchedProcess is the one that is recorded. Its start time tells it from a later process with the same pid. */
    static final class WatchedProcess {
        private final ProcFs fs;
        private final long pid;
        private final long startTicks;
        private volatile boolean ended;

        WatchedProcess(ProcFs fs, long pid) {
            this.fs = fs;
            this.pid = pid;
            this.startTicks = fs.stat(pid).map(ProcStat::startTicks).orElse(-1L);
        }

        /** Returns it as it is now; empty once it has died, and from then on. */
        Optional<ProcStat> read() {
            Optional<ProcStat> stat =
                    ended ? Optional.empty() : fs.stat(pid).filter(s -> !s.isDead() && s.startTicks() == startTicks);
            ended = stat.isEmpty();
            return stat;
        }

        boolean hasEnded() {
            return ended;
        }
    }
}
