package dev.kiln.load.driver.http;

import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec.Feed.Order;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Variables;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Feeder deals out what differs from request to request; one for all replicas of a load. All values of a request follow from
 * its {@link Turn}, so that a request that is sent again is the same, and nothing is kept of those that were sent.
 */
public final class Feeder {
    private static final int ROUNDS = 6;

    private final long seed;
    private final Optional<FeedTable> table;
    private final Order order;
    private final long rows;
    /** This is half of the bits of a row's number, rounded up. */
    private final int halfBits;

    private final List<String> taken;
    private final Dealt dealt;
    private int places;

    /** A Dealt is how far all event loops together have come in the feed. */
    private static final class Dealt {
        private long requests;
        private long fed;
    }

    /** @param taken names of the values that a session has of answers */
    Feeder(Variables variables, Optional<FeedTable> table, List<String> taken) {
        this(
                variables.seed(),
                table,
                variables.feed().map(feed -> feed.order()).orElse(Order.SEQUENTIAL),
                taken,
                new Dealt());
    }

    private Feeder(long seed, Optional<FeedTable> table, Order order, List<String> taken, Dealt dealt) {
        this.taken = taken;
        this.seed = seed;
        this.table = table;
        this.order = order;
        this.dealt = dealt;
        rows = table.map(FeedTable::rows).orElse(1);
        halfBits = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(rows - 1) + 1) / 2);
    }

    /** Makes another loop's feeder: it deals out what is left, the same for the same request, one at a time. */
    Feeder again() {
        return new Feeder(seed, table, order, taken, dealt);
    }

    /** A Turn is what distinguishes a request from all others. */
    public static final class Turn {
        /** Requests are numbered from 0. */
        long number;
        /** The row is that of the feed, from 0. */
        int row;
        /** These values are from earlier answers in the session, by the index of their names. */
        byte[][] taken = {};
        /** The cookies are those of the session's user; null for none. */
        @Nullable
        Cookies cookies;

        void set(Turn other) {
            number = other.number;
            row = other.row;
        }
    }

    /** Sets the turn of the next request, and tells whether there is one: no row may be left. */
    boolean next(Turn turn, boolean feeds) {
        if (feeds) {
            if (order == Order.UNIQUE && dealt.fed >= rows) {
                return false;
            }
            turn.row = row(dealt.fed++);
        }
        turn.number = dealt.requests++;
        return true;
    }

    /** Makes the first row the next one. */
    void rewind() {
        dealt.fed = 0;
    }

    FeedTable table() {
        return table.orElseThrow(() -> new IllegalStateException("a variable of a feed, and no feed"));
    }

    /** Returns the index at which a session has the value of this name; negative for a column of the feed. */
    int taken(String name) {
        return taken.indexOf(name);
    }

    /** Returns how many values a session has. */
    int taken() {
        return taken.size();
    }

    /** Tells whether a request has this value in a column of the feed. */
    boolean is(Turn turn, String column, byte[] value) {
        return table().is(turn.row, table().columns().indexOf(column), value);
    }

    /** Returns a number for a place with a random value: two places of a request do not get the same. */
    int newPlace() {
        return places++;
    }

    /** Returns 64 random bits that depend on seed, request and place only. */
    long draw(Turn turn, int place) {
        return mix(mix(mix(seed) + turn.number) + place);
    }

    private int row(long number) {
        return switch (order) {
            case SEQUENTIAL, UNIQUE -> (int) (number % rows);
            case SHUFFLED -> permuted(mix(mix(seed) + number / rows), (int) (number % rows));
        };
    }

    /**
     * Permutes the rows without memory: a Feistel network over the next power of 4, gone through again until a row comes out
     * (cycle walking; Black and Rogaway, Ciphers with Arbitrary Finite Domains, 2002).
     */
    private int permuted(long key, int index) {
        long mask = (1L << halfBits) - 1;
        long at = index;
        do {
            long left = at >>> halfBits;
            long right = at & mask;
            for (int i = 0; i < ROUNDS; i++) {
                long next = left ^ (mix(key + mix(right + ((long) i << 32))) & mask);
                left = right;
                right = next;
            }
            at = (left << halfBits) | right;
        } while (at >= rows);
        return (int) at;
    }

    /** Mixes a number's bits as SplitMix64 (Steele, Lea and Flood, Fast Splittable PRNGs, 2014). */
    private static long mix(long x) {
        long z = x + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** A ReplaySchedule says when recorded requests are due, over and over. It allocates nothing. */
    public static final class ReplaySchedule {
        private final Feeder feeder;
        private final FeedTable table;
        private final int at;
        private final double speed;
        private final long periodNanos;

        /** @param feeder deals out the rows in their order */
        ReplaySchedule(Replay replay, Feeder feeder) {
            this.feeder = feeder;
            table = feeder.table();
            at = table.columns().indexOf(Replay.AT);
            speed = replay.speed();
            periodNanos = replay.period().toNanos();
        }

        /** Returns when a request of the phase is due, in ns since the phase began; requests are numbered from 0. */
        public long due(long number) {
            long round = number / table.rows();
            return (long) ((round * periodNanos + table.number((int) (number % table.rows()), at)) / speed);
        }

        /** Goes back to the first request at the beginning of a phase, so that phases can be compared. */
        public void rewind() {
            feeder.rewind();
        }
    }
}
