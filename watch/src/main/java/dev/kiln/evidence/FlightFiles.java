package dev.kiln.evidence;

import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.CodeCacheEvent;
import dev.kiln.model.run.FlightDigest.FamilySamples;
import dev.kiln.model.run.FlightDigest.FlightCollector;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.FlightDigest.FlightDeoptimizations;
import dev.kiln.model.run.FlightDigest.FlightJit;
import dev.kiln.model.run.FlightDigest.FlightPause;
import dev.kiln.model.run.FlightDigest.FlightSamples;
import dev.kiln.model.run.FlightDigest.HeapChange;
import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.model.run.FlightDigest.QueueUse;
import dev.kiln.model.run.FlightDigest.ThrowableCount;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.model.run.FlightDigest.Work;
import dev.kiln.model.run.Sample.CgroupSample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** FlightFiles are a flight recording's digest as tables, so that it is read only once. */
public final class FlightFiles {
    /** A RowCount shows that a table was cut short: most tables may be empty. */
    private record RowCount(String table, long rows) {}

    /** This table is written last: without it others may be incomplete. Earlier Kilns did not write it. */
    private static final Table<RowCount> ROWS = new Table<>(
            "flight-rows.csv",
            List.of("table", "rows"),
            (row, told) -> row.field(told.table()).field(told.rows()),
            r -> new RowCount(r.text(), r.figure()));

    /** This folder in the run's has the closing recording, its load and its digest. */
    public static final String CLOSING = "closing";

    private static final Table<FlightCompilations> COMPILATIONS = new Table<>(
            "flight-compilations.csv",
            Table.columns("time_ns,level,count,failed,sum_ns,max_ns,longest_method"),
            (row, c) -> row.field(c.timeNanos())
                    .field(c.level())
                    .field(c.count())
                    .field(c.failed())
                    .field(c.sumNanos())
                    .field(c.maxNanos())
                    .field(c.longestMethod()),
            r -> new FlightCompilations(r.figure(), r.small(), r.small(), r.small(), r.figure(), r.figure(), r.text()));

    private static final Table<QueueUse> QUEUES = new Table<>(
            "flight-queues.csv",
            Table.columns("time_ns,compiler,size,peak_size,added,removed"),
            (row, q) -> row.field(q.timeNanos())
                    .field(q.compiler())
                    .field(q.size())
                    .field(q.peakSize())
                    .field(q.added())
                    .field(q.removed()),
            r -> new QueueUse(r.figure(), r.text(), r.figure(), r.figure(), r.figure(), r.figure()));

    private static final Table<FlightDeoptimizations> DEOPTIMIZATIONS = new Table<>(
            "flight-deoptimizations.csv",
            Table.columns("time_ns,reason,action,count"),
            (row, d) ->
                    row.field(d.timeNanos()).field(d.reason()).field(d.action()).field(d.count()),
            r -> new FlightDeoptimizations(r.figure(), r.text(), r.text(), r.small()));

    private static final Table<FlightPause> PAUSES = new Table<>(
            "flight-pauses.csv",
            Table.columns("time_ns,cause,duration_ns,collector"),
            (row, p) -> row.field(p.timeNanos())
                    .field(p.cause())
                    .field(p.durationNanos())
                    .field(p.collector()),
            r -> new FlightPause(r.figure(), r.text(), r.figure(), r.text()));

    private static final Table<HeapChange> HEAP = new Table<>(
            "flight-heap.csv",
            Table.columns("time_ns,before_bytes,after_bytes"),
            (row, h) -> row.field(h.timeNanos()).field(h.beforeBytes()).field(h.afterBytes()),
            r -> new HeapChange(r.figure(), r.figure(), r.figure()));

    private static final Table<CodeCacheEvent> CODE_CACHE = new Table<>(
            "flight-codecache.csv",
            Table.columns("time_ns,what"),
            (row, c) -> row.field(c.timeNanos()).field(c.what()),
            r -> new CodeCacheEvent(r.figure(), r.text()));

    private static final Table<TierShare> TIERS = new Table<>(
            "flight-tiers.csv",
            Table.columns("time_ns,interpreted,c1,c2,inlined,native"),
            (row, t) -> row.field(t.timeNanos())
                    .field(t.interpreted())
                    .field(t.c1())
                    .field(t.c2())
                    .field(t.inlined())
                    .field(t.nativeCode()),
            r -> new TierShare(r.figure(), r.small(), r.small(), r.small(), r.small(), r.small()));

    private static final Table<Work> WORK = new Table<>(
            "flight-work.csv",
            Table.columns("library,compilations,again,sum_ns,longest_method,longest_ns"),
            (row, w) -> row.field(w.library())
                    .field(w.compilations())
                    .field(w.again())
                    .field(w.nanos())
                    .field(w.longestMethod())
                    .field(w.longestNanos()),
            r -> new Work(r.text(), r.small(), r.small(), r.figure(), r.text(), r.figure()));

    private static final Table<HotMethod> HOT = new Table<>(
            "flight-hot.csv",
            Table.columns("time_ns,method,interpreted,c1,c2,level,deepest_bytecode"),
            (row, h) -> row.field(h.timeNanos())
                    .field(h.method())
                    .field(h.interpreted())
                    .field(h.c1())
                    .field(h.c2())
                    .field(h.level())
                    .field(h.deepest()),
            r -> new HotMethod(
                    r.figure(),
                    r.text(),
                    r.small(),
                    r.small(),
                    r.small(),
                    r.small(),
                    r.smallOrNone().orElse(0)));

    private static final Table<FamilySamples> FAMILIES = new Table<>(
            "flight-families.csv",
            Table.columns("time_ns,family,frame,samples"),
            (row, f) -> row.field(f.timeNanos())
                    .field(f.family().map(CodeFamily::id).orElse(""))
                    .field(f.frame())
                    .field(f.samples()),
            r -> new FamilySamples(r.figure(), CodeFamily.named(r.text()), r.text(), r.small()));

    private static final Table<ThrowableCount> THROWABLES = new Table<>(
            "flight-throwables.csv",
            Table.columns("time_ns,throwables"),
            (row, t) -> row.field(t.timeNanos()).field(t.count()),
            r -> new ThrowableCount(r.figure(), r.figure()));

    private static final Table<CgroupSample> THROTTLING = Table.cgroup("flight-throttling.csv");

    /** These tables are the digest of a flight recording; they exist only if a recording was made. */
    private static final List<Table<?>> ALL = List.of(
            COMPILATIONS,
            QUEUES,
            DEOPTIMIZATIONS,
            PAUSES,
            HEAP,
            CODE_CACHE,
            TIERS,
            WORK,
            HOT,
            FAMILIES,
            THROWABLES,
            THROTTLING);

    private FlightFiles() {}

    /** Tells whether a recording was digested already, even if {@link #writeNone} found nothing in it. */
    public static boolean exist(Path directory) {
        return Files.isRegularFile(directory.resolve(ROWS.file()));
    }

    /** Writes or replaces the tables. */
    public static void write(Path directory, FlightDigest digest) {
        List<RowCount> told = new ArrayList<>();
        told.add(write(directory, COMPILATIONS, digest.compilations()));
        told.add(write(directory, QUEUES, digest.queues()));
        told.add(write(directory, DEOPTIMIZATIONS, digest.deoptimizations()));
        told.add(write(directory, PAUSES, digest.collector().pauses()));
        told.add(write(directory, HEAP, digest.collector().heap()));
        told.add(write(directory, CODE_CACHE, digest.codeCache()));
        told.add(write(directory, TIERS, digest.tiers()));
        told.add(write(directory, WORK, digest.compilers().c2Work()));
        told.add(write(directory, HOT, digest.hot()));
        told.add(write(directory, FAMILIES, digest.families()));
        told.add(write(directory, THROWABLES, digest.throwables()));
        told.add(write(directory, THROTTLING, digest.throttling()));
        write(directory, ROWS, told);
    }

    /** Writes down that the recording was read and has nothing to digest, so that nobody reads it again. */
    public static void writeNone(Path directory) {
        write(directory, ROWS, List.of());
    }

    private static <T> RowCount write(Path directory, Table<T> table, List<T> records) {
        try (CsvWriter rows = table.open(directory)) {
            records.forEach(record -> table.write(rows, record));
        }
        return new RowCount(table.file(), records.size());
    }

    /** Reads the digest; empty without one, or with a lost row: no event must seem not to have happened. */
    static Optional<FlightDigest> read(Path directory, Gaps gaps) {
        return ALL.stream().anyMatch(table -> Files.exists(directory.resolve(table.file())))
                ? new DigestReader(directory, gaps).read()
                : Optional.empty();
    }

    /** A DigestReader reads one table after the other, and notices whether all of them are complete. */
    private static final class DigestReader {
        private final Path directory;
        private final Gaps gaps;
        private final Map<String, Long> told = new HashMap<>();
        private boolean whole = true;

        DigestReader(Path directory, Gaps gaps) {
            this.directory = directory;
            this.gaps = gaps;
            if (exist(directory)) {
                ROWS.read(directory, row -> told.put(row.table(), row.rows()), gaps);
            }
        }

        Optional<FlightDigest> read() {
            // In the order of the tables, which is that of the gaps that are told.
            var compilations = rows(COMPILATIONS);
            var queues = rows(QUEUES);
            var deoptimizations = rows(DEOPTIMIZATIONS);
            var collector = new FlightCollector(rows(PAUSES), added(HEAP));
            var codeCache = rows(CODE_CACHE);
            var tiers = rows(TIERS);
            var throttling = rows(THROTTLING);
            var work = added(WORK);
            var hot = added(HOT);
            var families = added(FAMILIES);
            var throwables = added(THROWABLES);
            FlightDigest digest = new FlightDigest(
                    new FlightJit(compilations, queues, deoptimizations, codeCache, work),
                    collector,
                    new FlightSamples(tiers, hot, families, throwables),
                    throttling);
            return whole ? Optional.of(digest) : Optional.empty();
        }

        /** Reads a table that earlier versions of Kiln did not write; it has no rows then. */
        private <T> List<T> added(Table<T> table) {
            return told.containsKey(table.file()) || Files.exists(directory.resolve(table.file()))
                    ? rows(table)
                    : List.of();
        }

        private <T> List<T> rows(Table<T> table) {
            int before = gaps.count();
            List<T> rows = table.read(directory, gaps);
            long expected = told.getOrDefault(table.file(), (long) rows.size());
            if (gaps.count() == before && rows.size() != expected) {
                gaps.addWhole("has " + rows.size() + " of " + expected + " rows");
            }
            whole &= gaps.count() == before;
            return rows;
        }
    }
}
