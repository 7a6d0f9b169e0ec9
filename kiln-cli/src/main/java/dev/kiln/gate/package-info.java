/**
 * {@code kiln gate} fails a build whose service got worse. Two variants and tolerances come in; pass, fail,
 * inconclusive or under-powered goes out, as an exit code too. {@link GateCommand} reads recorded runs, or measures
 * new ones: {@link GateSides.GateLooks} looks at them after each block until the answer is certain. {@link GateSides} pairs the
 * runs and asks {@code compare} for the interval of each metric. {@link GateText} and {@link GateJson} are its forms.
 * {@link GateFollowUp} judges the gates that an experiment's file has, when {@code kiln run} has run it.
 */
@NullMarked
package dev.kiln.gate;

import org.jspecify.annotations.NullMarked;
