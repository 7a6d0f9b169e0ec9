package dev.kiln.model.run;

import dev.kiln.model.load.Latency.Latencies;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.CallBin;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.ClassSample;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadSample;
import java.util.List;
import java.util.Optional;

/**
 * A RunEvidence is all that was recorded of a run, on one clock.
 *
 * @param closing the digest of the flight recording that was made after everything else was measured; empty without one
 * @param gaps what could not be read back, with file and line
 */
public record RunEvidence(
        RunInfo info,
        LoadEvidence sent,
        JvmEvidence jvm,
        MachineEvidence machine,
        Optional<FlightDigest> closing,
        List<String> gaps) {
    /** Makes evidence without a closing recording. */
    public RunEvidence(RunInfo info, LoadEvidence sent, JvmEvidence jvm, MachineEvidence machine, List<String> gaps) {
        this(info, sent, jvm, machine, Optional.empty(), gaps);
    }

    /** A LoadEvidence is what was recorded of the load, and of each call where it has several. */
    public record LoadEvidence(List<LoadBin> bins, Latencies latency, List<CallBin> calls) {
        /** This evidence is that of a run without a load. */
        public static final LoadEvidence NONE = new LoadEvidence(List.of(), Latencies.NONE, List.of());
    }

    /**
     * A JvmEvidence is what was recorded of the target's JVM and its threads.
     *
     * @param jit what the JVM said of its compilers when asked; empty where it could not be asked
     * @param blocked what its threads did in each thread dump; dumps are few
     * @param flight the digest of a flight recording, where one was asked for
     * @param collections with their causes; empty where there were none, or where causes were not recorded
     * @param classes how many were loaded, and for how long; empty where that was not recorded
     */
    public record JvmEvidence(
            List<ThreadSample> threads,
            List<CompilerSample> compiler,
            List<JitSample> jit,
            List<BlockedSample> blocked,
            Optional<FlightDigest> flight,
            List<CollectionSample> collections,
            List<ClassSample> classes) {
        /** This evidence is that of a target that nobody watched. */
        public static final JvmEvidence NONE =
                new JvmEvidence(List.of(), List.of(), List.of(), List.of(), Optional.empty(), List.of(), List.of());
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

    public List<CallBin> calls() {
        return sent.calls;
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
