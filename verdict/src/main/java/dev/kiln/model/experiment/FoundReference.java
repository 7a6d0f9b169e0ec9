package dev.kiln.model.experiment;

import java.time.Duration;
import java.util.Optional;

/**
 * A FoundReference is the end of a protocol that searches for the reference peak: rounds of a pause until the compilers
 * are quiet and a load, until the level rises no more. One pause and one load are not enough for a service that starved
 * its compilers: new methods are compiled under the load, and starve again.
 *
 * @param favoured whether the compilers are put before all other threads in these rounds, where that is permitted
 */
public record FoundReference(boolean favoured) {
    /**
     * A search has at most this many rounds: Spring on platform threads and one CPU took seven
     * (docs/reference/protocols.md).
     */
    public static final int MOST_ROUNDS = 8;

    public static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

    public static final Duration LOAD = Duration.ofSeconds(15);

    /** A pause lasts this long where nothing shows what the compilers do. */
    public static final Duration BLIND_PAUSE = Duration.ofSeconds(5);

    /** A level has risen only if it is above all levels before it by more than this share. */
    public static final double RISE = 0.03;

    /**
     * FALL is a share of throughput: a first round that serves less than the load before it by more than this share
     * takes another. The service can do more, so one such load may be due to the machine; two show that it is the
     * service.
     */
    public static final double FALL = 0.05;

    /**
     * C2 may use at most this share of the target's CPUs in a round at the peak. CPU that C2 uses is missing to the
     * requests: with priority for the compilers the first round of Quarkus on one CPU served 371 req/s, less than the
     * load before it, and stood at a fifth of its peak. A service that compiles for ever ends with the last round.
     */
    public static final double C2_AT_PEAK = 0.05;

    /**
     * A round that other programs disturbed ends a search only if it is the third of these, or the last that a search may have:
     * where three were, so is the machine, and another would be too. What they differ by is in the error of their mean.
     */
    public static final int MOST_DISTURBED = 3;

    /** A search is expected to take four rounds, the average of 42 runs of two services on one CPU. */
    private static final int TYPICAL_ROUNDS = 4;

    /** Where the compilers have nothing left to do, it takes 1.4 to 2.1 rounds on average (bench/truth/RESULTS.md). */
    private static final int QUIET_ROUNDS = 2;

    private static final Duration TYPICAL_PAUSE = Duration.ofSeconds(10);

    private static final String LOADS = "reference-";

    /**
     * An End is the reason why no further round followed. After {@code FOUND} and {@code CONFIRMED} the last levels are the peak,
     * after {@code SERVED_LESS}, {@code DECLINING} and {@code FELL} they are none, and after the others it is a lower bound.
     */
    public enum End {
        FOUND("found"),
        CONFIRMED("confirmed by a round that agrees with earlier runs"),
        SERVED_LESS("the rounds served less than the load before them"),
        STILL_RISING("still rising after " + MOST_ROUNDS + " rounds"),
        DECLINING("still declining within round " + MOST_ROUNDS),
        FELL("still less than an earlier round in round " + MOST_ROUNDS),
        C2_STARVED("C2 still starved after " + MOST_ROUNDS + " rounds"),
        C2_BEHIND("methods still waited for C2 after " + MOST_ROUNDS + " rounds"),
        C2_UNKNOWN("whether methods still waited for C2 after " + MOST_ROUNDS + " rounds was not recorded");

        private final String text;

        End(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        /** Tells whether the peak may lie above what the rounds came to. */
        public boolean mayRise() {
            return switch (this) {
                case FOUND, CONFIRMED, SERVED_LESS, DECLINING, FELL -> false;
                case STILL_RISING, C2_STARVED, C2_BEHIND, C2_UNKNOWN -> true;
            };
        }

        /** Tells whether the levels of the last rounds are the peak. */
        public boolean isFound() {
            return this == FOUND || this == CONFIRMED;
        }

        /**
         * Returns this end as the loads leave it: what was found is no peak where they show that the service can do more.
         *
         * @param fell whether the last round surely served less than an earlier one
         * @param less whether the rounds served less than the load before them
         */
        public End shownBy(boolean fell, boolean less) {
            return !isFound() ? this : fell ? FELL : less ? SERVED_LESS : this;
        }
    }

    /** An Another is the reason why a round does not end the search. */
    public enum Another {
        STARVED("C2 starved", End.C2_STARVED),
        CLIMBING("still climbing", End.STILL_RISING),
        RISEN("more than before", End.STILL_RISING),
        DECLINING("declining", End.DECLINING),
        BEHIND("methods wait for C2", End.C2_BEHIND),
        BUSY("C2 busy", End.FOUND),
        UNTOLD("C2 busy, its queue unknown", End.C2_UNKNOWN),
        DISTURBED("disturbed by other programs", End.FOUND),
        FELL("less than before", End.FELL),
        UNSEEN("C2 not seen", End.C2_UNKNOWN),
        ALONE("too uncertain alone", End.FOUND);

        private final String text;
        private final End last;

        /** @param last what the search comes to where this was its last round */
        Another(String text, End last) {
            this.text = text;
            this.last = last;
        }

        public String text() {
            return text;
        }
    }

    /** A C2Left is what C2 had to do in a round. */
    public enum C2Left {
        /** The program's threads were seen, and none of them compiles as C2 does. */
        NONE,
        /** Nobody saw what it did, in this round alone. */
        UNSEEN,
        /** Nobody saw it in an earlier round either: another round would show as little. */
        BLIND,
        NOTHING,
        /** It used CPU that requests would have got, or asked for it. */
        BUSY,
        /** The same, and the JVM did not tell how many methods waited. */
        UNTOLD,
        /** Methods waited for it at the end. */
        BEHIND,
        STARVED
    }

    /**
     * A LastRound is what was seen of a round beside its level.
     *
     * @param change whether throughput went up (1) or down (-1) within it; a level has 0
     * @param fell whether it surely served less than an earlier round, by over a fifth: the service can do more than it shows
     * @param shown whether, if it is the first, it shows the peak by itself: it agrees with the end of the load before it, or
     *     there is no C2 that could raise it
     * @param agrees whether it agrees with the peak of the variant's earlier runs
     * @param disturbed how many rounds so far other programs disturbed, by notable CPU that they took from target or load; 0 if
     *     it is none of them
     */
    public record LastRound(int change, boolean fell, C2Left c2, boolean shown, boolean agrees, int disturbed) {}

    /**
     * Judges the rounds so far.
     *
     * @param before requests per second at the end of the load before the first round
     * @param levels requests per second of each round, at least one
     * @return empty for another round
     */
    public static Optional<End> after(double before, double[] levels, LastRound last) {
        Optional<Another> another = another(before, levels, last);
        if (another.isEmpty()) {
            return Optional.of(End.FOUND);
        }
        // Earlier runs found no more: their peak stands in for the round that would have to confirm this one.
        boolean confirmed = another.get() == Another.RISEN
                && last.change == 0
                && last.agrees
                && last.disturbed == 0
                && (last.c2 == C2Left.NOTHING || last.c2 == C2Left.NONE);
        if (confirmed) {
            return Optional.of(End.CONFIRMED);
        }
        if (levels.length < MOST_ROUNDS) {
            return Optional.empty();
        }
        // What declines or fell is no level: the analysis of the run takes it for no reference either.
        return Optional.of(last.change < 0 ? End.DECLINING : last.fell ? End.FELL : another.get().last);
    }

    /** Returns why these rounds do not show the peak by themselves, the most telling reason; empty where they do. */
    public static Optional<Another> another(double before, double[] levels, LastRound last) {
        int rounds = levels.length;
        double best = before;
        for (int i = 0; i < rounds - 1; i++) {
            best = Math.max(best, levels[i]);
        }
        Optional<Another> why = ofC2(last.c2);
        if (why.filter(Another.STARVED::equals).isPresent()) {
            return why;
        }
        if (last.change > 0) {
            return Optional.of(Another.CLIMBING);
        }
        if (levels[rounds - 1] > best * (1 + RISE)) {
            return Optional.of(Another.RISEN);
        }
        if (last.change < 0) {
            return Optional.of(Another.DECLINING);
        }
        if (why.isPresent()) {
            return why;
        }
        if (last.disturbed > 0 && last.disturbed < MOST_DISTURBED) {
            return Optional.of(Another.DISTURBED);
        }
        if (last.fell || fell(before, levels, last.c2)) {
            return Optional.of(Another.FELL);
        }
        if (last.c2 == C2Left.UNSEEN) {
            return Optional.of(Another.UNSEEN);
        }
        return rounds == 1 && !last.shown ? Optional.of(Another.ALONE) : Optional.empty();
    }

    private static Optional<Another> ofC2(C2Left left) {
        return switch (left) {
            case NONE, UNSEEN, BLIND, NOTHING -> Optional.empty();
            case BUSY -> Optional.of(Another.BUSY);
            case UNTOLD -> Optional.of(Another.UNTOLD);
            case BEHIND -> Optional.of(Another.BEHIND);
            case STARVED -> Optional.of(Another.STARVED);
        };
    }

    /**
     * Tells whether there was one round so far, and it served less than the load before it; or a second one, that follows only
     * as nobody sees C2, and served less than the first.
     */
    private static boolean fell(double before, double[] levels, C2Left left) {
        return switch (levels.length) {
            case 1 -> levels[0] < before * (1 - FALL);
            case 2 -> left == C2Left.BLIND && levels[1] < levels[0] * (1 - FALL);
            default -> false;
        };
    }

    /**
     * Returns the index of the first round at the peak: the first that no later one exceeds. Several rounds show it
     * better than the last alone, which a neighbour may have slowed.
     *
     * @param levels requests per second of each round
     */
    public static int firstAtPeak(double[] levels) {
        int first = levels.length - 1;
        double highest = Double.NEGATIVE_INFINITY;
        for (int i = levels.length - 1; i >= 0; i--) {
            if (highest <= levels[i] * (1 + RISE)) {
                first = i;
            }
            highest = Math.max(highest, levels[i]);
        }
        return first;
    }

    /** Returns how many rounds stood at the peak. */
    public static int atPeak(double[] levels) {
        return levels.length == 0 ? 0 : levels.length - firstAtPeak(levels);
    }

    /** Returns the name of a round's load phase; rounds count from 1. */
    public static String load(int round) {
        return LOADS + round;
    }

    public static String pause(int round) {
        return "pause-r" + round;
    }

    /** Tells whether this is the name of a round's phase; no other phase may have one. */
    public static boolean isRound(String phase) {
        return phase.matches("(" + LOADS + "|pause-r)\\d+");
    }

    /** Returns the number of the round that a load is; 0 for any other phase. */
    public static int round(String phase) {
        return phase.startsWith(LOADS) && isRound(phase) ? Integer.parseInt(phase.substring(LOADS.length())) : 0;
    }

    /** Returns a phase's name as it is shown while it goes on: a round of the search says what it is for. */
    public static String shown(String phase) {
        return round(phase) > 0 ? "peak, round " + round(phase) : phase;
    }

    static Duration typical() {
        return likely(0, false);
    }

    /**
     * Returns how many rounds a search is likely to take in all.
     *
     * @param begun so many have begun
     * @param quiet whether the compilers have nothing left to do
     */
    public static int rounds(int begun, boolean quiet) {
        return Math.max(begun, quiet ? QUIET_ROUNDS : TYPICAL_ROUNDS);
    }

    /** Returns how long those of them are likely to take that have not begun. */
    public static Duration likely(int begun, boolean quiet) {
        return TYPICAL_PAUSE.plus(LOAD).multipliedBy(rounds(begun, quiet) - begun);
    }

    static Duration atMost() {
        return LONGEST_PAUSE.plus(LOAD).multipliedBy(MOST_ROUNDS);
    }
}
