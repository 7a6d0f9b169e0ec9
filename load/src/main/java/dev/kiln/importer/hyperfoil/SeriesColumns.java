package dev.kiln.importer.hyperfoil;

import dev.kiln.model.load.LoadBin;
import dev.kiln.text.CsvLine;
import dev.kiln.text.CsvTable.CsvRow;
import dev.kiln.text.Decimal;
import dev.kiln.text.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** SeriesColumns knows what the columns of a load series are, by their names. */
public final class SeriesColumns {
    /** A SeriesRole is what a column contains. */
    enum SeriesRole {
        PHASE,
        START,
        END,
        REQUESTS,
        RESPONSES,
        P50,
        P99,
        MAX,
        CONNECTION,
        TIMEOUT,
        INTERNAL,
        INVALID,
        OK,
        REDIRECT,
        CLIENT,
        SERVER,
        OTHER,
        /** The column counts failures of any kind. */
        ERRORS,
        UNUSED;

        /** Returns the role's place in a row of cells, which is an array for speed. */
        @SuppressWarnings("EnumOrdinal") // it lives no longer than the row
        int place() {
            return ordinal();
        }
    }

    private static final Map<String, SeriesRole> KNOWN = new HashMap<>();

    static {
        // Hyperfoil's CsvWriter: *.series.csv and total.csv.
        KNOWN.put("start", SeriesRole.START);
        KNOWN.put("end", SeriesRole.END);
        KNOWN.put("requests", SeriesRole.REQUESTS);
        KNOWN.put("responses", SeriesRole.RESPONSES);
        KNOWN.put("p50.0", SeriesRole.P50);
        KNOWN.put("p99.0", SeriesRole.P99);
        KNOWN.put("max", SeriesRole.MAX);
        KNOWN.put("connectionerrors", SeriesRole.CONNECTION);
        KNOWN.put("requesttimeouts", SeriesRole.TIMEOUT);
        KNOWN.put("internalerrors", SeriesRole.INTERNAL);
        KNOWN.put("invalid", SeriesRole.INVALID);
        KNOWN.put("http.2xx", SeriesRole.OK);
        KNOWN.put("http.3xx", SeriesRole.REDIRECT);
        KNOWN.put("http.4xx", SeriesRole.CLIENT);
        KNOWN.put("http.5xx", SeriesRole.SERVER);
        KNOWN.put("http.otherstatus", SeriesRole.OTHER);
        // Tables made from them.
        KNOWN.put("phase", SeriesRole.PHASE);
        KNOWN.put("start_ms", SeriesRole.START);
        KNOWN.put("end_ms", SeriesRole.END);
        KNOWN.put("p50_ns", SeriesRole.P50);
        KNOWN.put("p99_ns", SeriesRole.P99);
        KNOWN.put("max_ns", SeriesRole.MAX);
        KNOWN.put("errors", SeriesRole.ERRORS);
    }

    private final List<SeriesRole> roles = new ArrayList<>();

    SeriesColumns(String header) {
        for (String name : CsvLine.cells(header)) {
            roles.add(KNOWN.getOrDefault(name.strip().toLowerCase(Locale.ROOT), SeriesRole.UNUSED));
        }
    }

    SeriesRole[] roles() {
        return roles.toArray(SeriesRole[]::new);
    }

    int place(SeriesRole role) {
        return roles.indexOf(role);
    }

    boolean has(SeriesRole role) {
        return roles.contains(role);
    }

    /** Tells whether the columns suffice for a series, each of them once. */
    boolean isSeries() {
        boolean twice = roles.stream()
                .filter(role -> role != SeriesRole.UNUSED)
                .anyMatch(role -> roles.indexOf(role) != roles.lastIndexOf(role));
        return !twice && has(SeriesRole.START) && has(SeriesRole.END) && has(SeriesRole.REQUESTS);
    }

    /**
     * SeriesCounts turns Hyperfoil's counters of one interval into what Kiln counts. Hyperfoil counts an interval's
     * requests and what became of them in the interval in which they began.
     *
     * @param responses whether the source counts responses apart from requests
     * @param statuses whether it counts responses by status
     */
    record SeriesCounts(boolean responses, boolean statuses) {
        /** Returns the successes of cells in the roles' order; below 0 where counts contradict one another. */
        long completed(long[] cells) {
            return completed(cells, errors(cells));
        }

        /** @param errors of the same cells */
        long completed(long[] cells, LoadBin.Errors errors) {
            if (statuses) {
                return cells[SeriesRole.OK.place()] - errors.badBody();
            }
            return responses
                    ? cells[SeriesRole.RESPONSES.place()] - errors.non2xx() - errors.badBody()
                    : cells[SeriesRole.REQUESTS.place()] - errors.total();
        }

        LoadBin.Errors errors(long[] cells) {
            long status = cells[SeriesRole.REDIRECT.place()]
                    + cells[SeriesRole.CLIENT.place()]
                    + cells[SeriesRole.SERVER.place()]
                    + cells[SeriesRole.OTHER.place()];
            // A response of a bad status is invalid as well, and must not count twice.
            long body = Math.max(0, cells[SeriesRole.INVALID.place()] - status);
            // What the generator itself could not send is lost like a connection.
            long lost = cells[SeriesRole.CONNECTION.place()] + cells[SeriesRole.INTERNAL.place()];
            return lost + status + body + cells[SeriesRole.TIMEOUT.place()] + cells[SeriesRole.ERRORS.place()] == 0
                    ? LoadBin.Errors.NONE
                    : new LoadBin.Errors(
                            0,
                            lost,
                            cells[SeriesRole.TIMEOUT.place()],
                            status + cells[SeriesRole.ERRORS.place()],
                            body);
        }
    }

    /** A SeriesCounting counts in people's tables of Hyperfoil's columns; requests include failures there. */
    public static final class SeriesCounting {
        private final SeriesRole[] roles;
        private final SeriesCounts counts;

        private SeriesCounting(SeriesColumns columns) {
            roles = columns.roles();
            counts = new SeriesCounts(columns.has(SeriesRole.RESPONSES), columns.has(SeriesRole.OK));
        }

        /** Counts are what a row counts. */
        public record Counts(long completed, long failed) {}

        /** Recognises such a table by its columns; empty for one that has no responses apart from requests. */
        public static Optional<SeriesCounting> of(List<String> header) {
            SeriesColumns columns = new SeriesColumns(String.join(",", header));
            return columns.isSeries() && (columns.has(SeriesRole.RESPONSES) || columns.has(SeriesRole.OK))
                    ? Optional.of(new SeriesCounting(columns))
                    : Optional.empty();
        }

        public Counts counts(String file, CsvRow row) {
            long[] cells = new long[SeriesRole.values().length];
            for (int i = 0; i < roles.length; i++) {
                String cell = row.cells().get(i);
                if (roles[i] != SeriesRole.PHASE && roles[i] != SeriesRole.UNUSED && !cell.isEmpty()) {
                    cells[roles[i].place()] = (long) Decimal.notNegative(file, row.line(), roles[i].name(), cell);
                }
            }
            LoadBin.Errors errors = counts.errors(cells);
            long completed = counts.completed(cells, errors);
            if (completed < 0) {
                throw Source.wrong(file, row.line(), "found more errors than requests, expected counts that agree", "");
            }
            return new Counts(completed, errors.total());
        }
    }
}
