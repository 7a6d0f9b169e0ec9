package dev.kiln.evidence;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.CallBin;
import dev.kiln.model.load.Latency.Latencies;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunEvidence.JvmEvidence;
import dev.kiln.model.run.RunEvidence.LoadEvidence;
import dev.kiln.model.run.RunEvidence.MachineEvidence;
import dev.kiln.model.run.RunInfo;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A RunReader reads the evidence of one run, even if it breaks off at any byte. */
public final class RunReader {
    private RunReader() {}

    /**
     * Reads all tables of a run.
     *
     * @throws KilnException when the directory holds no run, or one of a newer format
     */
    public static RunEvidence read(Path directory) {
        RunInfo info = info(directory);
        Gaps gaps = new Gaps();
        List<ThreadSample> threads = Table.THREADS.read(directory, gaps);
        List<CompilerSample> compiler = Table.COMPILER.read(directory, gaps);
        List<JitSample> jit = Table.JIT.read(directory, gaps);
        List<BlockedSample> blocked = Table.BLOCKED.readIfThere(directory, gaps);
        List<MemorySample> memory = Table.MEMORY.read(directory, gaps);
        List<CgroupSample> cgroup = Table.CGROUP.read(directory, gaps);
        List<PartSample> parts = Table.PARTS.read(directory, gaps);
        List<CpuSample> cpus = Table.CPUS.read(directory, gaps);
        List<CollectionSample> collections = Table.COLLECTIONS.readIfThere(directory, gaps);
        List<ClassSample> classes = Table.CLASSES.readIfThere(directory, gaps);
        List<CallBin> calls = CallFile.read(directory, gaps);
        LoadFile.LoadBins load = info.watched() ? new LoadFile.LoadBins(List.of(), List.of()) : load(directory, gaps);
        LatencyLog.Result latency = info.watched() || info.provenance().isPresent()
                ? foreignLatency(directory, info, gaps)
                : latency(directory, info, gaps);
        return new RunEvidence(
                info,
                new LoadEvidence(load.bins(), latency.latencies(), calls),
                new JvmEvidence(
                        threads, compiler, jit, blocked, FlightFiles.read(directory, gaps), collections, classes),
                new MachineEvidence(memory, cgroup, parts, cpus),
                FlightFiles.read(directory.resolve(FlightFiles.CLOSING), gaps),
                gaps.end());
    }

    private static LoadFile.LoadBins load(Path directory, Gaps gaps) {
        gaps.file(LoadFile.NAME);
        try {
            LoadFile.LoadBins read = LoadFile.read(directory.resolve(LoadFile.NAME));
            read.gaps().forEach(gaps::told);
            return read;
        } catch (IOException e) {
            gaps.unreadable(e);
            return new LoadFile.LoadBins(List.of(), List.of());
        }
    }

    /**
     * Reads the latencies of a run that Kiln did not load itself: quantiles that the source gave, histograms of its
     * requests, or nothing, because many sources give no latencies.
     */
    private static LatencyLog.Result foreignLatency(Path directory, RunInfo info, Gaps gaps) {
        if (LatencyTable.in(directory)) {
            return LatencyTable.read(directory, gaps);
        }
        return Files.exists(directory.resolve(LatencyLog.NAME))
                ? latency(directory, info, gaps)
                : new LatencyLog.Result(Latencies.NONE, List.of());
    }

    private static LatencyLog.Result latency(Path directory, RunInfo info, Gaps gaps) {
        gaps.file(LatencyLog.NAME);
        try {
            LatencyLog.Result read = LatencyLog.read(
                    directory.resolve(LatencyLog.NAME),
                    info.load().slo().map(slo -> slo.limit().toNanos()).orElse(Long.MAX_VALUE));
            read.gaps().forEach(gaps::told);
            return read;
        } catch (IOException e) {
            gaps.unreadable(e);
            return new LatencyLog.Result(Latencies.NONE, List.of());
        }
    }

    /**
     * Reads {@code run.json} alone, without the tables.
     *
     * @throws KilnException when the directory holds no run, or one of a newer format
     */
    public static RunInfo info(Path directory) {
        Path file = directory.resolve("run.json");
        try {
            return RunJson.read(InputFile.bytes(file, InputFile.DOCUMENT), file);
        } catch (IOException e) {
            throw KilnException.usage(
                    e, "no run in " + directory + ": cannot read run.json", "name a folder that kiln run wrote");
        }
    }
}
