package dev.kiln.importer;

import dev.kiln.importer.Request.Outcome;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** h2load's {@code --log-file}: begin (us since 1970), status or -1, and time taken (us), one request a line. */
final class H2load {
    private static final long MICRO = 1000;
    private static final long BIN = 100_000_000;
    private static final long LAST_MICRO = Long.MAX_VALUE / MICRO / 2;

    private H2load() {}

    static Optional<RequestLoad> of(Path file) {
        return RequestLoad.of("h2load", file, true, BIN, H2load::parse);
    }

    private static void parse(Path file, Consumer<Request> requests, Consumer<String> gaps) {
        parse(Lines.of(file), requests, gaps);
    }

    static void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps) {
        try (lines) {
            Cursor cursor = new Cursor(lines);
            while (lines.next()) {
                if (!lines.whole()) {
                    gaps.accept(lines.file() + ":" + lines.number() + ": the last line is cut short and left out");
                } else if (!lines.isBlank()) {
                    requests.accept(request(lines, cursor.rewind()));
                }
            }
        }
    }

    private static Request request(Lines lines, Cursor cursor) {
        long start = cursor.whole("the beginning");
        cursor.skipBlanks();
        boolean failed = cursor.eat((byte) '-');
        long status = cursor.whole("the status");
        cursor.skipBlanks();
        long elapsed = cursor.whole("the time taken");
        if (start > LAST_MICRO || elapsed > LAST_MICRO || start < 1_000_000_000_000_000L) {
            throw lines.malformed("a time of " + start + " us", "us since 1970");
        }
        Outcome outcome = failed ? Outcome.LOST : status / 100 == 2 ? Outcome.OK : Outcome.STATUS;
        return new Request(start * MICRO, elapsed * MICRO, outcome, lines.file() + ":" + lines.number());
    }
}
