/**
 * This package has what is sent, and how. In come the calls of a load and the event loop's decision to send; out come
 * requests over HTTP/1.1 or HTTP/2, and for each of them a success or a failure.
 *
 * <p>{@link Calls} are the requests to one target, each a {@link Call}; a {@link Feeder} gives those that differ their values,
 * a {@link Feeder.ReplaySchedule} says when recorded ones are due, and a {@link Session} keeps {@link Cookies} and the
 * values that a user takes from an {@link Answer}. A {@link Slot} sends one request at a time over a {@link Line}, which opens
 * a {@link Connection} when it needs one: an {@link Http1Connection}, or an {@link Http2Connection} with its {@link
 * Http2Codec}. All of it runs on an {@link IoThread}.
 */
@NullMarked
package dev.kiln.load.driver.http;

import org.jspecify.annotations.NullMarked;
