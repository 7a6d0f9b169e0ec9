/**
 * This package shows results to a person at a terminal. An analysed result or a diagnosis comes in; lines go out that
 * fit the width and the characters of the terminal. {@link TerminalReport} is an experiment as one table, one sentence
 * and footnotes, and {@link ExplanationText} says why its runs are as they are. {@link AnalysisText} is a single series
 * with its picture. {@link LiveLine} is the one line of an experiment that runs, and a {@link Sparkline} is a series in a line
 * of its own or of a product.
 */
@NullMarked
package dev.kiln.report.terminal;

import org.jspecify.annotations.NullMarked;
