/**
 * This package reads what the kernel says of this machine and its processes. In come the text files of {@code /proc}
 * and {@code /sys}; out come figures for the samples of a run, facts of the machine for its record, and the CPUs that
 * each part of a lab gets.
 *
 * <p>{@link ProcFs} reads a file once, below a root that tests replace; a {@link ProcFs.HotFile} stays open and is read again and
 * again. {@link ProcText} scans the fields of either without making strings, and parsers such as {@link ProcStat} and {@link
 * ProcStatus} turn them into records. Meters keep the files of their subject open: a {@link PartMeter} has the CPU time of a
 * process with its descendants, a {@link ThreadTable} that of each thread, a {@link CpuMeter} that of each CPU, a {@link
 * MemoryMeter} the memory of a process, and a {@link CgroupMeter} how much its limits throttle it.
 *
 * <p>Before a run, {@link HostFacts} and {@link Cgroups} describe the machine and its limits, and the {@link CpuPlanner}
 * shares out the CPUs of its {@link Topology}. After it, {@link Disturbances} say what near the process makes one run differ
 * from the next. {@link TcpSockets} tell which process holds a port.
 */
@NullMarked
package dev.kiln.host.proc;

import org.jspecify.annotations.NullMarked;
