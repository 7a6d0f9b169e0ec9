package dev.kiln.text;

import dev.kiln.model.KilnException;
import java.util.function.Consumer;

/** CsvLines are the lines of a file that {@link CsvRows} makes rows of; whoever reads the file numbers them, from 1. */
public interface CsvLines {
    /** Moves to the next line; false at the end of the file. */
    boolean next();

    /** Moves to the next line that is not blank; false at the end. A line that was cut short is reported and skipped. */
    boolean nextRow(Consumer<String> gaps);

    /** Returns the current line without its line break. */
    String text();

    /** Tells whether the current line ended in a line break: the last one of a file that was cut short does not. */
    boolean whole();

    /** Returns the number of the current line, from 1. */
    long number();

    /** Returns the name of the file in messages. */
    String file();

    /** Returns the words for a current line that is the last and not whole. */
    String cutShort();

    /** Returns the error for the current line. */
    KilnException malformed(String found, String expected);
}
