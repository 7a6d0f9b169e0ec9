package dev.kiln.model.run;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A JitState is what the JVM says of compiled code at one moment: by level, in the code cache, and how often it was left. */
public final class JitState {
    private JitState() {}

    /**
     * CodeLevels count the compiled methods in use by level: 1 is C1 alone, 2 C1 with counters of calls, 3 C1 with a
     * full profile, 4 C2.
     *
     * @param notEntrant code of level 4 that the JVM listed once and that may not be entered any more, whatever the
     *     reason; empty where it was not counted
     */
    public record CodeLevels(int level1, int level2, int level3, int level4, OptionalInt notEntrant) {}

    /**
     * Deoptimisations are the last ones that the JVM keeps, which are few: about five.
     *
     * @param count those since the question before that it still has
     * @param withinNanos the time up to the question in which they came: since the question before where they are all,
     *     else since the first of them
     * @param all whether there were no others since the question before
     * @param changedNothing those after which the JVM changed no code: their action is {@code none}
     * @param most the trap that is found most often among them; empty where none of them is a trap
     */
    public record Deoptimisations(int count, long withinNanos, boolean all, int changedNothing, Optional<Trap> most) {
        /** Returns how many came a second. Where they are not all, the first of them only begins the time. */
        public double perSecond() {
            return withinNanos > 0 ? (all ? count : Math.max(0, count - 1)) * 1e9 / withinNanos : 0;
        }
    }

    /**
     * A Trap is a place where code of C2 is left, because what it assumes does not hold.
     *
     * @param reason what did not hold, in the JVM's words
     * @param action what the JVM does about it, in its words
     * @param place class, method and index of the bytecode, as class.method@index
     */
    public record Trap(String reason, String action, String place) {
        /** Returns the trap that is found most often; of several the first by its place. */
        public static Optional<Trap> commonest(Stream<Trap> traps) {
            return traps.collect(Collectors.groupingBy(Function.identity(), Collectors.counting())).entrySet().stream()
                    .max(Map.Entry.<Trap, Long>comparingByValue()
                            .thenComparing(entry -> entry.getKey().place(), Comparator.reverseOrder()))
                    .map(Map.Entry::getKey);
        }
    }

    /**
     * A CodeCacheFill is the state of the code cache, all its segments together.
     *
     * @param sizeBytes what it may hold
     * @param full times it was found full
     * @param stopped times compilation was switched off for lack of room
     * @param heaps its segments; none where it is one piece, and where they were not recorded
     */
    public record CodeCacheFill(long usedBytes, long sizeBytes, int full, int stopped, List<CodeHeap> heaps) {
        public CodeCacheFill {
            heaps = List.copyOf(heaps);
        }
    }

    /** A HeapKind says what code a segment of the code cache is for. */
    public enum HeapKind {
        NON_NMETHODS("non-nmethods"),
        PROFILED("profiled nmethods"),
        NON_PROFILED("non-profiled nmethods"),
        HOT("hot nmethods");

        private final String text;

        HeapKind(String text) {
            this.text = text;
        }

        /** Returns the JVM's own name of it. */
        public String text() {
            return text;
        }
    }

    /** A CodeHeap is one segment of the code cache; how often it was full is known from JDK 28 on. */
    public record CodeHeap(HeapKind kind, long usedBytes, long sizeBytes, OptionalInt full) {
        public double share() {
            return sizeBytes > 0 ? (double) usedBytes / sizeBytes : 0;
        }
    }
}
