package dev.kiln.load.driver;

import dev.kiln.host.process.Pinning;
import dev.kiln.load.driver.LoadRun.Common;
import dev.kiln.load.driver.PhaseRecorder.Cut;
import dev.kiln.load.driver.PhaseRecorder.LoopEnding;
import dev.kiln.load.driver.PhaseRecorder.PhaseCourse;
import dev.kiln.load.driver.bins.BinQueue;
import dev.kiln.load.driver.bins.BinSum;
import dev.kiln.load.driver.http.Calls;
import dev.kiln.load.driver.http.Feeder.ReplaySchedule;
import dev.kiln.load.driver.http.IoThread;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Loops are the event loops of a session: one, and one more each time the busiest of them fills its CPU while another CPU is
 * left. The first is the driver's; the others end with the session. Used by the session's thread, but for {@link #stop}.
 */
final class Loops {
    /** A loop must be busy at this many checks in a row before another is added: a moment's work needs no other thread. */
    private static final int BUSY_LOOKS = 2;

    /** A Loop is one event loop, with its CPU time when the phase began or the loop joined it, and at the last check. */
    private static final class Loop {
        private final IoThread io;
        private final LoadRun run;
        private final BinQueue queue;
        private final OptionalInt tid;
        private long startNanos;
        private long cpuAtStart;
        private long lookedNanos;
        private long cpuAtLook;

        Loop(IoThread io, LoadRun run, BinQueue queue, OptionalInt tid) {
            this.io = io;
            this.run = run;
            this.queue = queue;
            this.tid = tid;
        }

        void begin(long now) {
            startNanos = now;
            cpuAtStart = LoopCpus.cpuNanos(tid);
            lookedNanos = now;
            cpuAtLook = cpuAtStart;
        }

        /** Returns the share of a CPU that the loop used since the last check. */
        double look(long now) {
            long cpu = LoopCpus.cpuNanos(tid);
            double share = (double) (cpu - cpuAtLook) / (now - lookedNanos);
            lookedNanos = now;
            cpuAtLook = cpu;
            return share;
        }

        double share(long now) {
            return Math.round(1e4 * (LoopCpus.cpuNanos(tid) - cpuAtStart) / (now - startNanos)) / 1e4;
        }
    }

    private final LoadSpec spec;
    private final List<Calls> targets;
    private final BinSum bins;
    private final LoopCpus cpus;
    private final Common common;
    private final List<Loop> loops = new CopyOnWriteArrayList<>();
    private int busyLooks;
    private boolean pinned;
    private Optional<String> notPinned = Optional.empty();
    private volatile @Nullable PhaseCourse course;
    private volatile boolean stopped;

    /** @param first the driver's own event loop, and its queue */
    Loops(IoThread first, BinQueue queue, BinSum bins, LoadSpec spec, List<Calls> targets, LoopCpus cpus) {
        this.spec = spec;
        this.targets = targets;
        this.bins = bins;
        this.cpus = cpus;
        common = new Common(spec, new Object(), this::stop);
        int least = Math.min(cpus.least(), cpus.most(spec.connections()));
        loops.add(loop(first, targets, queue, least));
        while (loops.size() < least) {
            loops.add(another(least));
        }
        pin();
    }

    /** @param of how many share the connections from the start; 0 for a loop that gets some from the others */
    private Loop another(int of) {
        IoThread io = new IoThread(loops.getFirst().io.transport());
        return loop(io, Calls.again(targets), loops.getFirst().queue.another(), of);
    }

    private Loop loop(IoThread io, List<Calls> calls, BinQueue queue, int of) {
        LoadRun run = new LoadRun(io, common, calls, queue, loops.size(), of);
        return new Loop(io, run, queue, isWatched() ? io.tid() : OptionalInt.empty());
    }

    private boolean isWatched() {
        return cpus.cpus().size() > 1 || (cpus.least() > 1 && !cpus.cpus().isEmpty());
    }

    /** Pins each loop to a CPU of its own, if there are several of both. */
    private void pin() {
        for (int i = 0; loops.size() > 1 && cpus.cpus().size() > 1 && i < loops.size(); i++) {
            pinned = true;
            OptionalInt tid = loops.get(i).tid;
            if (tid.isPresent()) {
                notPinned = Pinning.pinThread(tid.getAsInt(), cpus.of(i)).or(() -> notPinned);
            }
        }
    }

    /** Says why loops could not be pinned; empty if they are, or need not be. */
    Optional<String> notPinned() {
        return notPinned;
    }

    /** Returns how many connections each loop has. */
    List<Integer> connections() {
        return loops.stream().map(loop -> loop.io.call(loop.run::connections)).toList();
    }

    void start(Phase.Load phase, Cut cut) {
        stopped = false;
        busyLooks = 0;
        Loop first = loops.getFirst();
        PhaseCourse begun = first.io.call(() -> {
            long now = System.nanoTime();
            Pace pace = new Pace(spec, phase, targets.getFirst().recording());
            targets.getFirst().recording().ifPresent(ReplaySchedule::rewind);
            PhaseCourse course = new PhaseCourse(now, phase.duration().toNanos(), cut, pace);
            bins.begin(loops.stream().map(loop -> loop.queue).toList(), now);
            first.io.workFor(first.run);
            first.run.start(course, now);
            return course;
        });
        course = begun;
        for (Loop loop : loops.subList(1, loops.size())) {
            start(loop, begun, begun.startNanos());
        }
        if (isWatched()) {
            loops.forEach(loop -> loop.begin(System.nanoTime()));
        }
    }

    private void start(Loop loop, PhaseCourse begun, long fromNanos) {
        loop.io.call(() -> {
            loop.io.workFor(loop.run);
            loop.run.start(begun, fromNanos);
            return true;
        });
        if (stopped) {
            loop.io.execute(loop.run::stop);
        }
    }

    /** Adds a loop where one is needed. It is called about once a second while a phase goes on. */
    void watch() {
        if (!isWatched() || loops.size() >= cpus.most(spec.connections())) {
            return;
        }
        long now = System.nanoTime();
        double busiest =
                loops.stream().mapToDouble(loop -> loop.look(now)).max().orElse(0);
        busyLooks = busiest > cpus.busy() ? busyLooks + 1 : 0;
        if (busyLooks >= BUSY_LOOKS) {
            busyLooks = 0;
            add();
        }
    }

    /** Adds a loop to the phase that goes on, and gives it a part of each other's connections. */
    void add() {
        PhaseCourse current = course;
        if (current == null) {
            return;
        }
        // Before there are two that take requests, both know.
        loops.forEach(loop -> loop.io.call(() -> {
            loop.run.share();
            return true;
        }));
        Loop more = another(0);
        OptionalLong from = bins.join(more.queue);
        if (from.isEmpty()) {
            end(more);
            return;
        }
        loops.add(more);
        start(more, current, from.getAsLong());
        more.begin(System.nanoTime());
        int n = loops.size();
        loops.stream()
                .filter(loop -> !loop.equals(more))
                .forEach(loop -> loop.io.execute(() -> loop.run.give(n, more.run)));
        pin();
    }

    /** Ends the phase at once, if one is going on. Any thread may call it. */
    void stop() {
        stopped = true;
        try {
            loops.forEach(loop -> loop.io.execute(loop.run::stop));
        } catch (RejectedExecutionException e) {
            // The session is closed, and its loops have ended with it.
        }
    }

    /** Returns the ending of the last phase over all loops, once it has ended. */
    LoopEnding ending() {
        return loops.stream()
                .map(loop -> loop.io.call(loop.run::ending))
                .reduce(LoopEnding::plus)
                .orElseThrow();
    }

    /** Returns the share of a CPU that each loop used since it joined the phase; empty where there is but one. */
    List<Double> shares() {
        long now = System.nanoTime();
        return loops.size() < 2 || !isWatched()
                ? List.of()
                : loops.stream().map(loop -> loop.share(now)).toList();
    }

    void close() {
        loops.forEach(loop -> loop.io.call(() -> {
            loop.run.close();
            loop.io.rest();
            return true;
        }));
        // What was on its way from one loop to another arrives, and is closed there.
        for (int round = 0; round < 2 && loops.size() > 1; round++) {
            loops.forEach(loop -> loop.io.call(() -> true));
        }
        loops.stream().skip(1).forEach(Loops::end);
        OptionalInt first = loops.getFirst().tid;
        if (pinned && first.isPresent()) {
            Pinning.pinThread(first.getAsInt(), cpus.cpus());
        }
    }

    private static void end(Loop loop) {
        try {
            loop.io.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
