package dev.kiln.importer.program;

import dev.kiln.importer.format.TimeText;
import dev.kiln.text.CsvTable.CsvRow;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A RowClock reads the times of rows one after the other, the oldest first: times of day begin anew at midnight, and an hour of
 * local time is there twice when summer ends.
 */
final class RowClock {
    private static final long DAY = 86_400_000_000_000L;

    private final String unit;
    private final ZoneId zone;
    private long before;

    RowClock(String unit, ZoneId zone) {
        this.unit = unit;
        this.zone = zone;
    }

    /** Returns the rows in the order in which they are to be read: dashboards write the newest first. */
    List<CsvRow> oldestFirst(List<CsvRow> rows, Function<CsvRow, String> cell) {
        int up = 0;
        OptionalLong above = OptionalLong.empty();
        for (CsvRow row : rows) {
            OptionalLong time = TimeText.nanos(cell.apply(row), unit, zone);
            if (time.isPresent() && above.isPresent()) {
                long step = time.getAsLong() - above.getAsLong();
                boolean midnight = unit.equals(TimeText.OF_DAY) && Math.abs(step) > DAY / 2;
                up += midnight ? -Long.signum(step) : Long.signum(step);
            }
            above = time;
        }
        return up < 0 ? rows.reversed() : rows;
    }

    /** Returns the time of the next row, not before that of the last one if it can be later. */
    long next(String cell, long nanos) {
        long next = nanos;
        if (unit.equals(TimeText.OF_DAY)) {
            while (next < before - DAY / 2) {
                next += DAY;
            }
        } else if (unit.equals("iso") && nanos < before) {
            long second = TimeText.second(cell, zone).orElse(nanos);
            next = second < before ? nanos : second;
        }
        before = next;
        return next;
    }
}
