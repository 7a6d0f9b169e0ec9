/**
 * The commands in this package read what was recorded. A folder, a series or a file of another program comes in; the
 * verdict goes out, as text, JSON and a report. {@link ReportCommand} renders an experiment again, {@link
 * ExplainCommand} says why, {@link CompareCommand} holds variants of any experiments against one another, {@link
 * AnalyzeCommand} takes any series, {@link ImportCommand} the files of other tools, and {@link FlameCommand} draws a
 * recording. {@link Reporting} is the one way from a folder to all that is read of it; {@link Subjects} are the
 * variants that a user names, and {@link Reporting.Recordings} completes what a run had no time to digest.
 */
@NullMarked
package dev.kiln.results;

import org.jspecify.annotations.NullMarked;
