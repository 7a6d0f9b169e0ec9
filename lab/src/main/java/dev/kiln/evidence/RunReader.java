package dev.kiln.evidence;

import dev.kiln.model.CgroupSample;
import dev.kiln.model.CompilerSample;
import dev.kiln.model.CpuSample;
import dev.kiln.model.JitSample;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.MemorySample;
import dev.kiln.model.PartSample;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.RunInfo;
import dev.kiln.model.ThreadRole;
import dev.kiln.model.ThreadSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the evidence of one run back, whole or broken off at any byte. */
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
        List<ThreadSample> threads = CsvReader.read(directory, Table.THREADS, RunReader::thread, gaps);
        List<CompilerSample> compiler = CsvReader.read(directory, Table.COMPILER, RunReader::compiler, gaps);
        List<JitSample> jit = CsvReader.read(directory, Table.JIT, JitRows::read, gaps);
        List<MemorySample> memory = CsvReader.read(directory, Table.MEMORY, RunReader::memory, gaps);
        List<CgroupSample> cgroup = CsvReader.read(directory, Table.CGROUP, RunReader::cgroup, gaps);
        List<PartSample> parts = CsvReader.read(directory, Table.PARTS, RunReader::part, gaps);
        List<CpuSample> cpus = CsvReader.read(directory, Table.CPUS, RunReader::cpu, gaps);
        LoadReader.Result load = info.watched() ? new LoadReader.Result(List.of(), List.of()) : load(directory, gaps);
        LatencyLog.Result latency = info.watched() || info.provenance().isPresent()
                ? foreignLatency(directory, gaps)
                : latency(directory, gaps);
        return new RunEvidence(
                info,
                load.bins(),
                latency.intervals(),
                latency.phases(),
                threads,
                compiler,
                jit,
                FlightFiles.read(directory, gaps),
                memory,
                cgroup,
                parts,
                cpus,
                gaps.end());
    }

    private static LoadReader.Result load(Path directory, Gaps gaps) {
        gaps.file("load.csv");
        try {
            LoadReader.Result read = LoadReader.read(directory.resolve("load.csv"));
            read.gaps().forEach(gaps::told);
            return read;
        } catch (IOException e) {
            gaps.unreadable(e);
            return new LoadReader.Result(List.of(), List.of());
        }
    }

    /** Quantiles as the source told them, histograms of its requests, or nothing: many sources tell no latencies. */
    private static LatencyLog.Result foreignLatency(Path directory, Gaps gaps) {
        if (LatencyTable.in(directory)) {
            return LatencyTable.read(directory, gaps);
        }
        return Files.exists(directory.resolve("latency.hlog"))
                ? latency(directory, gaps)
                : new LatencyLog.Result(List.of(), List.of(), List.of());
    }

    private static LatencyLog.Result latency(Path directory, Gaps gaps) {
        gaps.file("latency.hlog");
        try {
            LatencyLog.Result read = LatencyLog.read(directory.resolve("latency.hlog"));
            read.gaps().forEach(gaps::told);
            return read;
        } catch (IOException e) {
            gaps.unreadable(e);
            return new LatencyLog.Result(List.of(), List.of(), List.of());
        }
    }

    /** Only {@code run.json}. */
    public static RunInfo info(Path directory) {
        Path file = directory.resolve("run.json");
        try {
            return RunJson.read(Files.readAllBytes(file), file);
        } catch (IOException e) {
            throw new KilnException(
                    Exit.USAGE,
                    "no run in " + directory + ": cannot read run.json: " + e.getMessage(),
                    "name a folder that kiln run wrote",
                    e);
        }
    }

    // The order of arguments is the order of the table's columns.

    private static ThreadSample thread(CsvReader.Row r) {
        return new ThreadSample(
                r.figure(),
                r.small(),
                r.text(),
                role(r.text()),
                r.figure(),
                r.figure(),
                r.figure(),
                r.figure(),
                r.figure());
    }

    /** A role that a later version tells apart is no reason to lose the thread. */
    private static ThreadRole role(String name) {
        for (ThreadRole role : ThreadRole.values()) {
            if (role.name().equals(name)) {
                return role;
            }
        }
        return ThreadRole.OTHER;
    }

    private static CompilerSample compiler(CsvReader.Row r) {
        return new CompilerSample(r.figure(), r.figure(), r.figure(), r.figure(), r.figure(), r.figure(), r.figure());
    }

    private static MemorySample memory(CsvReader.Row r) {
        return new MemorySample(
                r.figure(), r.figure(), r.figureOrNone(), r.figure(), r.figure(), r.figure(), r.figure());
    }

    private static CgroupSample cgroup(CsvReader.Row r) {
        return new CgroupSample(r.figure(), r.figure(), r.figure(), r.figure());
    }

    private static PartSample part(CsvReader.Row r) {
        return new PartSample(r.figure(), r.text(), r.figure(), r.figure());
    }

    private static CpuSample cpu(CsvReader.Row r) {
        return new CpuSample(r.figure(), r.small(), r.figure(), r.figure(), r.figure());
    }
}
