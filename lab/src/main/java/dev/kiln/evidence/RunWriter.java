package dev.kiln.evidence;

import dev.kiln.model.CgroupSample;
import dev.kiln.model.CompilerSample;
import dev.kiln.model.CpuSample;
import dev.kiln.model.HeapSample;
import dev.kiln.model.JitSample;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.MemorySample;
import dev.kiln.model.PartSample;
import dev.kiln.model.RunInfo;
import dev.kiln.model.ThreadSample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;

/**
 * Writes the evidence of one run while it goes. Rows reach the file at most a second after they are appended, as long as
 * rows keep coming or {@link #flush} is called; {@code run.json} is replaced as a whole.
 */
public final class RunWriter implements EvidenceSink, AutoCloseable {
    private static final long FLUSH_NANOS = 500_000_000;

    private final Path directory;
    private final Map<Table, CsvWriter> tables = new EnumMap<>(Table.class);
    private long lastFlush = System.nanoTime();

    /**
     * Makes the directory and the empty tables in it.
     *
     * @param directory of the run; must not hold a run yet
     */
    public RunWriter(Path directory) {
        this.directory = directory;
        if (Files.exists(directory.resolve("run.json"))) {
            throw new KilnException(
                    Exit.USAGE, directory + " already holds a run", "choose another folder for results");
        }
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw CsvWriter.cannotWrite(directory, e);
        }
        for (Table table : EnumSet.complementOf(EnumSet.copyOf(Table.FLIGHT))) {
            tables.put(table, new CsvWriter(directory.resolve(table.file()), table.columns()));
        }
    }

    public Path directory() {
        return directory;
    }

    /** Replaces {@code run.json}; a crash at any moment leaves the old one or the new one. */
    public synchronized void write(RunInfo info) {
        replace(directory, info);
    }

    /** The same for a run that is over. */
    public static void replace(Path directory, RunInfo info) {
        Path part = directory.resolve("run.json.part");
        try {
            try (FileChannel channel = FileChannel.open(
                    part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer bytes = ByteBuffer.wrap(RunJson.write(info));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(
                    part,
                    directory.resolve("run.json"),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw CsvWriter.cannotWrite(directory.resolve("run.json"), e);
        }
    }

    @Override
    public synchronized void append(ThreadSample s) {
        table(Table.THREADS)
                .field(s.timeNanos())
                .field(s.tid())
                .field(s.name())
                .field(s.role().name())
                .field(s.cpuNanos())
                .field(s.waitNanos())
                .field(s.slices())
                .field(s.voluntarySwitches())
                .field(s.involuntarySwitches())
                .endRow();
        flushIfDue();
    }

    @Override
    public synchronized void append(CompilerSample s) {
        table(Table.COMPILER)
                .field(s.timeNanos())
                .field(s.compilations())
                .field(s.osrCompilations())
                .field(s.compileNanos())
                .field(s.codeBytes())
                .field(s.bailouts())
                .field(s.invalidations())
                .endRow();
        flushIfDue();
    }

    @Override
    public synchronized void append(JitSample s) {
        JitRows.write(table(Table.JIT), s);
        flushIfDue();
    }

    @Override
    public synchronized void append(MemorySample s) {
        table(Table.MEMORY)
                .field(s.timeNanos())
                .field(s.rssBytes())
                .fieldOrEmpty(s.pssBytes())
                .field(s.collections())
                .field(s.collectionNanos())
                .field(s.safepoints())
                .field(s.safepointNanos())
                .endRow();
        flushIfDue();
    }

    @Override
    public synchronized void append(CgroupSample s) {
        table(Table.CGROUP)
                .field(s.timeNanos())
                .field(s.periods())
                .field(s.throttledPeriods())
                .field(s.throttledNanos())
                .endRow();
        flushIfDue();
    }

    @Override
    public synchronized void append(PartSample s) {
        table(Table.PARTS)
                .field(s.timeNanos())
                .field(s.part())
                .field(s.cpuNanos())
                .field(s.waitNanos())
                .endRow();
        flushIfDue();
    }

    @Override
    public synchronized void append(CpuSample s) {
        table(Table.CPUS)
                .field(s.timeNanos())
                .field(s.cpu())
                .field(s.busyNanos())
                .field(s.idleNanos())
                .field(s.stealNanos())
                .endRow();
        flushIfDue();
    }

    @Override
    public synchronized void append(HeapSample s) {
        table(Table.HEAP)
                .field(s.timeNanos())
                .field(s.usedBytes())
                .field(s.collections())
                .endRow();
        flushIfDue();
    }

    /**
     * Rows of a table as another writer wrote them, which are taken as they are.
     *
     * @param file name of the table's file
     * @param rows each with its end of line
     */
    public synchronized void rows(String file, String rows) {
        Table table = tables.keySet().stream()
                .filter(one -> one.file().equals(file))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no table " + file));
        table(table).rows(rows);
        flushIfDue();
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

    private CsvWriter table(Table table) {
        CsvWriter writer = tables.get(table);
        if (writer == null) {
            throw new IllegalStateException(table + " is not open");
        }
        return writer;
    }

    private void flushIfDue() {
        if (System.nanoTime() - lastFlush >= FLUSH_NANOS) {
            flush();
        }
    }
}
