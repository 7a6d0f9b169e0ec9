/**
 * This package has texts that people write or read. In come the bytes of a file that a user named; out come tables,
 * numbers and messages with file and line. The other way, figures go out as people read them.
 *
 * <p>A {@link Source} is a decoded file with its name. {@link CsvTable} or {@link JsonTable} turns it into columns and rows, by
 * the rules for quotes where it has some, and {@link Decimal} reads a cell as a number or refuses it with its place. A
 * CSV that a program wrote, and that may be large, is read row by row: {@link CsvRows} takes the {@link CsvRows.CsvLines} of whoever
 * reads the file. {@link CsvLine} is one of its rows. {@link Nearest} finds what a misspelt word was meant to be.
 *
 * <p>{@link Show} writes figures, the same under every locale. A {@link TerminalWriter} is the one way to a terminal, and
 * {@link PathText} writes a path as a part of an address.
 */
@NullMarked
package dev.kiln.text;

import org.jspecify.annotations.NullMarked;
