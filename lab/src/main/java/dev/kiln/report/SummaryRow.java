package dev.kiln.report;

import java.util.List;

/**
 * A variant's line of the table that every report begins with.
 *
 * @param verdict one for all runs, or how many have which
 * @param held titles of the findings that explain most
 */
record SummaryRow(
        String variant,
        String verdict,
        List<String> held,
        Cell start,
        Cell firstResponse,
        Cell end,
        Cell peak,
        Cell t90,
        Cell cost,
        Cell c2,
        Cell runs) {

    /** Column heads, their second line, in the order of {@link #cells()}. */
    static final List<Head> HEADS = List.of(
            new Head("start", "s", "seconds from launch until the service is ready"),
            new Head("first", "resp. s", "seconds from launch to the first successful response"),
            new Head(
                    "req/s, end",
                    "of warm-up",
                    "requests per second at the end of the warm-up: what follows T90, 10 to 30 s of it"),
            new Head("reference", "peak", "requests per second after the pause, geometric mean of the runs"),
            new Head("T90", "s", "seconds from the first request to 90 % of the reference peak"),
            new Head("warm-up", "cost s", "requests lost in the warm-up, as seconds at the reference peak"),
            new Head(
                    "C2 CPU /",
                    "wait %",
                    "C2 threads running and waiting for a CPU, % of one CPU, second half of the warm-up"),
            new Head("valid", "runs", "runs from which a peak may be read"));

    record Head(String top, String bottom, String meaning) {}

    List<Cell> cells() {
        return List.of(start, firstResponse, end, peak, t90, cost, c2, runs);
    }
}
