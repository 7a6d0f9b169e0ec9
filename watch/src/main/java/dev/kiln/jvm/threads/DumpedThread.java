package dev.kiln.jvm.threads;

import dev.kiln.model.run.CodeFrame;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A DumpedThread is one thread of a thread dump.
 *
 * @param number of {@link Thread#threadId}
 * @param frames the innermost first
 * @param owned the monitors that it holds
 * @param carries the number of the virtual thread that was on this carrier
 * @param kernels what the kernel knows of a platform thread; empty where the dump does not tell
 */
public record DumpedThread(
        String name,
        boolean virtual,
        long number,
        DumpedState state,
        List<DumpedFrame> frames,
        ObjectWait waits,
        Set<String> owned,
        OptionalLong carries,
        Optional<KernelThread> kernels) {
    public DumpedThread {
        frames = List.copyOf(frames);
        owned = Set.copyOf(owned);
    }

    /**
     * A KernelThread is a thread as the kernel has it.
     *
     * @param id as the JVM sees it: in a container it has others outside
     * @param cpuNanos that it had run until the dump, to {@link #CPU_STEP_NANOS}
     */
    public record KernelThread(long id, long cpuNanos) {
        /** The JVM writes hundredths of a millisecond. */
        public static final long CPU_STEP_NANOS = 10_000;
    }

    /** A DumpedState is what the JVM says of a thread. */
    public enum DumpedState {
        RUNNABLE,
        /** It waits to enter a monitor. */
        BLOCKED,
        /** It waits or sleeps, with or without a limit. */
        WAITING,
        /** The dump does not tell: of carriers, and of virtual threads before JDK 24. */
        UNKNOWN
    }

    /** A DumpedFrame is one frame of a stack; its line is empty where the class has none. */
    public record DumpedFrame(String type, String method, String line, boolean isNative) {
        boolean isJdk() {
            return code().isJdk();
        }

        CodeFrame code() {
            return new CodeFrame(type, method);
        }

        boolean isOf(List<String> libraries) {
            return libraries.stream().anyMatch(code()::isOf);
        }

        @Override
        public String toString() {
            return type + "." + method + (line.isEmpty() ? "" : ":" + line);
        }
    }

    /** A DumpedObject is an object of the JVM; its id, an address or hash, is the same within one dump. */
    public record DumpedObject(String id, String type) {}

    /**
     * An ObjectWait is the object that a thread waits for, by the way in which it does.
     *
     * @param monitor that it wants to enter
     * @param notice the object whose notification it awaits
     * @param blocker what it parks for
     * @param initialised the class that another thread initialises
     */
    public record ObjectWait(
            Optional<DumpedObject> monitor,
            Optional<DumpedObject> notice,
            Optional<DumpedObject> blocker,
            Optional<String> initialised) {
        public static final ObjectWait NONE =
                new ObjectWait(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns the first frame that is not the JDK's. */
    Optional<DumpedFrame> ownFrame() {
        return frames.stream().filter(frame -> !frame.isJdk()).findFirst();
    }
}
