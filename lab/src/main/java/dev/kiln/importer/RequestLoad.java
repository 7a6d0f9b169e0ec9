package dev.kiln.importer;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Provenance;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A log of single requests.
 *
 * @param parser tells the file's requests and what could not be read of it
 * @param binNanos as fine as the log's times allow
 */
record RequestLoad(String what, Path file, boolean dated, long binNanos, Parser parser, Span span)
        implements LoadSource {
    /** A longer test is a mistaken time. */
    private static final long LONGEST = 40L * 86_400 * 1_000_000_000;

    /** Reads a format. */
    interface Parser {
        void parse(Path file, Consumer<Request> requests, Consumer<String> gaps);
    }

    /** Empty for a log without requests. */
    static Optional<RequestLoad> of(String what, Path file, boolean dated, long binNanos, Parser parser) {
        long[] span = {Long.MAX_VALUE, Long.MIN_VALUE};
        parser.parse(
                file,
                request -> {
                    span[0] = Math.min(span[0], request.startNanos());
                    span[1] = Math.max(span[1], request.endNanos());
                    if (span[1] - span[0] > LONGEST || span[1] < span[0]) {
                        throw new KilnException(
                                Exit.USAGE,
                                request.place() + ": a time more than 40 days from the others",
                                "correct it, or leave the request out");
                    }
                },
                gap -> {});
        return span[0] == Long.MAX_VALUE
                ? Optional.empty()
                : Optional.of(new RequestLoad(what, file, dated, binNanos, parser, new Span(span[0], span[1])));
    }

    @Override
    public Provenance.Bins bins() {
        return new Provenance.Bins(binNanos == 100_000_000 ? 0 : binNanos, false, Provenance.Kind.TIME);
    }

    @Override
    public boolean quantised() {
        return false;
    }

    @Override
    public void read(LoadSink sink) {
        sink.phase(LabFolder.stem(String.valueOf(file.getFileName())), span.fromNanos());
        RequestBins bins = new RequestBins(sink, span.fromNanos(), binNanos);
        parser.parse(file, bins::add, sink::gap);
        bins.end(span.toNanos());
        sink.end(span.toNanos());
    }
}
