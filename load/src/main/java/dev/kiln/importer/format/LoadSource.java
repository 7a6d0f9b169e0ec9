package dev.kiln.importer.format;

import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.format.LoadSource.LoadSink.RowLatencies;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * A LoadSource is a load that another program recorded.
 *
 * @param what in words, with the program's version if the files have it
 * @param span from its first request to its end, by the first and last records of the files
 * @param dated whether its times are ns since 1970, and not since a beginning of its own
 * @param quantised latencies are quantiles
 * @param errorsFromFirstAnswer whether failures before the target was up are missing
 */
public record LoadSource(
        String what,
        Span span,
        boolean dated,
        Provenance.SourceBins bins,
        boolean quantised,
        boolean errorsFromFirstAnswer,
        Consumer<LoadSink> reader) {
    /** Makes the source of a test with only totals: one row for all of it, so no curve. */
    public static LoadSource total(
            String what,
            String phase,
            long nanos,
            long completed,
            LoadBin.Errors errors,
            Optional<Quantiles> quantiles) {
        return total(what, phase, new Span(0, nanos), completed, errors, quantiles);
    }

    /** Makes the same of a test whose beginning is known too, in ns since 1970; a span from 0 on says that it is not. */
    public static LoadSource total(
            String what,
            String phase,
            Span span,
            long completed,
            LoadBin.Errors errors,
            Optional<Quantiles> quantiles) {
        long from = span.fromNanos();
        long to = span.toNanos();
        return new LoadSource(
                what,
                span,
                from > 0,
                new Provenance.SourceBins(span.length(), false, Provenance.SourceKind.TOTAL),
                quantiles.isPresent(),
                false,
                sink -> {
                    sink.phase(phase, from);
                    sink.row(new LoadRow(from, to, completed + errors.total(), completed, errors, RowLatencies.NONE));
                    sink.end(to);
                    quantiles.ifPresent(sink::total);
                });
    }

    /** Returns the same load, with a note on what its source does not say. */
    public LoadSource noting(String note) {
        return new LoadSource(what, span, dated, bins, quantised, errorsFromFirstAnswer, sink -> {
            reader.accept(sink);
            sink.gap(note);
        });
    }

    /** An ending of a file's name; one that begins with a digit is the end of a version. */
    private static final Pattern ENDING = Pattern.compile("(.+)\\.([A-Za-z][A-Za-z0-9]{0,9})");

    /** Endings that stand before another one, as in {@code a.series.csv}. */
    private static final Set<String> INNER =
            Set.of("series", "log", "txt", "csv", "tsv", "json", "jsonl", "ndjson", "xml", "jtl", "out", "hdr");

    /** Returns a file's name without its endings, the name of a load that names no phase. A version keeps its dots. */
    public static String stem(String file) {
        Matcher ending = ENDING.matcher(file);
        if (!ending.matches()) {
            return file;
        }
        String stem = ending.group(1);
        for (Matcher inner = ENDING.matcher(stem);
                inner.matches() && INNER.contains(inner.group(2).toLowerCase(Locale.ROOT));
                inner = ENDING.matcher(stem)) {
            stem = inner.group(1);
        }
        return stem;
    }

    public void read(LoadSink sink) {
        reader.accept(sink);
    }

    /** A Span is a length of time with its ends, in ns since the epoch or since a source's own beginning. */
    public record Span(long fromNanos, long toNanos) {
        public Span join(Span o) {
            return new Span(Math.min(fromNanos, o.fromNanos), Math.max(toNanos, o.toNanos));
        }

        public Span shifted(long nanos) {
            return new Span(fromNanos + nanos, toNanos + nanos);
        }

        public long overlap(Span o) {
            return Math.max(0, Math.min(toNanos, o.toNanos) - Math.max(fromNanos, o.fromNanos));
        }

        public long length() {
            return toNanos - fromNanos;
        }
    }

    /** A LoadSink receives the load of a run, phase after phase, each in the order of time. Times are those of the source. */
    public interface LoadSink {
        void phase(String name, long startNanos);

        void row(LoadRow row);

        /** Receives the latencies of the requests that completed in a part of the phase. */
        void latencies(long startNanos, long endNanos, Histogram latencies);

        /** Ends the phase exactly, or at the end of the last row where the source does not know. */
        void end(long endNanos);

        /** Receives the quantiles of the whole phase that ended last, if the source has them. */
        void total(Quantiles total);

        /** Receives the requests per second offered before the last pause, from sources that know it. */
        default void offered(double rate) {}

        /** Receives that the source does not count failed requests: those of its rows are no zeros. */
        default void uncounted() {}

        /** Receives what could not be read, with file and line. */
        void gap(String what);

        /** A LoadRow is a row as its source counts, in ns since the epoch or the source's own beginning. */
        record LoadRow(
                long startNanos,
                long endNanos,
                long started,
                long completed,
                LoadBin.Errors errors,
                RowLatencies latencies) {
            public LoadRow until(long nanos) {
                return new LoadRow(startNanos, nanos, started, completed, errors, latencies);
            }

            /** Returns the row's quantiles as evidence, between these times of a phase. */
            public LatencyInterval interval(String phase, long from, long to) {
                // Without a maximum, the highest value that was reached for sure.
                long most = latencies.maxNanos < 0 ? latencies.p99Nanos : latencies.maxNanos;
                return new LatencyInterval(
                        phase, from, to, new Quantiles(completed, latencies.p50Nanos, latencies.p99Nanos, most));
            }

            /** Adds the counts of both rows; their quantiles cannot be joined. */
            public LoadRow plus(LoadRow o) {
                return new LoadRow(
                        startNanos,
                        Math.max(endNanos, o.endNanos),
                        started + o.started,
                        completed + o.completed,
                        errors.plus(o.errors),
                        latencies.joined(o.latencies));
            }
        }

        /** RowLatencies are a row's quantiles in ns; each is -1 if the source does not have it. */
        record RowLatencies(long p50Nanos, long p99Nanos, long maxNanos) {
            public static final RowLatencies NONE = new RowLatencies(-1, -1, -1);

            /** Tells whether both quantiles are known. */
            public boolean quantiles() {
                return p50Nanos >= 0 && p99Nanos >= 0;
            }

            private RowLatencies joined(RowLatencies o) {
                return new RowLatencies(-1, -1, Math.max(maxNanos, o.maxNanos));
            }
        }
    }
}
