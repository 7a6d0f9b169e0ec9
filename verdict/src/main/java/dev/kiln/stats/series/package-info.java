/**
 * The series package analyses one series of throughput: its peak, the time to it, its end, its shape and its noise.
 *
 * <p>Bins come in, of the first load and of the loads after a pause; {@link Bins} says which of them can be trusted,
 * and {@link Bins.BinWidth} joins them where few requests were served. {@link SeriesAnalyser} takes the steps: {@link
 * LoadsRead} finds the outages, the {@link RegularDips}, each {@link LowSpell} and the {@link Noise}, the loads after
 * the pause give the {@link Peak}, and {@link TimeToPeak} and {@link Ending} are read against it. A {@link HeldLevel}
 * and a {@link Cycle} are the shapes that are no rise to a level; a {@link Disturbance} is reported beside them.
 *
 * <p>A {@link SeriesAnalysis} goes out, with an interval for each figure. {@link Fall} says afterwards why throughput
 * fell from one part of a run to a later one.
 */
@NullMarked
package dev.kiln.stats.series;

import org.jspecify.annotations.NullMarked;
