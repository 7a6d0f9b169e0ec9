package dev.kiln.importer;

import java.time.LocalDate;

/**
 * Times of day, as logs print them, to seconds that grow over midnight. They count from the date's midnight as if the zone were
 * UTC; without a date from the first day's midnight.
 */
final class DayClock {
    private static final long DAY = 86_400;

    private long midnight;
    private long last = Long.MIN_VALUE;

    /** A new head of a log: its date, if it tells one, is that of the next time. */
    void date(SysstatHead head) {
        head.date().map(LocalDate::toEpochDay).ifPresent(day -> midnight = day * DAY);
    }

    /** Seconds of a time that is not before the one before it; -1 if it is. */
    long forward(long secondOfDay) {
        long seconds = near(secondOfDay);
        if (seconds < last) {
            return -1;
        }
        last = seconds;
        midnight = Math.floorDiv(seconds, DAY) * DAY;
        return seconds;
    }

    /** Seconds of a time that stands before those it is followed by, as in a header. */
    long before(long secondOfDay) {
        long seconds = near(secondOfDay);
        last = last == Long.MIN_VALUE ? seconds : last;
        return seconds;
    }

    private long near(long secondOfDay) {
        long seconds = midnight + secondOfDay;
        if (last == Long.MIN_VALUE) {
            return seconds;
        }
        if (seconds < last - DAY / 2) {
            return seconds + DAY;
        }
        return seconds > last + DAY / 2 ? seconds - DAY : seconds;
    }

    /** A time since 1970, which needs no date. */
    long absolute(long seconds) {
        if (seconds < last) {
            return -1;
        }
        last = seconds;
        return seconds;
    }
}
