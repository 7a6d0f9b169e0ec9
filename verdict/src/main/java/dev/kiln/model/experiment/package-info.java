/**
 * The experiment package describes what is to be run.
 *
 * <p>An experiment file comes in, and an {@link Experiment} is what it says with all inheritance resolved. Each {@link
 * Variant} has a {@link Target}, which says what to launch, with which JVM, {@link Where}, and when it counts as
 * started; a {@link Modifier} changes the target in one respect, and a {@link Workload} brings a target that Kiln
 * builds. The {@link Protocol} is the phases of a run, at whose end a {@link FoundReference} may search for the peak.
 * The {@link LoadTemplate} is the load; its {@link Placeholders} are filled when a run begins.
 *
 * <p>What goes out are planned runs, and the questions that their figures answer: a {@link Claim} holds or not, and a
 * {@link GateSpec} compares variants within tolerances. A {@link StartupSpec} plans a comparison of starts alone.
 */
@NullMarked
package dev.kiln.model.experiment;

import org.jspecify.annotations.NullMarked;
