package dev.kiln.evidence;

import dev.kiln.evidence.JitColumns.CodeHeaps;
import dev.kiln.evidence.JitColumns.LastDeoptimisations;
import dev.kiln.model.run.JitState.CodeCacheFill;
import dev.kiln.model.run.JitState.CodeLevels;
import dev.kiln.model.run.Sample;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.ClassSample;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.model.run.Sample.FullCollections;
import dev.kiln.model.run.Sample.Generations;
import dev.kiln.model.run.Sample.HeapSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PageFaults;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.PartSample.Modes;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import dev.kiln.model.run.WaitKind;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A Table is one kind of table of a run, with its file, its columns, and how a row of it is written and read. Units are
 * in the names of columns.
 *
 * @param columns in the order of both functions
 */
record Table<T>(
        String file,
        List<String> columns,
        BiConsumer<CsvWriter, T> toRow,
        Function<CsvReader.EvidenceRow, T> toRecord) {
    static final Table<ThreadSample> THREADS = new Table<>(
            "threads.csv",
            columns("time_ns,tid,name,role,cpu_ns,wait_ns,slices,voluntary,involuntary,state"),
            (row, s) -> row.field(s.timeNanos())
                    .field(s.tid())
                    .field(s.name())
                    .field(s.role().name())
                    .field(s.cpuNanos())
                    .field(s.waitNanos())
                    .field(s.slices())
                    .field(s.voluntarySwitches())
                    .field(s.involuntarySwitches())
                    .field(s.state().letter()),
            r -> new ThreadSample(
                    r.figure(),
                    r.small(),
                    r.text(),
                    role(r.text()),
                    r.figure(),
                    r.figure(),
                    r.figure(),
                    r.figure(),
                    r.figure(),
                    ThreadState.of(r.text())));

    static final Table<CompilerSample> COMPILER = new Table<>(
            "compiler.csv",
            columns("time_ns,compilations,osr_compilations,compile_ns,code_bytes,bailouts,invalidations"),
            (row, s) -> row.field(s.timeNanos())
                    .field(s.compilations())
                    .field(s.osrCompilations())
                    .field(s.compileNanos())
                    .field(s.codeBytes())
                    .field(s.bailouts())
                    .field(s.invalidations()),
            r -> new CompilerSample(
                    r.figure(), r.figure(), r.figure(), r.figure(), r.figure(), r.figure(), r.figure()));

    /** This table has groups of columns that are all filled or all empty. */
    static final Table<JitSample> JIT = new Table<>(
            "jit.csv",
            columns("time_ns,c1_queue,c2_queue,level1,level2,level3,level4,not_entrant,"
                    + LastDeoptimisations.COLUMNS
                    + ",code_used_bytes,code_size_bytes,code_full,code_stopped,"
                    + CodeHeaps.COLUMNS),
            (row, s) -> CodeHeaps.write(
                    LastDeoptimisations.write(
                                    row.field(s.timeNanos())
                                            .fieldOrEmpty(s.c1Queue())
                                            .fieldOrEmpty(s.c2Queue())
                                            .fieldOrEmpty(s.levels().map(CodeLevels::level1))
                                            .fieldOrEmpty(s.levels().map(CodeLevels::level2))
                                            .fieldOrEmpty(s.levels().map(CodeLevels::level3))
                                            .fieldOrEmpty(s.levels().map(CodeLevels::level4))
                                            .fieldOrEmpty(s.levels()
                                                    .map(CodeLevels::notEntrant)
                                                    .orElse(OptionalInt.empty())),
                                    s.deoptimisations())
                            .fieldOrEmpty(s.codeCache().map(CodeCacheFill::usedBytes))
                            .fieldOrEmpty(s.codeCache().map(CodeCacheFill::sizeBytes))
                            .fieldOrEmpty(s.codeCache().map(CodeCacheFill::full))
                            .fieldOrEmpty(s.codeCache().map(CodeCacheFill::stopped)),
                    s.codeCache()),
            r -> new JitSample(
                    r.figure(),
                    r.smallOrNone(),
                    r.smallOrNone(),
                    JitColumns.levels(r),
                    LastDeoptimisations.of(r),
                    JitColumns.codeCache(r)));

    static final Table<MemorySample> MEMORY = new Table<>(
            "memory.csv",
            columns("time_ns,rss_bytes,pss_bytes,collections,collection_ns,safepoints,safepoint_ns,to_safepoint_ns,"
                    + "young_collections,full_collections,full_collection_ns,minor_faults,major_faults"),
            (row, s) -> row.field(s.timeNanos())
                    .field(s.rssBytes())
                    .fieldOrEmpty(s.pssBytes())
                    .field(s.collections())
                    .field(s.collectionNanos())
                    .field(s.safepoints())
                    .field(s.safepointNanos())
                    .fieldOrEmpty(s.toSafepointNanos())
                    .fieldOrEmpty(s.generations().map(Generations::young))
                    .fieldOrEmpty(s.generations().map(Generations::full))
                    .fieldOrEmpty(s.generations().map(Generations::fullNanos))
                    .fieldOrEmpty(s.faults().map(PageFaults::minor))
                    .fieldOrEmpty(s.faults().map(PageFaults::major)),
            r -> new MemorySample(
                    r.figure(),
                    r.figure(),
                    r.figureOrNone(),
                    r.figure(),
                    r.figure(),
                    r.figure(),
                    r.figure(),
                    r.figureIfAny(),
                    generations(r),
                    faults(r)));

    static final Table<CgroupSample> CGROUP = cgroup("cgroup.csv");

    static final Table<PartSample> PARTS = new Table<>(
            "parts.csv",
            columns("time_ns,part,cpu_ns,wait_ns,user_ns,system_ns"),
            (row, s) -> row.field(s.timeNanos())
                    .field(s.part())
                    .field(s.cpuNanos())
                    .field(s.waitNanos())
                    .fieldOrEmpty(s.modes().map(Modes::userNanos))
                    .fieldOrEmpty(s.modes().map(Modes::systemNanos)),
            r -> new PartSample(r.figure(), r.text(), r.figure(), r.figure(), modes(r)));

    static final Table<CpuSample> CPUS = new Table<>(
            "cpus.csv",
            columns("time_ns,cpu,busy_ns,idle_ns,steal_ns,softirq_ns"),
            (row, s) -> row.field(s.timeNanos())
                    .field(s.cpu())
                    .field(s.busyNanos())
                    .field(s.idleNanos())
                    .field(s.stealNanos())
                    .fieldOrEmpty(s.softirqNanos()),
            r -> new CpuSample(r.figure(), r.small(), r.figure(), r.figure(), r.figure(), r.figureIfAny()));

    static final Table<HeapSample> HEAP = new Table<>(
            "heap.csv",
            columns("time_ns,used_bytes,collections"),
            (row, s) -> row.field(s.timeNanos()).field(s.usedBytes()).field(s.collections()),
            r -> new HeapSample(r.figure(), r.figure(), r.figure()));

    static final Table<BlockedSample> BLOCKED = new Table<>(
            "blocked.csv",
            columns("time_ns,pool,virtual,threads,kind,frame,detail,task"),
            (row, s) -> row.field(s.timeNanos())
                    .field(s.pool())
                    .field(s.virtual() ? 1 : 0)
                    .field(s.threads())
                    .field(s.kind().name())
                    .field(s.frame())
                    .field(s.detail())
                    .field(s.task()),
            r -> new BlockedSample(
                    r.figure(), r.text(), r.small() != 0, r.small(), kind(r.text()), r.text(), r.text(), r.text()));

    static final Table<CollectionSample> COLLECTIONS = new Table<>(
            "collections.csv",
            columns("time_ns,cause,collections,collection_ns,full_collections,full_collection_ns"),
            (row, s) -> row.field(s.timeNanos())
                    .field(s.cause())
                    .field(s.collections())
                    .field(s.collectionNanos())
                    .fieldOrEmpty(s.full().map(FullCollections::collections))
                    .fieldOrEmpty(s.full().map(FullCollections::nanos)),
            r -> new CollectionSample(r.figure(), r.text(), r.figure(), r.figure(), fullCollections(r)));

    static final Table<ClassSample> CLASSES = new Table<>(
            "classes.csv",
            columns("time_ns,loaded,load_ns"),
            (row, s) -> row.field(s.timeNanos()).field(s.loaded()).field(s.loadNanos()),
            r -> new ClassSample(r.figure(), r.figure(), r.figure()));

    /** These tables are written while a run goes on. */
    static final List<Table<? extends Sample>> RECORDED =
            List.of(THREADS, COMPILER, JIT, MEMORY, CGROUP, PARTS, CPUS, HEAP, COLLECTIONS, BLOCKED, CLASSES);

    static Table<CgroupSample> cgroup(String file) {
        return new Table<>(
                file,
                columns("time_ns,periods,throttled_periods,throttled_ns"),
                (row, s) -> row.field(s.timeNanos())
                        .field(s.periods())
                        .field(s.throttledPeriods())
                        .field(s.throttledNanos()),
                r -> new CgroupSample(r.figure(), r.figure(), r.figure(), r.figure()));
    }

    static List<String> columns(String names) {
        return List.of(names.split(",", -1));
    }

    /** Returns the role of that name; one that a later version knows is {@link ThreadRole#OTHER}. */
    private static ThreadRole role(String name) {
        for (ThreadRole role : ThreadRole.values()) {
            if (role.name().equals(name)) {
                return role;
            }
        }
        return ThreadRole.OTHER;
    }

    /** Returns the kind of that name; one that only a later version knows becomes {@link WaitKind#OTHER}. */
    private static WaitKind kind(String name) {
        for (WaitKind kind : WaitKind.values()) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        return WaitKind.OTHER;
    }

    /** The three columns are read in any case: others follow. */
    private static Optional<Generations> generations(CsvReader.EvidenceRow r) {
        List<String> fields = List.of(r.text(), r.text(), r.text());
        return fields.getFirst().isEmpty()
                ? Optional.empty()
                : Optional.of(new Generations(
                        CsvReader.EvidenceRow.figure(fields.get(0)),
                        CsvReader.EvidenceRow.figure(fields.get(1)),
                        CsvReader.EvidenceRow.figure(fields.get(2))));
    }

    private static Optional<PageFaults> faults(CsvReader.EvidenceRow r) {
        OptionalLong minor = r.figureIfAny();
        return minor.isEmpty() ? Optional.empty() : Optional.of(new PageFaults(minor.getAsLong(), r.figure()));
    }

    private static Optional<FullCollections> fullCollections(CsvReader.EvidenceRow r) {
        String count = r.text();
        return count.isEmpty()
                ? Optional.empty()
                : Optional.of(new FullCollections(CsvReader.EvidenceRow.figure(count), r.figure()));
    }

    private static Optional<Modes> modes(CsvReader.EvidenceRow r) {
        String user = r.text();
        return user.isEmpty()
                ? Optional.empty()
                : Optional.of(new Modes(CsvReader.EvidenceRow.figure(user), r.figure()));
    }

    CsvWriter open(Path directory) {
        return new CsvWriter(directory.resolve(file), columns);
    }

    void write(CsvWriter rows, T record) {
        toRow.accept(rows, record);
        rows.endRow();
    }

    /** Reads all rows that are not damaged; there are none if the file is missing. */
    List<T> read(Path directory, Gaps gaps) {
        List<T> rows = new ArrayList<>();
        read(directory, rows::add, gaps);
        return rows;
    }

    /** Reads the rows of a table that earlier versions did not write: without a file there are none, and no gap. */
    List<T> readIfThere(Path directory, Gaps gaps) {
        return Files.exists(directory.resolve(file), LinkOption.NOFOLLOW_LINKS) ? read(directory, gaps) : List.of();
    }

    /** Reads all rows that are not damaged and passes them on, one after the other. */
    void read(Path directory, Consumer<T> rows, Gaps gaps) {
        CsvReader.read(directory, file, columns, row -> rows.accept(toRecord.apply(row)), gaps);
    }
}
