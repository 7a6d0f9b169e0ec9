package dev.kiln.explain.budget;

import dev.kiln.explain.window.Window;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A Budget is where the mean response time of a window went: its parts sum to it. A part that is missing was not
 * recorded, and its time is in the rest.
 *
 * @param requestsPerSecond completed in the window
 * @param responseMillis mean response time
 * @param millis of each part that is known; the rest is always there
 * @param code what the running part ran as, if samples tell; the shares sum to that part
 * @param blocked where threads were blocked, the longest first; they sum to that part
 * @param cpusUsed share of the target's CPUs that it used, 0 to 1; empty where it is not known
 * @param stops of the JVM; empty where they were not counted
 * @param uninterruptibleMillis of whatever part, in an uninterruptible sleep; empty where it was not recorded
 */
public record Budget(
        Window window,
        double requestsPerSecond,
        double responseMillis,
        Map<BudgetPart, Double> millis,
        List<CodeTime> code,
        List<BlockedTime> blocked,
        OptionalDouble cpusUsed,
        Optional<StopCounts> stops,
        OptionalDouble uninterruptibleMillis) {

    /** A rest over this share of the response time is told, with what would split it. */
    public static final double LARGE_REST = 0.1;

    /** CPUs of which so much is used are full: what is ready to run waits for them. */
    private static final double FULL = 0.9;

    /** Stops are mostly for collections from this share of them on. */
    private static final double MOST_STOPS = 0.9;

    /**
     * StopCounts are how often the JVM let all threads stand.
     *
     * @param forCollections of those {@code perSecond}
     * @param toSafepointMillis of the part of safepoints, until all threads stood; empty where it was not recorded
     */
    public record StopCounts(double perSecond, double forCollections, OptionalDouble toSafepointMillis) {
        /** Tells whether nearly all were for collections: then other stops are what the collector did not count of these. */
        public boolean areMostlyForCollections() {
            return forCollections > 0 && forCollections >= MOST_STOPS * perSecond;
        }
    }

    /** A CodeTime is the time of a request in code of one kind: interpreted, compiled by C1 or C2, or native. */
    public record CodeTime(String kind, double millis) {}

    /**
     * A BlockedTime is the time of a request blocked in one place.
     *
     * @param kind what it waits for, such as a monitor
     * @param frame the first frame that is not the JDK's; empty where there is none
     * @param detail such as the owner of the monitor; empty where nothing is known
     * @param behind whose worker is waited for; empty where that is not known, and where it is something else
     */
    public record BlockedTime(
            WaitKind kind, String frame, String detail, double millis, Optional<BusyExecutor> behind) {
        public BlockedTime(WaitKind kind, String frame, String detail, double millis) {
            this(kind, frame, detail, millis, Optional.empty());
        }

        /** Returns the same place with another time. */
        BlockedTime lasting(double other) {
            return new BlockedTime(kind, frame, detail, other, behind);
        }

        /** Returns the name of the kind that files and scripts use. */
        public String id() {
            return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public Budget {
        Map<BudgetPart, Double> ordered = new EnumMap<>(BudgetPart.class);
        ordered.putAll(millis);
        millis = Collections.unmodifiableMap(ordered);
        code = List.copyOf(code);
        blocked = List.copyOf(blocked);
    }

    /** Returns the milliseconds until all threads stood, of the part of safepoints; empty where it was not recorded. */
    public OptionalDouble toSafepointMillis() {
        return stops.map(StopCounts::toSafepointMillis).orElse(OptionalDouble.empty());
    }

    /** Returns the milliseconds of a part; empty where it was not recorded. */
    public OptionalDouble of(BudgetPart part) {
        Double value = millis.get(part);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Returns the milliseconds of several parts; empty where the first was not recorded, and others count where they were. */
    public OptionalDouble sum(BudgetPart first, BudgetPart... others) {
        return of(first).stream()
                .map(known -> known
                        + Arrays.stream(others)
                                .mapToDouble(part -> of(part).orElse(0))
                                .sum())
                .findFirst();
    }

    /** Returns the parts that were not recorded: the rest has their time. */
    public Set<BudgetPart> missing() {
        Set<BudgetPart> missing = EnumSet.allOf(BudgetPart.class);
        missing.removeAll(millis.keySet());
        return missing;
    }

    /** Returns the share of the response time that a part takes, 0 to 1; empty where it was not recorded. */
    public OptionalDouble share(BudgetPart part) {
        return of(part).stream()
                .map(known -> responseMillis > 0 ? known / responseMillis : 0)
                .findFirst();
    }

    /** Tells whether the target used all of its CPUs: then requests that no thread has wait for a CPU as well. */
    public boolean cpusAreFull() {
        return cpusUsed.orElse(0) >= FULL;
    }

    /** Tells whether the rest is so large that what would split it must be said. */
    public boolean restIsLarge() {
        return share(BudgetPart.REST).orElse(0) > LARGE_REST;
    }
}
