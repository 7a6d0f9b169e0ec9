/**
 * The stats package turns series of numbers into results with their intervals and their warnings.
 *
 * <p>The figures of runs come in, one a run, and {@link Summary} describes those of one configuration. {@link Student.Welch}
 * and {@link Student.PairedRatio} compare two configurations by {@link Student}'s t, with {@link HodgesLehmann} and an {@link
 * ExactTest} beside them; {@link CensoredTimes} are times that not every run reached. {@link Estimate.Slack} widens an interval
 * by what bins leave open, {@link Multiplicity} adjusts for many comparisons, and {@link Sessions} for runs of two
 * sessions.
 *
 * <p>An {@link Estimate} goes out, with a {@link Conclusion}, or a {@link Gate} with its verdict; {@link Power} says
 * how many runs would decide. {@link LongTrend} and {@link LevelShifts} read long series, and a {@link ScalabilityFit}
 * reads throughputs by connections. Every constant for the analysis of one series is in the {@link AnalysisConfig}.
 */
@NullMarked
package dev.kiln.stats;

import org.jspecify.annotations.NullMarked;
