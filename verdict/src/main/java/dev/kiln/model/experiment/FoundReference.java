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
     * A search is expected to take four rounds, the average of 42 runs of two services on one CPU; a warm service takes
     * one.
     */
    private static final int TYPICAL_ROUNDS = 4;

    private static final Duration TYPICAL_PAUSE = Duration.ofSeconds(10);

    private static final String LOADS = "reference-";

    /**
     * An End is the reason why no further round followed. After {@code FOUND} the last level is the peak, after {@code
     * DECLINING} there is none, and after the others it is a lower bound.
     */
    public enum End {
        FOUND("found"),
        STILL_RISING("still rising after " + MOST_ROUNDS + " rounds"),
        DECLINING("still declining within round " + MOST_ROUNDS),
        C2_STARVED("C2 still starved after " + MOST_ROUNDS + " rounds");

        private final String text;

        End(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /**
     * Judges the rounds so far.
     *
     * @param before requests per second at the end of the load before the first round
     * @param levels requests per second of each round, at least one
     * @param change whether throughput went up (1) or down (-1) within the last of them; a level has 0
     * @param starved whether C2 was starved in the last of them
     * @param c2Share share of the target's CPUs that C2 used in the last of them
     * @return empty for another round
     */
    public static Optional<End> after(double before, double[] levels, int change, boolean starved, double c2Share) {
        double last = levels[levels.length - 1];
        double best = before;
        for (int i = 0; i < levels.length - 1; i++) {
            best = Math.max(best, levels[i]);
        }
        boolean rising = change > 0 || last > best * (1 + RISE);
        boolean open = rising || fell(before, levels) || change < 0 || starved || c2Share > C2_AT_PEAK;
        if (open && levels.length < MOST_ROUNDS) {
            return Optional.empty();
        }
        return Optional.of(
                starved ? End.C2_STARVED : rising ? End.STILL_RISING : change < 0 ? End.DECLINING : End.FOUND);
    }

    /** Tells whether there was one round so far, and it served less than the load before it. */
    public static boolean fell(double before, double[] levels) {
        return levels.length == 1 && levels[0] < before * (1 - FALL);
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
     * Returns how long the rounds are likely to take that have not begun.
     *
     * @param begun so many have
     * @param quiet whether the compilers have nothing left to do: then the first round is the last
     */
    public static Duration likely(int begun, boolean quiet) {
        return TYPICAL_PAUSE.plus(LOAD).multipliedBy(Math.max(0, (quiet ? 1 : TYPICAL_ROUNDS) - begun));
    }

    static Duration atMost() {
        return LONGEST_PAUSE.plus(LOAD).multipliedBy(MOST_ROUNDS);
    }
}
