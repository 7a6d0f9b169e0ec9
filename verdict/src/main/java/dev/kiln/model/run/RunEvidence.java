package dev.kiln.model.run;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.load.Latency.Latencies;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.CallBin;
import dev.kiln.model.run.Machine.HostInfo;
import dev.kiln.model.run.Machine.RemoteHost;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.ClassSample;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.model.run.Sample.HeapSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A RunEvidence is all that was recorded of a run, on one clock.
 *
 * @param closing the digest of the flight recording that was made after everything else was measured; empty without one
 * @param gaps what could not be read back, with file and line
 * @param replicas the further processes that served the same load, each on the clock of its own launch; none as a rule
 */
public record RunEvidence(
        RunInfo info,
        LoadEvidence sent,
        JvmEvidence jvm,
        MachineEvidence machine,
        Optional<FlightDigest> closing,
        List<String> gaps,
        List<RunEvidence> replicas) {
    /** Makes evidence of a service that is one process, without a closing recording. */
    public RunEvidence(RunInfo info, LoadEvidence sent, JvmEvidence jvm, MachineEvidence machine, List<String> gaps) {
        this(info, sent, jvm, machine, Optional.empty(), gaps, List.of());
    }

    /**
     * A LoadEvidence is what was recorded of the load, and of each call where it has several.
     *
     * @param shared whether other processes than this one served part of it, and nobody knows which
     */
    public record LoadEvidence(List<LoadBin> bins, Latencies latency, List<CallBin> calls, boolean shared) {
        /** This evidence is that of a run without a load. */
        public static final LoadEvidence NONE = new LoadEvidence(List.of(), Latencies.NONE, List.of(), false);

        private LoadEvidence shared(long later) {
            return new LoadEvidence(
                    bins.stream().map(bin -> bin.later(later)).toList(), Latencies.NONE, List.of(), true);
        }
    }

    /** Returns the same run with further processes that served its load, each made by {@link #replica}. */
    public RunEvidence with(List<RunEvidence> others, List<String> theirGaps) {
        return new RunEvidence(
                info,
                new LoadEvidence(sent.bins, sent.latency, sent.calls, true),
                jvm,
                machine,
                closing,
                Stream.concat(gaps.stream(), theirGaps.stream()).toList(),
                List.copyOf(others));
    }

    /**
     * Returns a further process of this run, with the load on the clock of its own launch.
     *
     * @param own where it ran, since when, and what of it was not recorded
     */
    public RunEvidence replica(RunInfo own, JvmEvidence its, MachineEvidence where) {
        long later = ahead(own);
        return new RunEvidence(
                new RunInfo(
                        info.kilnVersion(),
                        info.which(),
                        own.launch(),
                        own.machine(),
                        info.plan(),
                        info.course().later(later),
                        own.limits()),
                sent.shared(later),
                its,
                where,
                List.of());
    }

    /**
     * Returns a further process of this run of which nothing is known but that it served.
     *
     * @param name stands for the place in which it ran
     */
    public RunEvidence unseen(String name) {
        RunInfo own = new RunInfo(
                info.kilnVersion(),
                info.which(),
                new RunInfo.Launch(
                        info.launch().launchMonotonicNanos(),
                        info.launchEpochMillis(),
                        List.of(),
                        Map.of(),
                        info.treatment(),
                        Optional.empty()),
                new Machine(
                        Optional.empty(),
                        new HostInfo("", "", 0, 0, "", Map.of()),
                        new CpuAssignment(List.of(), List.of(), List.of(), false, List.of()),
                        Optional.of(new RemoteHost(name, 0, OptionalLong.empty()))),
                info.plan(),
                info.course(),
                new RunInfo.Limits(List.of(), List.of(), Optional.empty()));
        return replica(own, JvmEvidence.NONE, MachineEvidence.NONE);
    }

    /** Tells whether anything was recorded of the process itself, and not of the load alone. */
    public boolean seen() {
        return !jvm.equals(JvmEvidence.NONE) || !machine.equals(MachineEvidence.NONE);
    }

    /** Tells whether the process is known to have virtual threads: thread dumps show some, or say that they left them out. */
    public boolean hasVirtual() {
        return blocked().stream().anyMatch(BlockedSample::virtual)
                || info.gap(NotRecorded.VIRTUAL_DUMPS).isPresent();
    }

    /** Tells whether no thread of a JVM has a role: Java 8 gives the kernel no names of its threads. */
    public boolean hasUnnamedThreads() {
        List<ThreadSample> seen = threads();
        return info.jvm().isPresent()
                && seen.stream().mapToInt(ThreadSample::tid).distinct().count() > 1
                && seen.stream().allMatch(thread -> thread.role() == ThreadRole.OTHER);
    }

    /** Returns the name of the place in which the process ran; blank for this machine. */
    public String place() {
        return info.remote().map(RemoteHost::name).orElse("");
    }

    /** Returns by how many ns the clock of a further process is ahead of this one's. */
    public long ahead(RunEvidence replica) {
        return ahead(replica.info);
    }

    private long ahead(RunInfo own) {
        return info.launch().launchMonotonicNanos() - own.launch().launchMonotonicNanos();
    }

    /**
     * A JvmEvidence is what was recorded of the target's JVM and its threads.
     *
     * @param jit what the JVM said of its compilers when asked; empty where it could not be asked
     * @param blocked what its threads did in each thread dump; dumps are few
     * @param flight the digest of a flight recording, where one was asked for
     * @param collections with their causes; empty where there were none, or where causes were not recorded
     * @param classes how many were loaded, and for how long; empty where that was not recorded
     * @param heap as each collection left it; empty where there were none, and for collectors that do not tell
     */
    public record JvmEvidence(
            List<ThreadSample> threads,
            List<CompilerSample> compiler,
            List<JitSample> jit,
            List<BlockedSample> blocked,
            Optional<FlightDigest> flight,
            List<CollectionSample> collections,
            List<ClassSample> classes,
            List<HeapSample> heap) {
        /** This evidence is that of a target that nobody watched. */
        public static final JvmEvidence NONE = new JvmEvidence(
                List.of(), List.of(), List.of(), List.of(), Optional.empty(), List.of(), List.of(), List.of());
    }

    /** A MachineEvidence is what was recorded of memory, of cgroups, and of the CPUs and those who used them. */
    public record MachineEvidence(
            List<MemorySample> memory, List<CgroupSample> cgroup, List<PartSample> parts, List<CpuSample> cpus) {
        /** This evidence is that of a machine that nobody watched. */
        public static final MachineEvidence NONE = new MachineEvidence(List.of(), List.of(), List.of(), List.of());
    }

    public List<LoadBin> load() {
        return sent.bins;
    }

    public Latencies latency() {
        return sent.latency;
    }

    public List<ThreadSample> threads() {
        return jvm.threads;
    }

    public List<CompilerSample> compiler() {
        return jvm.compiler;
    }

    public List<JitSample> jit() {
        return jvm.jit;
    }

    public List<BlockedSample> blocked() {
        return jvm.blocked;
    }

    public Optional<FlightDigest> flight() {
        return jvm.flight;
    }

    public List<CollectionSample> collections() {
        return jvm.collections;
    }

    public List<ClassSample> classes() {
        return jvm.classes;
    }

    public List<HeapSample> heap() {
        return jvm.heap;
    }

    public List<MemorySample> memory() {
        return machine.memory;
    }

    public List<CgroupSample> cgroup() {
        return machine.cgroup;
    }

    public List<PartSample> parts() {
        return machine.parts;
    }

    public List<CpuSample> cpus() {
        return machine.cpus;
    }
}
