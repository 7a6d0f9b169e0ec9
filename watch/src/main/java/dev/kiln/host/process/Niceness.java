package dev.kiln.host.process;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** Niceness reads and sets the nice value of single threads: setpriority(2), which on Linux takes a thread's id. */
public final class Niceness {
    /** The highest priority. */
    public static final int MOST = -20;

    private static final int PRIO_PROCESS = 0;

    private Niceness() {}

    /** Returns the nice value of a thread; empty if it has died. */
    public static OptionalInt of(ProcFs fs, long pid, int tid) {
        Optional<ProcStat> stat = fs.taskText(pid, tid, "stat").flatMap(ProcStat::parse);
        return stat.isPresent() ? OptionalInt.of(stat.get().nice()) : OptionalInt.empty();
    }

    /** Sets it. Returns false if that is not permitted, or if the thread has died. */
    public static boolean set(int tid, int nice) {
        return setpriority(tid, nice);
    }

    /** Tells whether Kiln may raise the priority of threads. Kiln tries it once, on a thread of its own that ends at once. */
    public static boolean mayFavour() {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("kiln-nice").start(() -> done.complete(setpriority(0, MOST)));
        return done.join();
    }

    @SuppressWarnings("restricted")
    private static boolean setpriority(int tid, int nice) {
        Linker linker = Linker.nativeLinker();
        MethodHandle setpriority = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("setpriority"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            return (int) setpriority.invokeExact(PRIO_PROCESS, tid, nice) == 0;
        } catch (Throwable e) {
            // A method handle declares that it may throw anything; this one calls C.
            return false;
        }
    }
}
