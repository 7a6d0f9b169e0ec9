/**
 * This package compares the runs of several configurations and decides whether they differ; it knows no process, file
 * or clock.
 *
 * <p>What comes in are configurations: {@link VariantRuns} makes a {@link Configuration} of a variant of an experiment,
 * and tables become one elsewhere. A Configuration holds a {@link Measured} for each {@link Quantity}, one value a run,
 * and each {@link Circumstance} that must be alike for a comparison to be fair.
 *
 * <p>There are two ways through it. {@link Comparer} compares each configuration with the first: for each metric a
 * MetricComparer judges a MetricEstimate, {@link EarlierSessions} say how much sessions differ, and a correction for
 * the number of comparisons follows; a {@link Comparison} comes out. {@link Gates} hold the same metrics against
 * tolerances, and a {@link Gates.GateResult} comes out. {@link Calibration} runs the gate on one configuration against
 * itself, to count its false alarms.
 */
@NullMarked
package dev.kiln.compare;

import org.jspecify.annotations.NullMarked;
