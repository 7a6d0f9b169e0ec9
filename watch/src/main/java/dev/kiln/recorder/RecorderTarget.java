package dev.kiln.recorder;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.jvm.Serving;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.recorder.Recording.CompilerLoad;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A RecorderTarget is the process that is recorded in detail. It finds the one that serves, lets each part take its samples of
 * that, and takes up another one that serves in its place.
 */
final class RecorderTarget {
    /** Longest time for which what may not be the process that serves is kept in memory. */
    private static final long LONGEST_HELD_NANOS = 60_000_000_000L;

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
    private final Serving serving;
    private boolean served;
    private int strangers;

    RecorderTarget(RecorderContext context) {
        this.context = context;
        RecorderSpec spec = context.spec();
        this.target = new WatchedProcess(context.fs(), spec.targetPid());
        this.threads = new RecorderThreads(context);
        this.jvm = new RecorderJvm(context);
        this.host = new RecorderHost(context);
        this.serving = new Serving(context.fs(), spec.targetPid(), spec.ports());
        this.jit = spec.jitQueries() ? Optional.of(new RecorderJit(context)) : Optional.empty();
    }

    Optional<RecorderJit> jit() {
        return jit;
    }

    /** Returns what is to be said of the machine. */
    List<String> notes() {
        return host.notes();
    }

    Optional<JvmInfo> jvm() {
        return jvm.info()
                .filter(info -> !context.drops())
                .map(info -> info.running(jit.map(RecorderJit::flags).orElse(List.of())));
    }

    Optional<CompilerLoad> c2LastSecond() {
        return threads.c2LastSecond()
                .filter(load -> !context.drops())
                .map(load -> load.withQueue(jit.map(RecorderJit::c2Queue).orElse(OptionalInt.empty())));
    }

    /** Tells whether it has died. It is known only if no lab is recorded with it. */
    boolean hasEnded() {
        return target.hasEnded();
    }

    /** Says what is known only at the end. */
    void end() {
        several();
        if (!context.drops()) {
            jvm.end();
        }
    }

    void close() {
        threads.close();
        host.close();
    }

    void sample(boolean everything, boolean last) {
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
