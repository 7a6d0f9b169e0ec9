package dev.kiln.importer.hyperfoil;

import dev.kiln.model.load.LoadBin;
import dev.kiln.text.CsvTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** SeriesColumns knows what the columns of a load series are, by their names. */
final class SeriesColumns {
    /** A Role is what a column contains. */
    enum Role {
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

    private static final Map<String, Role> KNOWN = new HashMap<>();

    static {
        // Hyperfoil's CsvWriter: *.series.csv and total.csv.
        KNOWN.put("start", Role.START);
        KNOWN.put("end", Role.END);
        KNOWN.put("requests", Role.REQUESTS);
        KNOWN.put("responses", Role.RESPONSES);
        KNOWN.put("p50.0", Role.P50);
        KNOWN.put("p99.0", Role.P99);
        KNOWN.put("max", Role.MAX);
        KNOWN.put("connectionerrors", Role.CONNECTION);
        KNOWN.put("requesttimeouts", Role.TIMEOUT);
        KNOWN.put("internalerrors", Role.INTERNAL);
        KNOWN.put("invalid", Role.INVALID);
        KNOWN.put("http.2xx", Role.OK);
        KNOWN.put("http.3xx", Role.REDIRECT);
        KNOWN.put("http.4xx", Role.CLIENT);
        KNOWN.put("http.5xx", Role.SERVER);
        KNOWN.put("http.otherstatus", Role.OTHER);
        // Tables made from them.
        KNOWN.put("phase", Role.PHASE);
        KNOWN.put("start_ms", Role.START);
        KNOWN.put("end_ms", Role.END);
        KNOWN.put("p50_ns", Role.P50);
        KNOWN.put("p99_ns", Role.P99);
        KNOWN.put("max_ns", Role.MAX);
        KNOWN.put("errors", Role.ERRORS);
    }

    private final List<Role> roles = new ArrayList<>();

    SeriesColumns(String header) {
        for (String name : CsvTable.ofLine(header)) {
            roles.add(KNOWN.getOrDefault(name.strip().toLowerCase(Locale.ROOT), Role.UNUSED));
        }
    }

    Role[] roles() {
        return roles.toArray(Role[]::new);
    }

    int place(Role role) {
        return roles.indexOf(role);
    }

    boolean has(Role role) {
        return roles.contains(role);
    }

    /** Tells whether the columns suffice for a series, each of them once. */
    boolean isSeries() {
        boolean twice = roles.stream()
                .filter(role -> role != Role.UNUSED)
                .anyMatch(role -> roles.indexOf(role) != roles.lastIndexOf(role));
        return !twice && has(Role.START) && has(Role.END) && has(Role.REQUESTS);
    }

    /**
     * Turns Hyperfoil's counters of one interval into what Kiln counts. Hyperfoil counts an interval's requests and what became
     * of them in the interval in which they began.
     *
     * @param responses whether the source counts responses apart from requests
     * @param statuses whether it counts responses by status
     */
    record SeriesCounts(boolean responses, boolean statuses) {
        /**
         * Returns the count of successes from cells in the order of the roles; less than 0 where counts contradict one another.
         */
        long completed(long[] cells) {
            return completed(cells, errors(cells));
        }

        /** @param errors of the same cells */
        long completed(long[] cells, LoadBin.Errors errors) {
            if (statuses) {
                return cells[Role.OK.place()] - errors.badBody();
            }
            return responses
                    ? cells[Role.RESPONSES.place()] - errors.non2xx() - errors.badBody()
                    : cells[Role.REQUESTS.place()] - errors.total();
        }

        LoadBin.Errors errors(long[] cells) {
            long status = cells[Role.REDIRECT.place()]
                    + cells[Role.CLIENT.place()]
                    + cells[Role.SERVER.place()]
                    + cells[Role.OTHER.place()];
            // A response of a bad status is invalid as well, and must not count twice.
            long body = Math.max(0, cells[Role.INVALID.place()] - status);
            // What the generator itself could not send is lost like a connection.
            long lost = cells[Role.CONNECTION.place()] + cells[Role.INTERNAL.place()];
            return lost + status + body + cells[Role.TIMEOUT.place()] + cells[Role.ERRORS.place()] == 0
                    ? LoadBin.Errors.NONE
                    : new LoadBin.Errors(
                            0, lost, cells[Role.TIMEOUT.place()], status + cells[Role.ERRORS.place()], body);
        }
    }
}
