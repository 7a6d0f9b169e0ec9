/**
 * This package has load drivers behind one interface. In comes the load of a run ({@code LoadSpec}) with its phases;
 * out come the evidence files of the run and a figure for each phase.
 *
 * <p>A {@link LoadDriver} is started and warmed up once for an experiment. For each run it opens a {@link LoadSession}, which
 * waits for the target's first good answer, sends the load of one phase after the other, and reports each second as it passes.
 * A wait that fails ends with the {@link LoadSession.AttemptResult} of its last attempt; a phase ends with a {@link PhaseResult}, which has
 * its requests, the driver's own cost and what casts doubt on the figures. {@link PlainHttp} sends the first requests for
 * drivers that cannot wait themselves. Kiln's own driver is in {@code dev.kiln.load.driver}.
 */
@NullMarked
package dev.kiln.load;

import org.jspecify.annotations.NullMarked;
