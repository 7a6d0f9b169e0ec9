/**
 * {@code kiln sweep} measures a service by its number of connections. An experiment whose variants are levels of
 * connections comes in; throughput and response time by level, the law that fits them, and how many processes fit
 * into an amount of memory go out. {@link SweepCommand} runs the levels. The law and the levels are found with the
 * other results of an experiment, because the levels of a sweep must not be held against one peak. {@link
 * SweepSection} hangs the result into every report of an experiment; {@link HtmlSweep}, {@link SweepSection.SweepJson} and {@link
 * SweepReport} are its forms.
 */
@NullMarked
package dev.kiln.sweep;

import org.jspecify.annotations.NullMarked;
