package dev.kiln.recorder;

import dev.kiln.model.experiment.Protocol.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * DumpTimes are the moments of one load at which the target's threads are dumped: near its end, where the service is as good
 * as it gets in this load, and near the beginning of a cold one, where classes are initialised.
 *
 * @param nanos on the clock of {@link System#nanoTime}, ascending
 * @param endNanos when the load is over: an answer that comes later is of something else
 */
public record DumpTimes(List<Long> nanos, long endNanos) {
    private static final List<Duration> BEGINNING =
            List.of(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(6));

    private static final int AT_END = 5;
    private static final Duration APART = Duration.ofSeconds(1);

    /** A load may end a little before its time is over, and a starved JVM answers late. */
    private static final Duration BEFORE_END = Duration.ofMillis(500);

    /** A load that may end before its time may end at any moment. */
    private static final Duration MEANWHILE = Duration.ofSeconds(10);

    public DumpTimes {
        nanos = List.copyOf(nanos);
    }

    /**
     * Returns the moments of a load.
     *
     * @param cold whether the target has had no load before
     */
    public static DumpTimes of(long beginNanos, Phase.Load load, boolean cold) {
        long end = beginNanos + load.duration().toNanos();
        List<Long> atEnd = new ArrayList<>();
        for (int i = AT_END - 1; i >= 0; i--) {
            long at = end - BEFORE_END.plus(APART.multipliedBy(i)).toNanos();
            if (at > beginNanos) {
                atEnd.add(at);
            }
        }
        List<Long> all = new ArrayList<>();
        Optional<Duration> steady = load.earliestEnd();
        long from =
                beginNanos + steady.orElse(load.duration()).minus(BEFORE_END).toNanos();
        if (cold) {
            BEGINNING.stream()
                    .map(after -> beginNanos + after.toNanos())
                    .filter(at -> at < from && before(at, atEnd))
                    .forEach(all::add);
        }
        for (long at = from; steady.isPresent() && before(at, atEnd); at += MEANWHILE.toNanos()) {
            all.add(at);
        }
        all.addAll(atEnd);
        return new DumpTimes(all, end);
    }

    /** Returns moments that divide a stretch evenly. */
    public static DumpTimes within(long beginNanos, Duration length, int dumps) {
        List<Long> all = new ArrayList<>();
        for (int i = 1; i <= dumps; i++) {
            all.add(beginNanos + length.toNanos() * i / (dumps + 1));
        }
        return new DumpTimes(all, beginNanos + length.toNanos());
    }

    /** Returns the same moments on a clock that shows so much more. */
    public DumpTimes plus(long moreNanos) {
        return new DumpTimes(nanos.stream().map(at -> at + moreNanos).toList(), endNanos + moreNanos);
    }

    /** Tells whether a moment lies before all of those by as much as these lie apart. */
    private static boolean before(long nanos, List<Long> all) {
        return all.isEmpty() || nanos + APART.toNanos() <= all.getFirst();
    }
}
