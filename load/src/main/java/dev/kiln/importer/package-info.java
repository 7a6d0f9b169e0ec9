/**
 * This package turns result files of other programs into evidence. In come files and folders of results; out comes the
 * evidence of an experiment, with aligned clocks and with notes on what could not be read.
 *
 * <p>An {@link Importer} has a {@link LabFolder} find the files, each of one of the {@link Formats}. {@link RunGroups} sorts
 * them into runs, which {@link RunNames} names by their paths, with {@link RunNumbers}. A {@link RunImport} imports one run: a {@link ClockFit} aligns
 * the clock of each log with that of the load, and a {@link RunOutput} writes what the parsers read, with the {@link ForeignRun.Phases} of
 * the run. {@link ToolOutput} uses the same parsers for a program that Kiln itself ran, and {@link SeriesImport} makes a run
 * from a series in memory. The parsers are in the packages {@code hyperfoil}, {@code program} and {@code sysstat}.
 */
@NullMarked
package dev.kiln.importer;

import org.jspecify.annotations.NullMarked;
