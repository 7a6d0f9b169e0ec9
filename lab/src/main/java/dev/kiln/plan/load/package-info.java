/**
 * This package reads the load of an experiment: which requests go to the target, how many at a time, and in which
 * phases. In comes the map {@code load:} of a file, or the same texts from flags; out comes a template of the load and
 * a protocol.
 *
 * <p>One walk through it: {@link LoadBinder} reads the map, {@link CallsBinder} its calls, and {@link CallTexts} checks their URLs,
 * headers and variables. Values come from a {@link FeedFile}, or from answers within {@link SessionBinder}.
 * {@link ReplayBinder} is for recorded traffic instead: {@link RecordingFile} reads a {@link HarFile} or an
 * {@link AccessLog} into {@link RecordedTraffic}. {@link EngineOptions} reads the map of another load generator, that of
 * Gatling by {@link GatlingOptions}. {@link Protocols} and {@link ShapeText} read the phases,
 * {@link Sweep} repeats variants at several numbers of connections, and {@link Defaults} has what holds where nothing
 * is written. {@link WarmRequests} reads the requests of a warm-up outside any experiment.
 */
@NullMarked
package dev.kiln.plan.load;

import org.jspecify.annotations.NullMarked;
