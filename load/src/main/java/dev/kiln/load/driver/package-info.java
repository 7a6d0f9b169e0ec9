/**
 * This package is Kiln's own driver: a closed or open loop over Netty, in a process of its own that stays warm. In come
 * the loads and phases of runs; out come the evidence files of each run and a result for each phase.
 *
 * <p>{@link NettyDriver} is the side of Kiln: it starts a {@link DriverProcess}, in which {@link DriverMain} reads commands,
 * and both use {@link DriverLines}. A {@link WarmUpRun} first runs the driver's code against a {@link WarmUpServer}; a {@link
 * DriverCache} keeps what the JVM learned. A {@link LocalSession} then has a {@link Prober} wait for the target, and {@link
 * Loops} send the load. Each event loop has a {@link LoadRun} over its {@link LoopLines}: {@link LoopClaims} give it the next
 * request, which is due by the {@link Pace} of the phase, and a {@link PhaseRecorder} counts what becomes of it. A {@link
 * BinWriter} takes the full bins, and a {@link BinWriter.PhaseLog} writes them.
 *
 * <p>The process may run in a {@link DriverPlace} that is not this machine. Then a {@link FarDriver} is the side of Kiln, with a {@link
 * FarLink} beside its {@link DriverProcess}, and a {@link FarEnd} in the process sends back what was recorded.
 */
@NullMarked
package dev.kiln.load.driver;

import org.jspecify.annotations.NullMarked;
