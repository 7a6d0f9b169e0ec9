/**
 * This package reads the files of Hyperfoil, and what its controller reports during a run. In come its CSV series,
 * {@code total.csv}, {@code all.json} or answers of the controller; out comes a load source with one row a second.
 *
 * <p>{@link HyperfoilRun} joins the series of a run's phases and metrics: a {@link SeriesReader} reads one series, whose
 * columns {@link SeriesColumns} knows by their names. {@link HyperfoilTotals} reads the exact end and the quantiles of each
 * phase. {@link HyperfoilJson} reads the same from one document, and {@link HyperfoilLive} from the reports during a run.
 * {@link SeriesColumns.SeriesCounting} counts the rows of tables that people make from such a series.
 */
@NullMarked
package dev.kiln.importer.hyperfoil;

import org.jspecify.annotations.NullMarked;
