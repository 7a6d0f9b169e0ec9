package dev.kiln.importer.program;

import dev.kiln.importer.format.Cursor;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.program.Request.RequestOutcome;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** An H2loadLog reads {@code --log-file}, a request a line: begin (us since 1970), status or -1, us taken. */
public final class H2loadLog {
    public static final Format FORMAT = Format.loads(
            "h2load's --log-file",
            head -> head.first(line -> line.matches("\\d{16}\t-?\\d{1,3}\t\\d+(\t.*)?")),
            H2loadLog::of);

    private static final long MICRO = 1000;
    private static final long LAST_MICRO = Long.MAX_VALUE / MICRO / 2;

    private H2loadLog() {}

    public static Optional<LoadSource> of(Path file) {
        return RequestLog.ofLines("h2load", file, true, 100_000_000, H2loadLog::parse);
    }

    public static void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps) {
        Cursor cursor = new Cursor(lines);
        while (lines.nextRow(gaps)) {
            requests.accept(request(lines, cursor.rewind()));
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
        RequestOutcome outcome =
                failed ? RequestOutcome.LOST : status / 100 == 2 ? RequestOutcome.OK : RequestOutcome.STATUS;
        return new Request(start * MICRO, elapsed * MICRO, outcome, lines.place());
    }
}
