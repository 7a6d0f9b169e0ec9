/**
 * This package turns the evidence of runs into results and verdicts; it knows no process, file or clock.
 *
 * <p>What comes in is the evidence of one run. {@link RunDigest} reads it once: {@link Validity} decides whether a peak
 * may be read from it, {@link Curves} and {@link Inside} keep its series for pictures, {@link TargetCpu} the CPU per
 * request, {@link ResponseTimes} and {@link CallResult} the response times and the calls, {@link RunNotes} what a
 * reader must know. The package window digests what threads and compilers did, the package cause judges it, and
 * {@link Forecaster} estimates when C2 will be done.
 *
 * <p>While a run goes on, {@link UntilKnown} says whether its load may end, and {@link PeakSearch} whether the search for its peak
 * may.
 *
 * <p>What goes out is a {@link RunResult}, once the reference peak of the variant is known: {@link Verdicts} joins the
 * curve with the compilers' evidence, and {@link RunFigures} computes each metric. Runs of one variant are a
 * {@link VariantResult}, from which the package study goes on. A live process has no peak; the doctor judges it by
 * the same causes.
 */
@NullMarked
package dev.kiln.explain;

import org.jspecify.annotations.NullMarked;
