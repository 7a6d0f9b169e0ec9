/**
 * A report is a result in words and tables; this package has what the reports of every form share. An analysed result comes in; text, Markdown, CSV or XML goes out. A {@link SummaryTable} is
 * the beginning of every report of an experiment: a {@link Cell} for each figure, with its range over the runs from a
 * {@link Cell.Spread}. A {@link Grid} lays such cells out in the columns of a {@link TerminalStyle}, or in Markdown. {@link
 * Reading}, {@link Facts}, {@link Launches} and {@link VerdictWords} say the same things in the same words everywhere.
 * {@link ComparisonText} is the report of a comparison, in {@link ComparisonWords} that all forms share. A {@link Section} is what a product adds to the report of an
 * experiment. A {@link JsonOut} writes the JSON of all packages. The forms are in the packages below: {@code terminal}, {@code html} and {@code json}.
 */
@NullMarked
package dev.kiln.report;

import org.jspecify.annotations.NullMarked;
