package dev.kiln.importer.program;

import dev.kiln.importer.format.Cursor;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.program.Request.RequestOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A VegetaCsv reads {@code vegeta encode -to csv}: begin (ns since 1970), status or 0, latency (ns), ... */
public final class VegetaCsv {
    public static final Format FORMAT = Format.loads(
            "vegeta's encode -to csv",
            head -> head.first(line -> line.matches("\\d{19},\\d{1,3},\\d{1,19},\\d+,\\d+,.*")),
            VegetaCsv::of);

    private static final int ERROR = 5;
    private static final long FIRST_NANOS = 1_000_000_000_000_000_000L;
    private static final long LAST_NANOS = Long.MAX_VALUE / 2;

    private VegetaCsv() {}

    public static Optional<LoadSource> of(Path file) {
        return RequestLog.ofLines("vegeta", file, true, 100_000_000, VegetaCsv::parse);
    }

    public static void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps) {
        Cursor cursor = new Cursor(lines);
        while (lines.nextRow(gaps)) {
            requests.accept(request(lines, cursor.rewind()));
        }
    }

    private static Request request(Lines lines, Cursor cursor) {
        long start = cursor.nanos("the beginning");
        cursor.eat((byte) ',');
        long status = cursor.whole("the status");
        cursor.eat((byte) ',');
        long latency = cursor.nanos("the latency");
        if (start < FIRST_NANOS || start > LAST_NANOS || latency > LAST_NANOS) {
            throw lines.malformed("a time of " + start + " ns", "ns since 1970");
        }
        return new Request(start, latency, outcome(status, () -> error(lines)), lines.place());
    }

    /** @param told what vegeta says of a request without an answer */
    static RequestOutcome outcome(long status, Supplier<String> told) {
        if (status > 0) {
            return status / 100 == 2 ? RequestOutcome.OK : RequestOutcome.STATUS;
        }
        String error = told.get();
        if (error.contains("connection refused")) {
            return RequestOutcome.REFUSED;
        }
        return error.matches("(?s).*(?:deadline exceeded|[Tt]imeout).*") ? RequestOutcome.TIMEOUT : RequestOutcome.LOST;
    }

    private static String error(Lines lines) {
        List<String> cells = lines.cells();
        if (cells.size() <= ERROR) {
            throw lines.malformed(cells.size() + " columns", "at least " + (ERROR + 1));
        }
        return cells.get(ERROR);
    }
}
