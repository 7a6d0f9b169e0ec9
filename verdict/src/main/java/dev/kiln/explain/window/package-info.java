/**
 * This package says what the samples of a part of a run show: threads, CPUs, memory, compilers and load.
 *
 * <p>What comes in is a run's evidence and a {@link Window}. {@link Recorded} keeps the tables that cover most of it,
 * and {@link BinPolicy} says what the rows are that other programs recorded. The load of each phase becomes a
 * {@link LoadSeries}. {@link ThreadTimes} hold the counters of every thread, and return the {@link CpuUse} of a role in
 * any window. {@link WindowStatisticsBuilder} digests all of it, with JitWindow for the compilers, into
 * {@link WindowStatistics}.
 *
 * <p>What goes out is a {@link WindowEvidence}: evidence, statistics and window together, with the questions that
 * causes and diagnoses ask of it. {@link Thresholds} say where evidence becomes a finding.
 */
@NullMarked
package dev.kiln.explain.window;

import org.jspecify.annotations.NullMarked;
