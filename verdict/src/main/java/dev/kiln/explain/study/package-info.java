/**
 * This package says what many runs show: experiments with their sweeps and claims, soaks, comparisons of starts, and
 * histories.
 *
 * <p>What comes in are the evidence of runs, the windows of a soak, or the starts of commands. {@link Assessment} adds
 * the runs of an experiment one by one and makes its {@link ExperimentResult}: the {@link Yardstick} holds variants
 * against one peak, {@link Claims} answer each claim with a {@link ClaimResult}, a SweepAssessment finds the levels of
 * a {@link SweepResult}, ExperimentConclusion and Footnotes put it in words. {@link Headline} and {@link Summaries}
 * shorten the result for a page and for a file. {@link Precision} decides whether an adaptive experiment needs another
 * block.
 *
 * <p>{@link SoakAssessment} makes a {@link SoakResult} from {@link SoakTrends}, {@link StartupAssessment} a
 * {@link StartupResult} from pairs of starts, and {@link History} follows a metric over many experiments that are over.
 * What goes out are these results; they are rendered elsewhere.
 */
@NullMarked
package dev.kiln.explain.study;

import org.jspecify.annotations.NullMarked;
