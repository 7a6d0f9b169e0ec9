/**
 * This package runs an experiment, and is the only one that brings lab, target, load and recorder together. In comes an
 * experiment with its planned runs; out comes a folder of evidence for each run, which other packages analyse.
 *
 * <p>One walk through it: {@link ExperimentRunner} lets {@link Preflight} check the experiment, {@link AotMaking} make
 * the AOT caches and {@link HotDriver} warm the load driver. Each run is a {@link RunExecution} in its {@link RunFrame}:
 * {@link QuietCpus} waits, a {@link HookRunner} runs the user's own commands, a {@link Place} launches the target here or elsewhere, {@link TargetStart} waits for its first response,
 * {@link RunPhases} runs the protocol, and {@link ReferenceRounds} searches for the reference peak. {@link RunFacts}
 * writes down what becomes known, {@link Instruments} digests the target's own recordings, a {@link ClosingRecording} is made after the last load, and a {@link RunControl.Judge} asks the
 * analysis whether a load is steady or a run has to be repeated. {@link StartupRunner} does the same for starts alone. A
 * {@link ServiceAsBefore} has a service of others' run at the end as it ran before.
 * A {@link RunControl.RunListener} follows the progress, and a {@link Cancellation} ends it early.
 */
@NullMarked
package dev.kiln.runner;

import org.jspecify.annotations.NullMarked;
