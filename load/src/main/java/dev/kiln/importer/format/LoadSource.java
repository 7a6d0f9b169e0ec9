package dev.kiln.importer.format;

import dev.kiln.importer.format.LoadSink.LoadRow;
import dev.kiln.importer.format.LoadSink.RowLatencies;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A LoadSource is a load that another program recorded.
 *
 * @param what in words, with the program's version if the files have it
 * @param span from its first request to its end, by the first and last records of the files
 * @param dated whether its times are ns since 1970, and not since a beginning of its own
 * @param quantised latencies are quantiles
 * @param errorsFromFirstAnswer whether failures before the target was up are missing
 * @param reader sends all of it to a sink
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
            Optional<LoadSink.Quantiles> quantiles) {
        Span span = new Span(0, nanos);
        return new LoadSource(
                what,
                span,
                false,
                new Provenance.SourceBins(nanos, false, Provenance.SourceKind.TOTAL),
                quantiles.isPresent(),
                false,
                sink -> {
                    sink.phase(phase, 0);
                    sink.row(new LoadRow(0, nanos, completed + errors.total(), completed, errors, RowLatencies.NONE));
                    sink.end(nanos);
                    quantiles.ifPresent(sink::total);
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
}
