package dev.kiln.host.process;

import dev.kiln.host.proc.ProcStatus;
import dev.kiln.host.proc.Topology.CpuLists;
import dev.kiln.model.CpuAssignment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Pinning binds processes to CPUs. Whether this machine allows it, Kiln finds out by doing it once. */
public final class Pinning {
    private Pinning() {}

    /** Returns the assignment if its CPUs can be pinned; else one without, and the reason in its notes. */
    public static CpuAssignment verified(CpuAssignment wanted) {
        Optional<String> refusal = Stream.of(wanted.target(), wanted.load(), wanted.database())
                .distinct()
                .flatMap(cpus -> refusal(cpus).stream())
                .findFirst();
        if (refusal.isEmpty()) {
            return wanted;
        }
        List<String> notes = new ArrayList<>();
        notes.add("nothing is pinned, every part may run on every CPU: " + refusal.get());
        return new CpuAssignment(wanted.target(), wanted.load(), wanted.database(), false, notes);
    }

    /** Says why a process cannot be pinned to these CPUs; empty if it can. */
    static Optional<String> refusal(List<Integer> cpus) {
        String list = CpuLists.format(cpus);
        Programs.ProgramAnswer answer = Programs.run(List.of(
                Programs.utilLinux("taskset"), "-c", list, "sh", "-c", "grep Cpus_allowed_list /proc/self/status"));
        if (answer.exit() != 0) {
            return Optional.of(answer.output());
        }
        List<Integer> got = CpuLists.parse(ProcStatus.field(answer.output(), "Cpus_allowed_list"));
        return got.equals(CpuLists.parse(list))
                ? Optional.empty()
                : Optional.of("asked for CPUs " + list + ", got " + CpuLists.format(got));
    }

    /** Moves one thread to these CPUs; returns why it could not be done, or empty. */
    public static Optional<String> pinThread(int tid, List<Integer> cpus) {
        String taskset = Programs.find("taskset").map(Path::toString).orElse("taskset");
        Programs.ProgramAnswer answer =
                Programs.run(List.of(taskset, "-p", "-c", CpuLists.format(cpus), Integer.toString(tid)));
        return answer.exit() == 0 ? Optional.empty() : Optional.of(answer.output());
    }

    /** Moves this process to these CPUs, after {@link Topology#ofThisMachine}; returns why not, or empty. */
    public static Optional<String> pinThisProcess(List<Integer> cpus) {
        Programs.ProgramAnswer answer = Programs.run(List.of(
                Programs.utilLinux("taskset"),
                "-a",
                "-p",
                "-c",
                CpuLists.format(cpus),
                Long.toString(ProcessHandle.current().pid())));
        return answer.exit() == 0 ? Optional.empty() : Optional.of(answer.output());
    }
}
