package dev.kiln.importer;

import dev.kiln.importer.Request.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * k6's {@code --out csv}: one metric of one request a line, stamped when the request ended. Stamps are seconds unless
 * K6_CSV_TIME_FORMAT asked for finer ones.
 */
final class K6Csv {
    private static final String METRIC = "http_req_duration,";

    private K6Csv() {}

    static Optional<RequestLoad> of(Path file) {
        long bin = finer(file) ? 100_000_000 : 1_000_000_000;
        return RequestLoad.of("k6", file, true, bin, (f, requests, gaps) -> parse(Lines.of(f), requests, gaps));
    }

    /** Whether the stamps are finer than seconds. */
    private static boolean finer(Path file) {
        try (Lines lines = Lines.of(file)) {
            boolean header = lines.next();
            boolean row = header && lines.next();
            return row && stamp(lines, lines.text()).length() > 10;
        }
    }

    private static String stamp(Lines lines, String row) {
        String[] cells = row.split(",", 3);
        if (cells.length < 3) {
            throw lines.malformed("'" + row + "'", "a row of k6");
        }
        return cells[1];
    }

    static void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps) {
        try (lines) {
            List<String> header = lines.next() ? List.of(lines.text().split(",", -1)) : List.of();
            int status = header.indexOf("status");
            int expected = header.indexOf("expected_response");
            if (status < 0 || header.indexOf("timestamp") != 1) {
                throw lines.malformed("no header of k6", "metric_name,timestamp,metric_value,...,status,...");
            }
            while (lines.next()) {
                if (!lines.whole()) {
                    gaps.accept(lines.file() + ":" + lines.number() + ": the last line is cut short and left out");
                } else if (lines.startsWith(METRIC)) {
                    requests.accept(
                            request(lines, status, expected < 0 ? OptionalInt.empty() : OptionalInt.of(expected)));
                }
            }
        }
    }

    private static Request request(Lines lines, int status, OptionalInt expected) {
        String[] cells = lines.text().split(",", -1);
        if (cells.length <= Math.max(status, expected.orElse(0))) {
            throw lines.malformed(cells.length + " columns", "those of the header");
        }
        long latency = DecimalTime.nanos(lines, cells[2], 6);
        long end = end(lines, cells[1]);
        Outcome outcome = K6Json.outcome(cells[status], expected.isPresent() ? cells[expected.getAsInt()] : "");
        return new Request(end - latency, latency, outcome, lines.file() + ":" + lines.number());
    }

    /** Unix time in the unit that its digits tell: seconds have 10 of them until the year 2286. */
    private static long end(Lines lines, String stamp) {
        if (!stamp.matches("\\d{10}|\\d{13}|\\d{16}|\\d{19}")) {
            return K6Json.time(lines, stamp);
        }
        return DecimalTime.nanos(lines, stamp, 19 - stamp.length());
    }
}
