package dev.kiln.importer.format;

import dev.kiln.model.LoadBin;
import dev.kiln.model.Provenance;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A load that another program recorded.
 *
 * @param what in words, with the program's version where the files tell it
 * @param span from its first request to its end, as far as the beginning and the end of the files tell
 * @param dated whether its times are ns since 1970, and not since a beginning of its own
 * @param quantised latencies are told as quantiles
 * @param errorsFromFirstAnswer whether failures before the target was up are missing
 * @param reader tells all of it
 */
public record LoadSource(
        String what,
        Span span,
        boolean dated,
        Provenance.Bins bins,
        boolean quantised,
        boolean errorsFromFirstAnswer,
        Consumer<LoadSink> reader) {
    /** A test of which nothing is known but its totals: one row for all of it, which is no curve. */
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
