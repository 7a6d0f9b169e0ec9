/**
 * This package launches, pins, watches and ends processes of this machine, and finds them again if Kiln was killed. In
 * comes a {@link Launcher.LaunchSpec}; out comes a process that ends when Kiln says so.
 *
 * <p>A {@link Launcher} starts the command in a session of its own, on its CPUs ({@link Pinning}) and in its cgroup ({@link
 * TargetCgroup}), and returns a {@link PinnedProcess}. What it prints goes to a log, which a {@link LogLimit} keeps from
 * filling the disk and a {@link LogTail} reads. A {@link ProcessTree} finds what the process started, however far it has
 * gone, and ends it by a {@link Signal}. The {@link ExitCode.WaitStatus} has the {@link ExitCode}.
 *
 * <p>Each child is noted in the {@link OrphanRegistry}: if Kiln is killed, the next one reads the notes ({@link
 * OrphanBook}), removes the {@link Orphans} and runs each {@link UserCommand} that was to put something back. {@link Programs} finds and runs tools that Kiln needs for this, and {@link
 * Ports} says which ports are taken.
 */
@NullMarked
package dev.kiln.host.process;

import org.jspecify.annotations.NullMarked;
