package dev.kiln.evidence;

import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.CallBin;
import dev.kiln.text.CsvLine;
import dev.kiln.text.Show;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A LoadFile is {@code load.csv}, a run's bins. What was flushed survives this process, not the machine. */
public final class LoadFile implements AutoCloseable {
    public static final String NAME = "load.csv";

    /** No phase takes longer: the longest that an experiment can ask for takes 365 days. */
    static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(366);

    private static final String HEADER =
            "phase,start_ns,end_ns,started,completed,refused,reset,timeout,non2xx,bad_body,backlog,lag_ns";

    private static final int COLUMNS = CsvLine.cells(HEADER).size();

    private static final int BACKLOG = CsvLine.cells(HEADER).indexOf("backlog");

    private final CsvWriter rows;

    /** Opens the file of a run, and appends to it if it exists already. */
    public LoadFile(Path directory) {
        rows = CsvWriter.append(directory.resolve(NAME), CsvLine.cells(HEADER));
    }

    /** Writes a bin as one row. The phase's name must have passed {@link #isValidPhaseName}. */
    public void write(LoadBin bin) {
        LoadBin.Errors e = bin.errors();
        rows.field(bin.phase())
                .field(bin.startNanos())
                .field(bin.endNanos())
                .field(bin.started())
                .field(bin.completed())
                .field(e.refused())
                .field(e.reset())
                .field(e.timeout())
                .field(e.non2xx())
                .field(e.badBody())
                .field(bin.backlog())
                .field(bin.lagNanos())
                .endRow();
    }

    /** Tells whether a name needs no quotes: it stands as it is in CSV rows and in the tags of histogram logs. */
    public static boolean isValidPhaseName(String name) {
        return !name.isEmpty()
                && name.chars().noneMatch(c -> c == ',' || c == '"' || c == '#' || Character.isWhitespace(c));
    }

    public void flush() {
        rows.flush();
    }

    @Override
    public void close() {
        rows.close();
    }

    /** LoadBins are the bins of a load, and the lines that could not be read, with file and line. */
    public record LoadBins(List<LoadBin> bins, List<String> gaps) {
        public LoadBins {
            bins = List.copyOf(bins);
            gaps = List.copyOf(gaps);
        }
    }

    /** Reads all complete bins of a file. */
    public static LoadBins read(Path file) throws IOException {
        List<LoadBin> bins = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        boolean[] known = {false};
        Function<String, LoadBin> inOrder = inOrder();
        CsvReader.lines(
                file,
                (number, line) -> {
                    if (number == 1) {
                        known[0] = line.equals(HEADER);
                        if (!known[0]) {
                            gaps.add(file + ":1: expected the header " + HEADER);
                        }
                    } else if (known[0]) {
                        try {
                            bins.add(inOrder.apply(line));
                        } catch (IllegalArgumentException e) {
                            gaps.add(file + ":" + number + ": " + e.getMessage() + "; its bin is lost");
                        }
                    }
                },
                (number, line) -> gaps.add(file + ":" + number + ": the last line is cut short; its bin is lost"));
        return new LoadBins(bins, gaps);
    }

    /** Returns a parser of one row after the other, which also refuses a bin at a time at which its phase was not. */
    static Function<String, LoadBin> inOrder() {
        PhaseRows phases = new PhaseRows();
        return row -> {
            LoadBin bin = bin(row);
            phases.require(bin.phase(), bin.startNanos(), bin.endNanos());
            return bin;
        };
    }

    /**
     * PhaseRows refuse a row that is at a time at which its phase was not: one such figure would make a series of
     * millions of seconds.
     */
    private static final class PhaseRows {
        private final Map<String, Long> begins = new HashMap<>();

        void require(String phase, long start, long end) {
            long begin = begins.computeIfAbsent(phase, first -> start);
            if (start < begin || end < start) {
                throw new IllegalArgumentException("it begins before its phase, or ends before it begins");
            }
            if (end - begin > LONGEST_NANOS) {
                throw new IllegalArgumentException("it ends over 366 days after its phase began");
            }
        }
    }

    /** Parses one row, or says why it is no bin by an {@link IllegalArgumentException}. */
    static LoadBin bin(String row) {
        List<String> cells = CsvLine.cells(row);
        if (cells.size() != COLUMNS) {
            throw new IllegalArgumentException(cells.size() + " columns where " + COLUMNS + " were expected");
        }
        long[] n = new long[COLUMNS];
        for (int i = 1; i < COLUMNS; i++) {
            try {
                n[i] = Long.parseLong(cells.get(i));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("'" + Show.brief(cells.get(i), 30) + "' is not a number", e);
            }
            // A backlog is a difference.
            CsvReader.EvidenceRow.requireFigure(i < BACKLOG ? n[i] : Math.abs(n[i]));
        }
        LoadBin.Errors errors = new LoadBin.Errors(n[5], n[6], n[7], n[8], n[9]);
        return new LoadBin(cells.getFirst(), n[1], n[2], n[3], n[4], errors, n[10], n[11]);
    }

    /** A CallFile is {@code calls.csv} of a mix of requests: a row for each call and second, once flushed. */
    public static final class CallFile implements AutoCloseable {
        public static final String NAME = "calls.csv";

        private static final Table<CallBin> TABLE = new Table<>(
                NAME,
                List.of("phase", "start_ns", "end_ns", "call", "completed", "errors", "p50_ns", "p99_ns"),
                (row, bin) -> row.field(bin.phase())
                        .field(bin.startNanos())
                        .field(bin.endNanos())
                        .field(bin.call())
                        .field(bin.completed())
                        .field(bin.errors())
                        .fieldOrEmpty(bin.p50Nanos())
                        .fieldOrEmpty(bin.p99Nanos()),
                r -> new CallBin(
                        r.text(),
                        r.figure(),
                        r.figure(),
                        r.text(),
                        r.figure(),
                        r.figure(),
                        r.figureOrNone(),
                        r.figureOrNone()));

        private final CsvWriter rows;

        /** Opens the file of a run, and appends to it if it exists already. */
        public CallFile(Path directory) {
            rows = CsvWriter.append(directory.resolve(NAME), TABLE.columns());
        }

        public void write(CallBin bin) {
            TABLE.write(rows, bin);
        }

        public void flush() {
            rows.flush();
        }

        @Override
        public void close() {
            rows.close();
        }

        /** Returns all complete rows; the list is empty for a run without the file. */
        static List<CallBin> read(Path directory, Gaps gaps) {
            if (!Files.exists(directory.resolve(NAME))) {
                return List.of();
            }
            List<CallBin> bins = new ArrayList<>();
            PhaseRows phases = new PhaseRows();
            TABLE.read(
                    directory,
                    bin -> {
                        phases.require(bin.phase() + "," + bin.call(), bin.startNanos(), bin.endNanos());
                        bins.add(bin);
                    },
                    gaps);
            return bins;
        }
    }
}
