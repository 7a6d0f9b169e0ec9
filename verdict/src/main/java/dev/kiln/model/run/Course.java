package dev.kiln.model.run;

import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.FoundReference;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Course is what happened in the run, and how it ended.
 *
 * @param readyNanos since launch
 * @param firstResponseNanos since launch
 * @param phases those that began, with their times
 * @param outcomeDetail in words, when it did not complete
 * @param referenceEnd why the search for the reference peak ended; empty without one, and where it was broken off
 * @param repeatedFor how the machine disturbed this run, so that Kiln repeated it; empty for any other
 * @param boostEndNanos since launch, when the target's CPU limit went down; empty without a boost of its CPU
 * @param startupPhases what the JVM logged of its own start; empty without the flag
 * @param outOfMemory errors of this kind in the target's log
 */
public record Course(
        OptionalLong readyNanos,
        OptionalLong firstResponseNanos,
        List<PhaseTime> phases,
        Outcome outcome,
        Optional<String> outcomeDetail,
        Optional<FoundReference.End> referenceEnd,
        List<String> repeatedFor,
        OptionalLong boostEndNanos,
        List<StartPhase> startupPhases,
        Set<OutOfMemory> outOfMemory) {
    public Course {
        repeatedFor = List.copyOf(repeatedFor);
        startupPhases = List.copyOf(startupPhases);
        outOfMemory = Collections.unmodifiableSet(new TreeSet<>(outOfMemory));
    }

    Course repeated(List<String> why) {
        return with(outcomeDetail, why);
    }

    /** Returns this course by a clock that is ahead of its own. Of a start it has nothing: that was another process's. */
    Course later(long nanos) {
        return new Course(
                OptionalLong.empty(),
                OptionalLong.empty(),
                phases.stream().map(phase -> phase.later(nanos)).toList(),
                outcome,
                outcomeDetail,
                referenceEnd,
                repeatedFor,
                OptionalLong.empty(),
                List.of(),
                Set.of());
    }

    /** Returns this course with the secrets in its words hidden. */
    Course with(Secrets secrets) {
        return with(outcomeDetail.map(secrets::text), repeatedFor);
    }

    private Course with(Optional<String> detail, List<String> why) {
        return new Course(
                readyNanos,
                firstResponseNanos,
                phases,
                outcome,
                detail,
                referenceEnd,
                why,
                boostEndNanos,
                startupPhases,
                outOfMemory);
    }

    /** An Outcome says how a run ended. RUNNING is what a killed Kiln leaves behind. */
    public enum Outcome {
        RUNNING,
        COMPLETED,
        INTERRUPTED,
        TARGET_FAILED,
        LAB_FAILED
    }

    /**
     * A PhaseTime is one phase of a run with its times in ns since launch.
     *
     * @param endNanos empty while the phase goes on
     * @param unserved of a phase with load that has ended; empty where the load generator does not say
     * @param handshakes of a phase with load over TLS; empty for any other
     * @param loops share of a CPU that each event loop of the load generator used in a phase with load; empty for a generator
     *     with one, and for one that does not say
     */
    public record PhaseTime(
            String name,
            boolean load,
            long startNanos,
            OptionalLong endNanos,
            Optional<Unserved> unserved,
            Optional<Handshakes> handshakes,
            Optional<List<Double>> loops) {
        public PhaseTime(String name, boolean load, long startNanos, OptionalLong endNanos) {
            this(name, load, startNanos, endNanos, Optional.empty(), Optional.empty(), Optional.empty());
        }

        PhaseTime later(long nanos) {
            return new PhaseTime(
                    name,
                    load,
                    startNanos + nanos,
                    endNanos.isPresent() ? OptionalLong.of(endNanos.getAsLong() + nanos) : endNanos,
                    unserved,
                    handshakes,
                    loops);
        }
    }

    /** Handshakes count a phase's TLS connections; ns are from TCP's connection to the first request. */
    public record Handshakes(long count, long nanos, long maxNanos) {
        public static final Handshakes NONE = new Handshakes(0, 0, 0);

        public Handshakes plus(Handshakes o) {
            return new Handshakes(count + o.count, nanos + o.nanos, Math.max(maxNanos, o.maxNanos));
        }

        public double meanSeconds() {
            return nanos / 1e9 / count;
        }

        public double maxSeconds() {
            return maxNanos / 1e9;
        }
    }

    /**
     * Unserved counts the requests that no bin of a load phase counts.
     *
     * @param unfinished requests in flight at the phase's end
     * @param unsent due by its end and never sent (open loop)
     * @param resent sent again, because the server closed an idle connection just as they were sent
     * @param maxLagNanos longest time for which the load generator itself was late
     * @param hung which of those in flight hung; empty where the load generator does not say
     */
    public record Unserved(long unfinished, long unsent, long resent, long maxLagNanos, Optional<Hung> hung) {
        public static final Unserved NONE = new Unserved(0, 0, 0, 0);

        public Unserved(long unfinished, long unsent, long resent, long maxLagNanos) {
            this(unfinished, unsent, resent, maxLagNanos, Optional.empty());
        }

        public Unserved plus(Unserved o) {
            return new Unserved(
                    unfinished + o.unfinished,
                    unsent + o.unsent,
                    resent + o.resent,
                    Math.max(maxLagNanos, o.maxLagNanos),
                    Stream.of(hung, o.hung).flatMap(Optional::stream).reduce(Hung::plus));
        }
    }

    /**
     * Hung requests were in flight at a phase's end, and had been so for longer than any took that was answered in it. No response
     * time counts them.
     *
     * @param oldestNanos for how long the first of them had been; 0 without any
     */
    public record Hung(long count, long oldestNanos) {
        public Hung plus(Hung o) {
            return new Hung(count + o.count, Math.max(oldestNanos, o.oldestNanos));
        }
    }

    /** A StartPhase is a part of a start, with its time from the program's own log. */
    public record StartPhase(String name, long nanos) {}

    /** An OutOfMemory is what a JVM had no more of, by an {@code OutOfMemoryError} that it threw. */
    public enum OutOfMemory {
        HEAP("Java heap space"),
        /** The collector took nearly all of the time and freed next to nothing. */
        GC_OVERHEAD("GC overhead limit exceeded"),
        METASPACE("Metaspace"),
        /** The part of the metaspace that holds the classes themselves. */
        CLASS_SPACE("Compressed class space"),
        /** JDK 17 and later tell of the bytes: {@code Cannot reserve 1024 bytes of direct buffer memory (allocated: ...)}. */
        DIRECT_MEMORY("direct buffer memory", "(?:Cannot reserve \\d{1,19} bytes of d|D)irect buffer memory"),
        NATIVE_THREAD("unable to create native thread"),
        ARRAY_SIZE("Requested array size exceeds VM limit");

        private static final String ERROR = "java.lang.OutOfMemoryError: ";

        /** A heap that had more room would not have been full. */
        public static final Set<OutOfMemory> OF_HEAP = Set.of(HEAP, GC_OVERHEAD);

        private final String message;
        private final Pattern pattern;

        OutOfMemory(String message) {
            this(message, message);
        }

        OutOfMemory(String message, String pattern) {
            this.message = message;
            this.pattern = Pattern.compile(Pattern.quote(ERROR) + pattern);
        }

        /** Returns the error as the JVM prints it. */
        public String text() {
            return ERROR + message;
        }

        /** Returns several errors as the JVM prints them, in a sentence. */
        public static String text(Set<OutOfMemory> errors) {
            return errors.stream().map(OutOfMemory::text).collect(Collectors.joining(" and "));
        }

        /** Finds the errors in what a program has printed. */
        public static Set<OutOfMemory> in(String printed) {
            return Stream.of(values())
                    .filter(error -> error.pattern.matcher(printed).find())
                    .collect(Collectors.toCollection(() -> EnumSet.noneOf(OutOfMemory.class)));
        }
    }
}
