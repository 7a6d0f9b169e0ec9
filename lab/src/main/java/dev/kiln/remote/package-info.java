/**
 * This package runs a target on another machine, or watches one there. In comes a target with its place; out come the same
 * process and recording that a local target has, written into the same evidence.
 *
 * <p>One walk through it: a {@link RemoteKiln} sends a {@link Shipment} with Kiln's recorder through a {@link FarShell}, and
 * starts {@link AgentMain} there. The {@link AgentLink} sends each question, an {@link Ask}, and receives answers and
 * events, each a {@link Tell}; {@link Wire} writes and reads both as lines of JSON. There an {@link AgentRun} launches
 * or finds the target and records it, and an {@link AgentPump} sends what its evidence has gained. Here a {@link RemoteTarget}
 * writes that down. A {@code ClockOffset} converts the other machine's times into this one's. A
 * {@link FarLoad} is a place from which Kiln's own load driver sends, in place of this machine.
 */
@NullMarked
package dev.kiln.remote;

import org.jspecify.annotations.NullMarked;
