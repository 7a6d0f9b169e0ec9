package dev.kiln.launch;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Niceness;
import dev.kiln.jvm.Serving;
import dev.kiln.jvm.ThreadRoles;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A CompilerFavour gives the highest priority to every JIT compiler thread of the process that serves. That includes
 * threads that the JVM adds later, and those of a process that replaces it. It restores their priority at the end.
 * Threads that the JVM itself has given the highest priority keep it.
 */
public final class CompilerFavour implements AutoCloseable {
    private static final long LOOK_MILLIS = 100;

    private static final int LOOKS_A_SEARCH = 5;

    /** A later search comes this seldom. It goes on because another process may replace the serving one. */
    private static final int LOOKS_A_LATER_SEARCH = 10;

    /** A thread is checked so often, because on a busy machine it may get its name only after seconds. */
    private static final int LOOKS_FOR_A_NAME = 100;

    private final ProcFs fs = ProcFs.ofThisMachine();
    private final long launched;
    private long pid;
    private volatile Serving serving;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

    /** The number of checks so far of each thread that does not seem to be a compiler. */
    private final Map<Integer, Integer> looks = new HashMap<>();

    private final Map<Integer, Integer> before = new HashMap<>();

    private CompilerFavour(long pid) {
        this.launched = pid;
        this.pid = pid;
        this.serving = new Serving(fs, pid, Set.of());
        this.thread = Thread.ofPlatform().daemon().name("kiln-favour").unstarted(this::watch);
    }

    /** Starts to favour the compilers of a JVM, or of the one below a process, until the result is closed. */
    public static CompilerFavour of(long pid) {
        CompilerFavour favour = new CompilerFavour(pid);
        favour.thread.start();
        return favour;
    }

    /** Favours from now on the process that serves these ports; until then, the nearest JVM. */
    public void serving(Set<Integer> ports) {
        serving = new Serving(fs, launched, ports);
    }

    private void watch() {
        int wait = 0;
        do {
            if (wait-- == 0) {
                OptionalLong found = serving.follow();
                follow(found.orElse(pid));
                wait = (found.isPresent() ? LOOKS_A_LATER_SEARCH : LOOKS_A_SEARCH) - 1;
            }
            look();
        } while (!stopped());
    }

    private void follow(long other) {
        if (other != pid) {
            restore();
            before.clear();
            looks.clear();
            pid = other;
        }
    }

    private boolean stopped() {
        try {
            return stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    private void look() {
        for (int tid : fs.tids(pid)) {
            if (before.containsKey(tid) || looks.getOrDefault(tid, 0) > LOOKS_FOR_A_NAME) {
                continue;
            }
            if (ThreadRoles.isCompiler(fs.threadName(pid, tid))) {
                favour(tid);
            } else {
                looks.merge(tid, 1, Integer::sum);
            }
        }
    }

    private void favour(int tid) {
        OptionalInt nice = Niceness.of(fs, pid, tid);
        if (nice.isPresent() && (nice.getAsInt() == Niceness.MOST || Niceness.set(tid, Niceness.MOST))) {
            before.put(tid, nice.getAsInt());
        }
    }

    /** Restores the priority of the threads that still live. */
    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        restore();
    }

    private void restore() {
        before.forEach((tid, nice) -> {
            boolean ours = Niceness.of(fs, pid, tid).isPresent();
            if (ours && nice != Niceness.MOST) {
                Niceness.set(tid, nice);
            }
        });
    }
}
