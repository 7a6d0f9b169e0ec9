/**
 * This package has all load generators that an experiment can name. In comes the load of an experiment with its
 * protocol; out comes a driver behind the interface of {@code dev.kiln.load}, or an error that says what the generator
 * cannot send.
 *
 * <p>{@link Engines} makes the {@link Engine} that a load names: Kiln's own driver, a {@link ToolEngine} or a
 * {@link HyperfoilEngine}. A ToolEngine starts a {@link Tool} ({@link Wrk}, {@link H2load}, {@link Vegeta}, {@link Ghz}, or a
 * {@link JvmTool}: {@link JMeter} or {@link Gatling}) for each phase: a {@link ToolSession} runs it below the {@link ToolShell},
 * and a {@link LiveLog} reads its log meanwhile. A HyperfoilEngine opens
 * a {@link HyperfoilEngine.HyperfoilDriver}, whose {@link HyperfoilSession} sends a {@link HyperfoilBenchmark} to the
 * {@link HyperfoilController}; a {@link HyperfoilFollower} waits for its end, and a {@link HyperfoilResult} judges it. Both
 * sessions are a {@link ForeignSession}: it waits for the target by a {@link FirstAnswer}, and writes the figures as evidence.
 */
@NullMarked
package dev.kiln.engines;

import org.jspecify.annotations.NullMarked;
