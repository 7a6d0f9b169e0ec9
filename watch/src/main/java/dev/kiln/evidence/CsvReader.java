package dev.kiln.evidence;

import dev.kiln.evidence.JitColumns.CodeHeaps;
import dev.kiln.evidence.JitColumns.LastDeoptimisations;
import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.text.CsvLine;
import dev.kiln.text.Show;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/** A CsvReader reads one table of a run. A damaged row becomes a gap, never a figure. */
final class CsvReader {
    /** These columns are missing in evidence of earlier versions; each of their fields then reads as empty. */
    private static final Set<String> LATER = Set.copyOf(CsvLine.cells(
            "user_ns,system_ns,young_collections,full_collections,full_collection_ns,longest_method,not_entrant,action,"
                    + "collector,task,minor_faults,major_faults,softirq_ns,to_safepoint_ns,state,deepest_bytecode,"
                    + LastDeoptimisations.COLUMNS
                    + ","
                    + CodeHeaps.COLUMNS));

    private CsvReader() {}

    /** A LineTaker receives the lines of a file with their numbers, counted from 1. */
    interface LineTaker {
        void take(long number, String line);
    }

    /**
     * Reads the rows of a table and passes them on, one after the other.
     *
     * @param columns that the table has; their order in the file and other columns beside them do not matter
     * @param rows refuses what is no row with an {@link IllegalArgumentException}
     */
    static void read(Path directory, String name, List<String> columns, Consumer<EvidenceRow> rows, Gaps gaps) {
        gaps.file(name);
        Path file = directory.resolve(name);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            gaps.addWhole("missing");
            return;
        }
        Rows taker = new Rows(columns, rows, gaps);
        try {
            lines(file, taker, taker::cutShort);
        } catch (IOException e) {
            gaps.addWhole("cannot be read further: " + IoReason.of(e));
            return;
        }
        if (!taker.begun) {
            gaps.addWhole("empty");
        }
    }

    /** Reads the whole lines of a file; a cut last one, whose number would be another, goes to cutShort. */
    static void lines(Path file, LineTaker taker, LineTaker cutShort) throws IOException {
        boolean complete = endsInNewline(file);
        // A damaged byte costs its line and no more.
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(InputFile.lines(file, InputFile.TABLE), StandardCharsets.UTF_8), 1 << 16)) {
            String next = in.readLine();
            for (long number = 1; next != null; number++) {
                String line = next;
                next = in.readLine();
                (next != null || complete ? taker : cutShort).take(number, line);
            }
        }
    }

    /** Rows are made of lines by the header, which is the first line. */
    private static final class Rows implements LineTaker {
        private final List<String> columns;
        private final Consumer<EvidenceRow> rows;
        private final Gaps gaps;
        private boolean begun;
        private int fields;
        /**
         * The positions of the table's columns in the file are kept here: -1 for a column of later versions that the
         * file lacks. The array is empty before the header, and if any other column is missing.
         */
        private int[] places = new int[0];

        Rows(List<String> columns, Consumer<EvidenceRow> rows, Gaps gaps) {
            this.columns = columns;
            this.rows = rows;
            this.gaps = gaps;
        }

        @Override
        public void take(long number, String line) {
            if (!begun) {
                begun = true;
                header(CsvLine.cells(line));
            } else if (places.length > 0) {
                try {
                    rows.accept(row(line, fields, places));
                } catch (IllegalArgumentException e) {
                    gaps.add(number, e.getMessage() == null ? "not a row" : e.getMessage());
                }
            }
        }

        void cutShort(long number, String line) {
            if (number == 1) {
                take(number, line);
            } else {
                gaps.add(number, "cut short");
            }
        }

        private void header(List<String> header) {
            Optional<String> missing = columns.stream()
                    .filter(column -> !header.contains(column) && !LATER.contains(column))
                    .findFirst();
            fields = header.size();
            if (missing.isPresent()) {
                gaps.add(1, "no column " + missing.get());
            } else {
                places = columns.stream().mapToInt(header::indexOf).toArray();
            }
        }
    }

    static EvidenceRow row(String line, int columns, int[] places) {
        List<String> fields = CsvLine.cells(line);
        if (fields.size() != columns) {
            throw new IllegalArgumentException(fields.size() + " fields where " + columns + " were expected");
        }
        return new EvidenceRow(fields, places);
    }

    private static boolean endsInNewline(Path file) throws IOException {
        try (FileChannel channel = InputFile.open(file)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return channel.size() > 0 && channel.read(last, channel.size() - 1) == 1 && last.get(0) == '\n';
        }
    }

    /** An EvidenceRow gives the fields of one line in the order of the table's columns, whatever their order in the file. */
    static final class EvidenceRow {
        /** In ns these are 36 years. */
        private static final long MOST = 1L << 60;

        private final List<String> fields;
        private final int[] places;
        private int at;

        EvidenceRow(List<String> fields, int[] places) {
            this.fields = fields;
            this.places = places;
        }

        String text() {
            int place = places[at++];
            return place < 0 ? "" : fields.get(place);
        }

        /** Returns the next field, which is a count or a time since some beginning and so never negative. */
        long figure() {
            return figure(text());
        }

        /** Returns the next field, or 0 where it is empty. */
        long figureOrNone() {
            String text = text();
            return text.isEmpty() ? 0 : figure(text);
        }

        /** Returns the next field, or nothing where it is empty. */
        OptionalLong figureIfAny() {
            String text = text();
            return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(figure(text));
        }

        static long figure(String text) {
            long value;
            try {
                value = Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("'" + Show.brief(text, 30) + "' is not a whole number", e);
            }
            requireFigure(value);
            return value;
        }

        /** Refuses what no clock and no counter of a run comes to, so that sums of a few figures stay figures. */
        static void requireFigure(long value) {
            if (value < 0) {
                throw new IllegalArgumentException("'" + value + "' is negative");
            }
            if (value > MOST) {
                throw new IllegalArgumentException("'" + value + "' is too large");
            }
        }

        /** Returns the next field, or nothing where it is empty. */
        OptionalInt smallOrNone() {
            String text = text();
            return text.isEmpty() ? OptionalInt.empty() : OptionalInt.of(small(figure(text)));
        }

        int small() {
            return small(figure());
        }

        private static int small(long value) {
            if (value > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("'" + value + "' is too large");
            }
            return (int) value;
        }
    }
}
