package dev.kiln.report;

import java.util.Optional;
import java.util.function.DoubleFunction;

/**
 * One figure of a table.
 *
 * @param text the figure over the valid runs
 * @param range lowest and highest run, or how many runs have it
 * @param note what a reader must know about this figure; an absent one says here why
 */
record Cell(String text, Optional<String> range, Optional<String> note) {
    static Cell of(String text) {
        return new Cell(text, Optional.empty(), Optional.empty());
    }

    static Cell absent(String why) {
        return new Cell(Text.ABSENT, Optional.empty(), Optional.of(why));
    }

    /** The median, and the range where it says more. */
    static Cell of(Spread spread, DoubleFunction<String> format) {
        Cell cell = of(format.apply(spread.median()));
        String range = Text.range(spread.min(), spread.max(), format);
        return range.equals(cell.text()) ? cell : cell.withRange(range);
    }

    Cell withNote(String why) {
        return new Cell(text, range, Optional.of(why));
    }

    Cell withRange(String between) {
        return new Cell(text, Optional.of(between), note);
    }
}
