package dev.kiln.evidence;

import dev.kiln.files.OutputFile.Durable;
import dev.kiln.model.KilnException;
import dev.kiln.model.OwnerOnly;
import dev.kiln.model.Secrets;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample;
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
import dev.kiln.model.run.Sample.ThreadSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A RunWriter writes the evidence of one run while it goes on. Rows reach the file at most a second after they are
 * appended, as long as rows keep coming or {@link #flush} is called; {@code run.json} is replaced as a whole.
 */
public final class RunWriter implements EvidenceSink, AutoCloseable {
    private static final long FLUSH_NANOS = 500_000_000;

    private final Path directory;
    private final Secrets secrets;
    /** Maps the name of each table's file to its writer. */
    private final Map<String, CsvWriter> tables = new HashMap<>();

    private boolean compilers;
    private long lastFlush = System.nanoTime();

    /** Makes the directory and the empty tables in it, for a run whose secrets are hidden. */
    public RunWriter(Path directory) {
        this(directory, Secrets.HIDDEN);
    }

    /** Makes the directory of a run, which must not hold one yet, and the empty tables in it. */
    public RunWriter(Path directory, Secrets secrets) {
        this.directory = directory;
        this.secrets = secrets;
        if (Files.exists(directory.resolve("run.json"))) {
            throw KilnException.usage(directory + " already holds a run", "choose another folder for results");
        }
        try {
            Files.createDirectories(directory, OwnerOnly.FOLDER);
        } catch (IOException e) {
            throw CsvWriter.cannotWrite(directory, e);
        }
        Table.RECORDED.forEach(table -> tables.put(table.file(), table.open(directory)));
    }

    public Path directory() {
        return directory;
    }

    /** Replaces {@code run.json}; a crash at any moment leaves the old one or the new one. */
    public synchronized void write(RunInfo info) {
        replace(directory, info.with(secrets));
    }

    /** Replaces {@code run.json} of a run that is over, with its secrets as they are in {@code info}. */
    public static void replace(Path directory, RunInfo info) {
        StudyFile.replace(directory.resolve("run.json"), RunJson.write(info), Durable.YES);
    }

    /** Replaces the facts of a further process of a run, in place of {@code run.json}. */
    public synchronized void writeReplica(RunInfo info) {
        StudyFile.replace(directory.resolve(ReplicaFiles.FACTS), RunJson.write(info.with(secrets)), Durable.YES);
    }

    @Override
    public synchronized void append(Sample sample) {
        switch (sample) {
            case ThreadSample s -> row(Table.THREADS, s);
            case CompilerSample s -> {
                compilers = true;
                row(Table.COMPILER, s);
            }
            case JitSample s -> row(Table.JIT, s);
            case MemorySample s -> row(Table.MEMORY, s);
            case CgroupSample s -> row(Table.CGROUP, s);
            case PartSample s -> row(Table.PARTS, s);
            case CpuSample s -> row(Table.CPUS, s);
            case HeapSample s -> row(Table.HEAP, s);
            case BlockedSample s -> row(Table.BLOCKED, s);
            case CollectionSample s -> row(Table.COLLECTIONS, s);
            case ClassSample s -> row(Table.CLASSES, s);
        }
    }

    private <T> void row(Table<T> table, T sample) {
        table.write(writer(table.file()), sample);
        flushIfDue();
    }

    /**
     * Refuses the name of a file that is no table's.
     *
     * @throws IllegalArgumentException if it is none's
     */
    public synchronized void requireTable(String file) {
        var unused = writer(file);
    }

    /** Appends whole rows to a table's file as another writer encoded them, without parsing them. */
    public synchronized void rows(String file, String rows) {
        writer(file).rows(rows);
        compilers |= file.equals(Table.COMPILER.file()) && !rows.isEmpty();
        flushIfDue();
    }

    /** Tells whether at least one row of the JIT's counters was written. */
    public synchronized boolean hasCompilers() {
        return compilers;
    }

    @Override
    public synchronized void flush() {
        tables.values().forEach(CsvWriter::flush);
        lastFlush = System.nanoTime();
    }

    @Override
    public synchronized void close() {
        Optional<KilnException> failure = Optional.empty();
        for (CsvWriter table : tables.values()) {
            try {
                table.close();
            } catch (KilnException e) {
                failure = Optional.of(e);
            }
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    private CsvWriter writer(String file) {
        CsvWriter writer = tables.get(file);
        if (writer == null) {
            throw new IllegalArgumentException("no table " + file);
        }
        return writer;
    }

    private void flushIfDue() {
        if (System.nanoTime() - lastFlush >= FLUSH_NANOS) {
            flush();
        }
    }
}
