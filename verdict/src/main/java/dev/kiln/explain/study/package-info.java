/**
 * This package says what many runs show: experiments with their sweeps and claims.
 *
 * <p>What comes in is the evidence of runs. {@link Assessment} adds
 * the runs of an experiment one by one and makes its {@link ExperimentResult}: the {@link Assessment.Yardstick} holds variants
 * against one peak, {@link Claims} answer each claim with a {@link ExperimentResult.ClaimResult}, a SweepAssessment finds the levels of
 * a {@link SweepResult}, ExperimentConclusion and Footnotes put it in words. {@link Headline} and {@link Summaries}
 * shorten the result for a page and for a file. {@link Precision} decides whether an adaptive experiment needs another
 * block.
 *
 * <p>A {@link PastRun} is a run of an experiment that is over, for those who follow a metric over many. What goes out
 * are these results; they are rendered elsewhere.
 */
@NullMarked
package dev.kiln.explain.study;

import org.jspecify.annotations.NullMarked;
