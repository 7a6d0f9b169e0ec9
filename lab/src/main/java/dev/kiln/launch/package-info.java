/**
 * This package launches a target on this machine. In comes a target of an experiment, with its JVM flags and modifiers;
 * out comes a running process, pinned to its CPUs and with the cgroup or container that it asked for.
 *
 * <p>One walk through it: a {@link Lab} assigns the machine's CPUs to target, load and database, and removes what an
 * earlier Kiln left. A {@link LaunchCheck} tries out before any run whether each variant can be launched here. A
 * {@link TargetLaunch} then builds the command and starts it. The {@link LaunchedTarget} that comes of it learns
 * the ports of the load, and stops the process and removes what is around it. Two things go on beside the process: a
 * {@link CpuBoost} lowers its CPU quota after the start, and a {@link CompilerFavour} gives its JIT compiler threads
 * priority.
 */
@NullMarked
package dev.kiln.launch;

import org.jspecify.annotations.NullMarked;
