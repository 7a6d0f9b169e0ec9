/**
 * This package reads the files of other programs that send load or run benchmarks, and any CSV. In come their logs and
 * results; out come load sources, whole runs or logs of the system.
 *
 * <p>Formats with a line for each request ({@link JMeterCsv}, {@link JMeterXml}, {@link GatlingLog}, {@link H2loadLog},
 * {@link VegetaCsv}, {@link VegetaJson}, {@link GhzReport}, {@link K6}, {@link Oha}) make a {@link Request} of it; a {@link RequestLog} passes these to its {@link
 * RequestLog.RequestLoads}, which finds the loads, and {@link RequestBins}, which counts bins. Tables with a row for each
 * second ({@link SeriesCsv}, {@link MappedCsv}) become {@link SeriesRows}, which a {@link SeriesGrid} brings to rows of equal
 * length; {@link SeriesNames} finds their columns, {@link SeriesSteps} the unit of times that tell none, and a {@link RowClock} reads their times. {@link WrkOutput}, {@link ToolJson}, {@link K6Summary}, {@link VegetaReport} and
 * each {@link ToolSummary} ({@link H2loadSummary}, {@link HeySummary}, {@link AbSummary}) have totals only, maybe with
 * {@link PrintedQuantiles}. {@link Jmh}, {@link JmhLog} and {@link Renaissance} read iterations of benchmarks,
 * {@link LabMetrics} the facts of a lab's runs, and {@link GcLog} the pauses of a collector.
 */
@NullMarked
package dev.kiln.importer.program;

import org.jspecify.annotations.NullMarked;
