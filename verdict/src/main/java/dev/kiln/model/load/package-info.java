/**
 * The load package describes what is sent to a service, and what is counted of its answers.
 *
 * <p>A {@link LoadSpec} comes in: calls, the {@link Sending} that all of them share, and the variables that make
 * requests differ. A text of a call that differs from request to request is a {@link VariedText}, whose values come
 * from a row of a {@link FeedTable}, from a draw, or from an earlier answer, where a {@link Take} finds them. A {@link
 * Shape} changes the load in the course of a phase.
 *
 * <p>A series goes out: each {@link LoadBin} counts the requests of a slice of time, each {@link LoadBin.CallBin} those of one
 * call of a mix, and each {@link Latency} has the quantiles of a second or of a phase.
 */
@NullMarked
package dev.kiln.model.load;

import org.jspecify.annotations.NullMarked;
