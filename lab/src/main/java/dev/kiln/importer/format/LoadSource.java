package dev.kiln.importer.format;

import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A load that another program recorded.
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
        Provenance.Bins bins,
        boolean quantised,
        boolean errorsFromFirstAnswer,
        Consumer<LoadSink> reader) {
    /** A test with only totals: one row for all of it, so no curve. */
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
                new Provenance.Bins(nanos, false, Provenance.Kind.TOTAL),
                quantiles.isPresent(),
                false,
                sink -> {
                    sink.phase(phase, 0);
                    sink.row(new LoadRow(0, nanos, completed + errors.total(), completed, errors, -1, -1, -1));
                    sink.end(nanos);
                    quantiles.ifPresent(sink::total);
                });
    }

    /** A file's name without its ends: a load that names no phase is called so. */
    public static String stem(String file) {
        int dot = file.indexOf('.');
        return dot <= 0 ? file : file.substring(0, dot);
    }

    public void read(LoadSink sink) {
        reader.accept(sink);
    }
}
