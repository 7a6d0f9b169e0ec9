package dev.kiln.model;

import java.util.List;

/**
 * All that was recorded of a run, on one clock.
 *
 * @param gaps what could not be read back, with file and line
 */
public record RunEvidence(
        RunInfo info,
        List<LoadBin> load,
        List<LatencyInterval> latency,
        List<PhaseLatency> phaseLatency,
        List<ThreadSample> threads,
        List<CompilerSample> compiler,
        List<MemorySample> memory,
        List<CgroupSample> cgroup,
        List<PartSample> parts,
        List<CpuSample> cpus,
        List<String> gaps) {}
