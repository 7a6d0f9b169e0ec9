package dev.kiln.importer;

import dev.kiln.model.LoadBin;
import dev.kiln.model.Provenance;
import java.util.Optional;

/** A test of which nothing is known but its totals: one row for all of it, which is no curve. */
record TotalLoad(
        String what,
        String phase,
        Span span,
        long completed,
        LoadBin.Errors errors,
        Optional<LoadSink.Quantiles> quantiles)
        implements LoadSource {
    @Override
    public boolean dated() {
        return false;
    }

    @Override
    public Provenance.Bins bins() {
        return new Provenance.Bins(span.length(), false, Provenance.Kind.TOTAL);
    }

    @Override
    public boolean quantised() {
        return quantiles.isPresent();
    }

    @Override
    public void read(LoadSink sink) {
        sink.phase(phase, span.fromNanos());
        sink.row(new LoadRow(
                span.fromNanos(), span.toNanos(), completed + errors.total(), completed, errors, -1, -1, -1));
        sink.end(span.toNanos());
        quantiles.ifPresent(sink::total);
    }
}
