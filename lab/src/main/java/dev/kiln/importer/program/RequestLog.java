package dev.kiln.importer.program;

import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadRow;
import dev.kiln.importer.format.LoadSink;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.Span;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * A log of single requests.
 *
 * @param parser reads the file's requests, and reports what it could not read
 * @param binNanos as fine as the log's times allow
 */
public record RequestLog(String what, Path file, boolean dated, long binNanos, Parser parser) {
    /** A longer test is a mistaken time. */
    private static final long LONGEST = 40L * 86_400 * 1_000_000_000;

    /** Reads a format. */
    interface Parser {
        void parse(Path file, Consumer<Request> requests, Consumer<String> gaps);
    }

    /** Reads a format of lines. */
    interface LineParser {
        void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps);
    }

    /** Empty for a log without requests. */
    public static Optional<LoadSource> of(String what, Path file, boolean dated, long binNanos, Parser parser) {
        RequestLog log = new RequestLog(what, file, dated, binNanos, parser);
        List<Span> loads = log.loads();
        return loads.isEmpty() ? Optional.empty() : Optional.of(log.source(loads));
    }

    /** The same of a log of lines. */
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
                new Provenance.Bins(binNanos == 100_000_000 ? 0 : binNanos, false, Provenance.Kind.TIME),
                false,
                false,
                sink -> {
                    String phase = LoadSource.stem(String.valueOf(file.getFileName()));
                    RequestLoads telling = new RequestLoads(sink, phase, loads, binNanos);
                    parser.parse(file, telling::add, sink::gap);
                    telling.end();
                });
    }

    /**
     * One request of a log. Times in ns, since 1970 or since the log's own beginning.
     *
     * @param place file and line, or record
     */
    public record Request(long startNanos, long latencyNanos, Outcome outcome, String place) {
        /** What became of it. */
        public enum Outcome {
            OK,
            /** Nobody listened. Only some programs tell this from other losses. */
            REFUSED,
            /** No answer: refused, reset, or failed in the generator. */
            LOST,
            TIMEOUT,
            STATUS,
            /** An answer that a check of the test did not accept. */
            BODY;

            /** Its place in an array of counts. */
            @SuppressWarnings("EnumOrdinal") // it lives no longer than the import
            int place() {
                return ordinal();
            }
        }

        public long endNanos() {
            return startNanos + latencyNanos;
        }
    }

    /**
     * From single requests to bins by completion, with a histogram each second. Logs are nearly in the order of completion, so a
     * bin is told once the log is {@link #WINDOW_NANOS} further: memory does not grow with the log. A bin's number of requests begun
     * is that of those which ended in it.
     */
    public static final class RequestBins {
        /** Programs write a request down at most some seconds after it ended. */
        static final long WINDOW_NANOS = 30_000_000_000L;

        private static final long HOLE_NANOS = 3_600_000_000_000L;
        private static final long SECOND = 1_000_000_000L;
        private static final int DIGITS = 3;

        /** From zero on a whole number of bins. */
        private static final class Bin {
            final long index;
            final long[] failed = new long[Request.Outcome.values().length];
            long completed;

            Bin(long index) {
                this.index = index;
            }

            LoadBin.Errors errors() {
                return new LoadBin.Errors(
                        failed[Request.Outcome.REFUSED.place()],
                        failed[Request.Outcome.LOST.place()],
                        failed[Request.Outcome.TIMEOUT.place()],
                        failed[Request.Outcome.STATUS.place()],
                        failed[Request.Outcome.BODY.place()]);
            }
        }

        private final LoadSink sink;
        private final long zero;
        private final long binNanos;
        private final Deque<Bin> bins = new ArrayDeque<>();
        private final TreeMap<Long, Histogram> seconds = new TreeMap<>();
        private long nextBin;

        /** @param zeroNanos the first request's beginning */
        public RequestBins(LoadSink sink, long zeroNanos, long binNanos) {
            this.sink = sink;
            this.zero = zeroNanos;
            this.binNanos = binNanos;
        }

        public void add(Request request) {
            long at = request.endNanos() - zero;
            long index = at / binNanos;
            if (at < 0 || index < nextBin) {
                throw late(request);
            }
            refuseHole(request, index);
            fill(index);
            Bin bin = bin(index);
            if (request.outcome() == Request.Outcome.OK) {
                bin.completed++;
                seconds.computeIfAbsent(at / SECOND, second -> new Histogram(DIGITS))
                        .recordValue(Math.max(0, request.latencyNanos()));
            } else {
                bin.failed[request.outcome().place()]++;
            }
        }

        /** Tells what is left. */
        public void end(long endNanos) {
            fill((endNanos - zero - 1) / binNanos);
            while (!bins.isEmpty()) {
                tellBin(endNanos);
            }
            while (!seconds.isEmpty()) {
                tellSecond();
            }
        }

        /** An hour without a request to end is a mistaken time, or two tests. */
        private void refuseHole(Request request, long index) {
            long newest = bins.isEmpty() ? nextBin : bins.getLast().index;
            if ((index - newest) * binNanos > HOLE_NANOS) {
                throw hole(request);
            }
        }

        static KilnException hole(Request request) {
            return KilnException.usage(
                    request.place() + ": a request that ended more than an hour after those above it",
                    "correct its time, or import the tests before and after it one by one");
        }

        static KilnException late(Request request) {
            return KilnException.usage(
                    request.place() + ": a request that ended more than " + WINDOW_NANOS / SECOND
                            + " s before those above it",
                    "restore the log as its program wrote it");
        }

        /** Opens all bins up to this one; a second without a completion is a fact. */
        private void fill(long index) {
            for (long next = bins.isEmpty() ? nextBin : bins.getLast().index + 1; next <= index; next++) {
                bins.add(new Bin(next));
                if (bins.getLast().index - bins.getFirst().index > WINDOW_NANOS / binNanos) {
                    tellBin(Long.MAX_VALUE);
                }
            }
            while (!seconds.isEmpty() && seconds.firstKey() < nextBin * binNanos / SECOND) {
                tellSecond();
            }
        }

        private Bin bin(long index) {
            Iterator<Bin> newest = bins.descendingIterator();
            Bin bin = newest.next();
            while (bin.index != index) {
                bin = newest.next();
            }
            return bin;
        }

        private void tellBin(long endNanos) {
            Bin bin = bins.removeFirst();
            nextBin = bin.index + 1;
            long start = zero + bin.index * binNanos;
            LoadBin.Errors errors = bin.errors();
            sink.row(new LoadRow(
                    start,
                    Math.max(start + 1, Math.min(start + binNanos, endNanos)),
                    bin.completed + errors.total(),
                    bin.completed,
                    errors,
                    -1,
                    -1,
                    -1));
        }

        private void tellSecond() {
            Map.Entry<Long, Histogram> second = seconds.pollFirstEntry();
            long start = zero + second.getKey() * SECOND;
            sink.latencies(start, start + SECOND, second.getValue());
        }
    }
}
