package dev.kiln.importer;

import dev.kiln.importer.Request.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** oha's {@code --output-format csv}: one successful request a line, in seconds since the test began. */
final class OhaCsv {
    private static final long BIN = 100_000_000;

    private OhaCsv() {}

    static Optional<RequestLoad> of(Path file) {
        return RequestLoad.of("oha", file, false, BIN, (f, requests, gaps) -> parse(Lines.of(f), requests, gaps));
    }

    static void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps) {
        try (lines) {
            List<String> header = lines.next() ? List.of(lines.text().split(",", -1)) : List.of();
            int start = header.indexOf("request-start");
            int duration = header.indexOf("request-duration");
            int status = header.indexOf("status");
            if (start < 0 || duration < 0 || status < 0) {
                throw lines.malformed("no header of oha", "request-start,...,request-duration,bytes,status");
            }
            while (lines.next()) {
                if (!lines.whole()) {
                    gaps.accept(lines.file() + ":" + lines.number() + ": the last line is cut short and left out");
                } else if (!lines.isBlank()) {
                    String[] cells = lines.text().split(",", -1);
                    if (cells.length != header.size()) {
                        throw lines.malformed(cells.length + " columns", Integer.toString(header.size()));
                    }
                    requests.accept(new Request(
                            DecimalTime.nanos(lines, cells[start], 9),
                            DecimalTime.nanos(lines, cells[duration], 9),
                            cells[status].startsWith("2") ? Outcome.OK : Outcome.STATUS,
                            lines.file() + ":" + lines.number()));
                }
            }
        }
    }
}
