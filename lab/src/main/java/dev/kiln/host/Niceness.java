package dev.kiln.host;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** The nice value of single threads: setpriority(2), which on Linux takes a thread's id. */
public final class Niceness {
    /** As favoured as can be. */
    public static final int MOST = -20;

    private static final int PRIO_PROCESS = 0;

    private Niceness() {}

    /** Empty when the thread has died. */
    public static OptionalInt of(ProcFs fs, long pid, int tid) {
        Optional<ProcStat> stat = fs.taskText(pid, tid, "stat").flatMap(ProcStat::parse);
        return stat.isPresent() ? OptionalInt.of(stat.get().nice()) : OptionalInt.empty();
    }

    /** Returns false if it is not permitted, or the thread has died. */
    public static boolean set(int tid, int nice) {
        return setpriority(tid, nice);
    }

    /** Whether threads may be favoured: found out by doing it once, to a thread of this process that ends at once. */
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
