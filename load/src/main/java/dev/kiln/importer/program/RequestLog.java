package dev.kiln.importer.program;

import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Provenance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A RequestLog is a log of requests for a parser that reports gaps, in bins as fine as its times. */
public record RequestLog(String what, Path file, boolean dated, long binNanos, RequestParser parser) {
    /** A longer test is a mistaken time. */
    private static final long LONGEST = 40L * 86_400 * 1_000_000_000;

    /** Bins as long as this are those of a log with whole seconds. */
    private static final long COARSE = 1_000_000_000;

    /** A RequestParser reads a format. */
    interface RequestParser {
        void parse(Path file, Consumer<Request> requests, Consumer<String> gaps);
    }

    /** A LineParser reads a format of lines. */
    interface LineParser {
        void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps);
    }

    /** Makes the source of a log; empty for one without requests. */
    public static Optional<LoadSource> of(String what, Path file, boolean dated, long binNanos, RequestParser parser) {
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
        return finder.loads().stream().map(this::wholeBins).toList();
    }

    /** Counts the last second of cut times as a whole one, unless it holds so little that it is none. */
    private Span wholeBins(Span load) {
        return binNanos < COARSE
                ? load
                : new Span(
                        load.fromNanos(),
                        load.fromNanos() + binNanos * Math.max(1, Math.ceilDiv(load.length(), binNanos)));
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

    /**
     * RequestLoads finds the loads of a log of single requests: where no request was in flight for ten seconds, one load ended
     * and another began. Requests come nearly in the order in which they ended, so a load is told once the log is a window
     * further.
     */
    static final class RequestLoads {
        /** A load has ended if no request was in flight for this time. */
        static final long IDLE_NANOS = 10_000_000_000L;

        /** A longer pause is a mistaken time, or two tests. */
        private static final long HOLE_NANOS = 3_600_000_000_000L;

        private final LoadSink sink;
        private final String phase;
        private final List<Span> loads;
        private final long binNanos;
        private final List<RequestBins> bins = new ArrayList<>();
        private int told;

        /** @param loads in the order of time, none within {@link #IDLE_NANOS} of another */
        RequestLoads(LoadSink sink, String phase, List<Span> loads, long binNanos) {
            this.sink = sink;
            this.phase = phase;
            this.loads = List.copyOf(loads);
            this.binNanos = binNanos;
            sink.phase(phase, loads.getFirst().fromNanos());
        }

        void add(Request request) {
            int load = of(request);
            while (bins.size() <= load) {
                open(request);
            }
            while (told < load && loads.get(told).toNanos() + RequestBins.WINDOW_NANOS < request.endNanos()) {
                tell();
            }
            if (load < told) {
                throw RequestBins.late(request);
            }
            bins.get(load).add(request);
        }

        private int of(Request request) {
            int load = Math.max(0, bins.size() - 1);
            while (load > 0 && request.startNanos() < loads.get(load).fromNanos()) {
                load--;
            }
            while (request.startNanos() > loads.get(load).toNanos()) {
                load++;
            }
            return load;
        }

        private void open(Request request) {
            int load = bins.size();
            if (load > 0 && loads.get(load).fromNanos() - loads.get(load - 1).toNanos() > HOLE_NANOS) {
                throw RequestBins.hole(request);
            }
            bins.add(new RequestBins(sink, loads.get(load).fromNanos(), binNanos));
        }

        private void tell() {
            Span load = loads.get(told);
            sink.end(bins.get(told).end(load.toNanos()));
            told++;
            if (told < loads.size()) {
                sink.phase(phase, loads.get(told).fromNanos());
            }
        }

        void end() {
            while (told < bins.size()) {
                tell();
            }
        }

        /** A Finder finds the loads, whatever the order of the requests. */
        static final class Finder {
            /** These are the loads before the latest, by their beginnings. */
            private final TreeMap<Long, Long> earlier = new TreeMap<>();

            private long from = Long.MAX_VALUE;
            private long to = Long.MIN_VALUE;

            void add(long begin, long end) {
                if (to == Long.MIN_VALUE) {
                    from = begin;
                    to = end;
                } else if (begin >= from && begin - to < IDLE_NANOS) {
                    to = Math.max(to, end);
                } else {
                    merge(begin, end);
                }
            }

            private void merge(long begin, long end) {
                earlier.put(from, to);
                long first = begin;
                long last = end;
                Map.Entry<Long, Long> before = earlier.floorEntry(begin);
                if (before != null && begin - before.getValue() < IDLE_NANOS) {
                    first = before.getKey();
                    last = Math.max(last, before.getValue());
                }
                for (Map.Entry<Long, Long> next = earlier.ceilingEntry(first);
                        next != null && next.getKey() - last < IDLE_NANOS;
                        next = earlier.ceilingEntry(first)) {
                    last = Math.max(last, next.getValue());
                    earlier.remove(next.getKey());
                }
                earlier.put(first, last);
                Map.Entry<Long, Long> latest = earlier.pollLastEntry();
                from = latest.getKey();
                to = latest.getValue();
            }

            List<Span> loads() {
                List<Span> loads = new ArrayList<>();
                earlier.forEach((begin, end) -> loads.add(new Span(begin, end)));
                if (to != Long.MIN_VALUE) {
                    loads.add(new Span(from, to));
                }
                return loads;
            }
        }
    }
}
