/**
 * This package has what all foreign formats have in common. In comes a file; out come a load or a log that an importer
 * can write as evidence.
 *
 * <p>A {@link Format} recognises a file by its beginning and says what it becomes. {@link Lines} reads a file line by line: a
 * {@link Cursor} reads the fields of one, {@link dev.kiln.text.CsvRows} the rows of a table, and {@link Json} a small document;
 * {@link TimeText} reads times. A {@link CsvMapping} has the columns of a table that the user named. A load becomes a {@link
 * LoadSource}, whose rows go to a {@link LoadSource.LoadSink}; a log becomes a {@link SystemLog}, whose samples go to its sink. Both cover
 * a {@link LoadSource.Span}. An {@link Format.ImportedRun} is a run from a file that has several, and {@link Format.ImportOptions} are what the
 * user asked for.
 */
@NullMarked
package dev.kiln.importer.format;

import org.jspecify.annotations.NullMarked;
