package dev.kiln.model.run;

import dev.kiln.model.run.JitState.CodeCacheFill;
import dev.kiln.model.run.JitState.CodeLevels;
import dev.kiln.model.run.JitState.Deoptimisations;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** A Sample is one row of what was recorded of a run beside its load. */
public sealed interface Sample {
    /** Returns when the sample was taken, in ns since launch. */
    long timeNanos();

    /** A ThreadSample has a thread's counters since it began: slices are times on a CPU, waiting is for one. */
    record ThreadSample(
            long timeNanos,
            int tid,
            String name,
            ThreadRole role,
            long cpuNanos,
            long waitNanos,
            long slices,
            long voluntarySwitches,
            long involuntarySwitches,
            ThreadState state)
            implements Sample {}

    /** A ThreadRole says what a thread of the target does. */
    enum ThreadRole {
        C1,
        C2,
        GC,
        /** The thread is another one of the JVM's own. */
        VM,
        /** The thread runs requests: it is of a server's pool, or carries virtual threads. */
        WORKER,
        /** The thread is an event loop, acceptor or poller. */
        IO,
        OTHER;

        /** Tells whether a thread is the JVM's own and runs no code of the program. */
        public boolean isOfJvm() {
            return this == C1 || this == C2 || this == GC || this == VM;
        }
    }

    /** A CompilerSample has the JIT's counters since the JVM began; wall time is of ended compilations. */
    record CompilerSample(
            long timeNanos,
            long compilations,
            long osrCompilations,
            long compileNanos,
            long codeBytes,
            long bailouts,
            long invalidations)
            implements Sample {}

    /**
     * A JitSample is what the JVM's diagnostic commands say about its JIT at one moment. Kiln asks for the parts at
     * different rates, so any of them may be missing.
     *
     * @param c1Queue methods waiting for C1
     * @param c2Queue methods waiting for C2
     * @param deoptimisations how often compiled code was left lately
     */
    record JitSample(
            long timeNanos,
            OptionalInt c1Queue,
            OptionalInt c2Queue,
            Optional<CodeLevels> levels,
            Optional<Deoptimisations> deoptimisations,
            Optional<CodeCacheFill> codeCache)
            implements Sample {
        /** Makes the sample of a moment at which nothing was told yet. */
        public static JitSample at(long timeNanos) {
            return new JitSample(
                    timeNanos,
                    OptionalInt.empty(),
                    OptionalInt.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        public JitSample queues(OptionalInt c1, OptionalInt c2) {
            return new JitSample(timeNanos, c1, c2, levels, deoptimisations, codeCache);
        }

        public JitSample with(CodeLevels told) {
            return new JitSample(timeNanos, c1Queue, c2Queue, Optional.of(told), deoptimisations, codeCache);
        }

        public JitSample with(Deoptimisations told) {
            return new JitSample(timeNanos, c1Queue, c2Queue, levels, Optional.of(told), codeCache);
        }

        public JitSample with(CodeCacheFill told) {
            return new JitSample(timeNanos, c1Queue, c2Queue, levels, deoptimisations, Optional.of(told));
        }
    }

    /**
     * A MemorySample has the memory of the target, and its collections since the JVM began (0 for a program that is no
     * JVM).
     *
     * @param pssBytes 0 where it was not read: it costs too much to be read each time
     * @param collections of all collectors
     * @param safepointNanos wall time in which all threads stood
     * @param toSafepointNanos wall time from the request for a safepoint until all threads stood, which is not in
     *     {@code safepointNanos}; empty where it was not recorded
     * @param generations empty where young and full collections are not counted apart
     * @param faults of the process, without its children; empty where they were not recorded
     */
    record MemorySample(
            long timeNanos,
            long rssBytes,
            long pssBytes,
            long collections,
            long collectionNanos,
            long safepoints,
            long safepointNanos,
            OptionalLong toSafepointNanos,
            Optional<Generations> generations,
            Optional<PageFaults> faults)
            implements Sample {}

    /** PageFaults are pages touched while unmapped: minor ones were in memory or made, major ones read. */
    record PageFaults(long minor, long major) {}

    /**
     * Generations count the collections of a collector with generations.
     *
     * @param young of the young generation, those that take some old regions along included
     * @param full of the whole heap, while the service stands still
     * @param fullNanos wall time of the full ones that have ended
     */
    record Generations(long young, long full, long fullNanos) {
        public Generations since(Generations earlier) {
            return new Generations(young - earlier.young, full - earlier.full, fullNanos - earlier.fullNanos);
        }
    }

    /**
     * A CollectionSample has the collections that were seen between two looks at the JVM.
     *
     * @param timeNanos since launch, of the second look
     * @param cause of the last of them, in the JVM's words; empty where it does not say
     * @param collections that began since the look before, which may be none where one of them ended
     * @param collectionNanos wall time of those that ended
     * @param full those of the whole heap among them; empty where they are not counted apart
     */
    record CollectionSample(
            long timeNanos, String cause, long collections, long collectionNanos, Optional<FullCollections> full)
            implements Sample {}

    /** FullCollections are of the whole heap, while the service stands still, with ns of wall time. */
    record FullCollections(long collections, long nanos) {}

    /**
     * A ClassSample has the classes of the target since the JVM began.
     *
     * @param loaded of all loaders, those from a CDS archive or an AOT cache included
     * @param loadNanos wall time of threads that loaded, defined, linked or verified classes; the initialisers of classes,
     *     which are the program's own code, are left out
     */
    record ClassSample(long timeNanos, long loaded, long loadNanos) implements Sample {}

    /**
     * A HeapSample is the heap after its last collection, without eden: live objects, and garbage that no collection
     * has found yet.
     *
     * @param timeNanos since launch, when it was read: at most a tenth of a second after the collection
     * @param collections since the JVM began
     */
    record HeapSample(long timeNanos, long usedBytes, long collections) implements Sample {}

    /** A CgroupSample has counters of the target's CPU bandwidth control, since the cgroup began. */
    record CgroupSample(long timeNanos, long periods, long throttledPeriods, long throttledNanos) implements Sample {}

    /**
     * A PartSample has the CPU time of one part of the lab since that part began: what measuring itself costs, and who
     * was the limit.
     *
     * @param part {@code target}, {@code load}, {@code database} or {@code kiln}
     * @param waitNanos time its threads spent runnable, waiting for a CPU
     * @param modes empty where it is not known
     */
    record PartSample(long timeNanos, String part, long cpuNanos, long waitNanos, Optional<Modes> modes)
            implements Sample {
        /** Modes divide CPU time by where it was spent, the system's in the kernel. */
        public record Modes(long userNanos, long systemNanos) {}
    }

    /**
     * A CpuSample has the counters of one CPU since boot.
     *
     * @param stealNanos time the hypervisor gave to others
     * @param softirqNanos of the busy time what went into softirqs: the kernel's work for packets, timers and disks; empty
     *     where it was not recorded
     */
    record CpuSample(
            long timeNanos, int cpu, long busyNanos, long idleNanos, long stealNanos, OptionalLong softirqNanos)
            implements Sample {
        /** Returns the busy time without that of softirqs, which are no program's; they count where they were not recorded. */
        public long programNanos() {
            return busyNanos - softirqNanos.orElse(0);
        }
    }

    /**
     * A BlockedSample is all threads of one thread dump that stand alike. The rows of a dump have the same time, and their
     * threads add up to all of the dump, with the virtual ones that the JVM counted and did not dump.
     *
     * @param timeNanos since launch, when the JVM had answered
     * @param pool the threads' name without its counter
     * @param frame the first frame that is not the JDK's, as class.method:line; empty where there is none
     * @param detail what is waited for, as {@link WaitKind} says; empty where nothing tells
     * @param task the class of the future whose task they run as workers of an executor; empty for others, and where it was
     *     not recorded
     */
    record BlockedSample(
            long timeNanos,
            String pool,
            boolean virtual,
            int threads,
            WaitKind kind,
            String frame,
            String detail,
            String task)
            implements Sample {
        /**
         * The detail of {@link WaitKind#NETWORK} where a socket has to be ready to be read, and of {@link WaitKind#IDLE} where
         * the JVM counts virtual threads so that have no request.
         */
        public static final String TO_READ = "read";

        /** The detail of a wait until a direct buffer is freed: the JDK asks for collections meanwhile. */
        public static final String DIRECT_MEMORY = "direct memory";

        /** This matches the counter that ends a thread's name; the whole end where the name lacks its middle. */
        private static final Pattern COUNTER = Pattern.compile("(?<=\\.\\.)[^.]*\\d$|[-#]?\\d+$");

        /** Returns the name of a thread's pool: what the names of its threads have in common. */
        public static String poolOf(String thread) {
            return COUNTER.matcher(thread).replaceFirst("");
        }
    }

    /** A ThreadState is what the kernel says that a thread does, see proc_pid_stat(5). */
    public enum ThreadState {
        /** It runs or waits for a CPU. */
        RUNNABLE("R"),
        SLEEPING("S"),
        /** It sleeps, and no signal wakes it: it waits for a disk, for a page from one, or for a lock of the kernel's. */
        UNINTERRUPTIBLE("D"),
        OTHER("O"),
        NOT_RECORDED("");

        private final String letter;

        ThreadState(String letter) {
            this.letter = letter;
        }

        /** Returns what stands for it in tables: the kernel's own letter, if Kiln knows the state. */
        public String letter() {
            return letter;
        }

        public static ThreadState of(String letter) {
            for (ThreadState state : values()) {
                if (state.letter.equals(letter)) {
                    return state;
                }
            }
            return OTHER;
        }
    }
}
