package dev.kiln.importer.program;

import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.Span;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Provenance;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A RequestLog is a log of single requests.
 *
 * @param parser reads the file's requests, and reports what it could not read
 * @param binNanos as fine as the log's times allow
 */
public record RequestLog(String what, Path file, boolean dated, long binNanos, Parser parser) {
    /** A longer test is a mistaken time. */
    private static final long LONGEST = 40L * 86_400 * 1_000_000_000;

    /** A Parser reads a format. */
    interface Parser {
        void parse(Path file, Consumer<Request> requests, Consumer<String> gaps);
    }

    /** A LineParser reads a format of lines. */
    interface LineParser {
        void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps);
    }

    /** Makes the source of a log; empty for one without requests. */
    public static Optional<LoadSource> of(String what, Path file, boolean dated, long binNanos, Parser parser) {
        RequestLog log = new RequestLog(what, file, dated, binNanos, parser);
        List<Span> loads = log.loads();
        return loads.isEmpty() ? Optional.empty() : Optional.of(log.source(loads));
    }

    /** Makes the source of a log of lines; empty for one without requests. */
    static Optional<LoadSource> ofLines(String what, Path file, boolean dated, long binNanos, LineParser parser) {
        return of(what, file, dated, binNanos, (path, requests, gaps) -> {
            try (Lines lines = Lines.of(path)) {
                parser.parse(lines, requests, gaps);
            }
        });
    }

    private List<Span> loads() {
        RequestLoads.Finder finder = new RequestLoads.Finder();
        long[] span = {Long.MAX_VALUE, Long.MIN_VALUE};
        parser.parse(
                file,
                request -> {
                    span[0] = Math.min(span[0], request.startNanos());
                    span[1] = Math.max(span[1], request.endNanos());
                    if (span[1] - span[0] > LONGEST || span[1] < span[0]) {
                        throw KilnException.usage(
                                request.place() + ": a time more than 40 days from the others",
                                "correct it, or leave the request out");
                    }
                    finder.add(request.startNanos(), request.endNanos());
                },
                gap -> {});
        return finder.loads();
    }

    private LoadSource source(List<Span> loads) {
        return new LoadSource(
                what,
                loads.getFirst().join(loads.getLast()),
                dated,
                new Provenance.SourceBins(binNanos == 100_000_000 ? 0 : binNanos, false, Provenance.SourceKind.TIME),
                false,
                false,
                sink -> {
                    String phase = LoadSource.stem(String.valueOf(file.getFileName()));
                    RequestLoads telling = new RequestLoads(sink, phase, loads, binNanos);
                    parser.parse(file, telling::add, sink::gap);
                    telling.end();
                });
    }
}
