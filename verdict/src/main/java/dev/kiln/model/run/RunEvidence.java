package dev.kiln.model.run;

import dev.kiln.model.load.CallBin;
import dev.kiln.model.load.Latency.Latencies;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Sample.CgroupSample;
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
 * @param jit what the JVM said of its compilers when asked; empty where it could not be asked
 * @param flight the digest of a flight recording, where one was asked for
 * @param calls of a load with several, each by itself; else empty
 * @param gaps what could not be read back, with file and line
 */
public record RunEvidence(
        RunInfo info,
        List<LoadBin> load,
        Latencies latency,
        List<ThreadSample> threads,
        List<CompilerSample> compiler,
        List<JitSample> jit,
        Optional<FlightDigest> flight,
        List<MemorySample> memory,
        List<CgroupSample> cgroup,
        List<PartSample> parts,
        List<CpuSample> cpus,
        List<CallBin> calls,
        List<String> gaps) {}
