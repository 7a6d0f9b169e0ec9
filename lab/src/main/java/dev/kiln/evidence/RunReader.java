package dev.kiln.evidence;

import dev.kiln.model.CgroupSample;
import dev.kiln.model.CompilerSample;
import dev.kiln.model.CpuSample;
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
import java.util.function.Function;

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
        List<MemorySample> memory = CsvReader.read(directory, Table.MEMORY, RunReader::memory, gaps);
        List<CgroupSample> cgroup = CsvReader.read(directory, Table.CGROUP, RunReader::cgroup, gaps);
        List<PartSample> parts = CsvReader.read(directory, Table.PARTS, RunReader::part, gaps);
        List<CpuSample> cpus = CsvReader.read(directory, Table.CPUS, RunReader::cpu, gaps);
        // The load driver makes its files with its first bin, so a run without load has none.
        boolean loaded = info.phases().stream()
                .anyMatch(phase -> phase.load() && phase.endNanos().isPresent());
        LoadReader.Result load = read(
                directory.resolve("load.csv"), loaded, LoadReader::read, why -> new LoadReader.Result(List.of(), why));
        LatencyLog.Result latency = read(
                directory.resolve("latency.hlog"),
                loaded,
                LatencyLog::read,
                why -> new LatencyLog.Result(List.of(), why));
        load.gaps().forEach(gaps::addElsewhere);
        latency.gaps().forEach(gaps::addElsewhere);
        return new RunEvidence(
                info, load.bins(), latency.intervals(), threads, compiler, memory, cgroup, parts, cpus, gaps.end());
    }

    private interface FileReader<T> {
        T read(Path file) throws IOException;
    }

    private static <T> T read(Path file, boolean expected, FileReader<T> reader, Function<List<String>, T> nothing) {
        if (!Files.exists(file)) {
            return nothing.apply(expected ? List.of(file.getFileName() + ": missing") : List.of());
        }
        try {
            return reader.read(file);
        } catch (IOException e) {
            return nothing.apply(List.of(file.getFileName() + ": cannot be read: " + e.getMessage()));
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
