package dev.kiln.model.run;

import java.util.List;
import java.util.Set;

/**
 * A CollectionCause is what a garbage collection was for, in the JVM's own words ({@code GCCause::to_string} in
 * HotSpot's gcCause.cpp, JDK 8 to 25). Its counters, flight recordings and logs share these words.
 *
 * <p>{@code java.nio.Bits.reserveMemory} calls {@code System.gc()} when direct memory runs out, and that looks like any
 * other call. Only the caller tells: the frame in a thread dump, or in {@code jdk.SystemGC} of a flight recording.
 */
public enum CollectionCause {
    /** The heap, or a part of it, was full or about to be. */
    ALLOCATION(
            "allocation",
            "Allocation Failure",
            "G1 Evacuation Pause",
            "G1 Compaction Pause",
            "GCLocker Initiated GC",
            "Tenured Generation Full",
            "Old Generation Expanded On Last Scavenge",
            "Old Generation Too Full To Scavenge",
            // Parallel collects the whole heap where it expects the next young collection to fail.
            "Ergonomics",
            "Last ditch collection",
            // Shenandoah starts a cycle when its heuristics say that the heap fills.
            "Concurrent GC",
            "Allocation Failure During Evacuation",
            "Upgrade To Full GC",
            // ZGC; its warm-up cycles start at 10, 20 and 30 % of the heap.
            "Warmup",
            "Allocation Rate",
            "Allocation Stall",
            "High Usage"),
    /** Classes filled the metaspace up to its threshold. */
    METADATA("the metaspace's threshold", "Metadata GC Threshold", "Metadata GC Clear Soft References"),
    /** The program, or an agent in it, asked for the collection. */
    SYSTEM_GC("System.gc()", "System.gc()", "JvmtiEnv ForceGarbageCollection"),
    /** A tool from outside asked for it: a diagnostic command, a histogram or a dump of live objects, a test. */
    DIAGNOSTIC(
            "diagnostic tools",
            "Diagnostic Command",
            "Heap Inspection Initiated GC",
            "Heap Dump Initiated GC",
            "WhiteBox Initiated Young GC",
            "WhiteBox Initiated Concurrent Mark",
            "WhiteBox Initiated Full GC",
            "WhiteBox Initiated Run to Breakpoint"),
    /** An object took half a region of G1 or more. */
    HUMONGOUS("humongous objects", "G1 Humongous Allocation"),
    /** Unused code filled the code cache; since JDK 20 the collector finds it. */
    CODE_CACHE("the code cache", "CodeCache GC Threshold", "CodeCache GC Aggressive"),
    /** The collector thought it a good time, though nothing was full. */
    TIMER(
            "a timer, or the collector's own choice",
            "Timer",
            "Proactive",
            "G1 Periodic Collection",
            "G1 Preventive Collection"),
    OTHER("other causes");

    /** A program that nobody asks to collect would not need these. */
    public static final Set<CollectionCause> ASKED_FOR = Set.of(SYSTEM_GC, DIAGNOSTIC);

    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> words;

    CollectionCause(String text, String... words) {
        this.text = text;
        this.words = List.of(words);
    }

    /** Returns the cause that the JVM names so; {@link #OTHER} for words that are not known. */
    public static CollectionCause of(String words) {
        for (CollectionCause cause : values()) {
            if (cause.words.contains(words)) {
                return cause;
            }
        }
        return OTHER;
    }

    /** Returns in words what it was for. */
    public String text() {
        return text;
    }
}
