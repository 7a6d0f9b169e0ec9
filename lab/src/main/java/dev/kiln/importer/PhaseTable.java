package dev.kiln.importer;

import dev.kiln.model.Provenance;
import java.nio.file.Path;
import java.util.Optional;

/** A table of all phases of a run, as people make it from Hyperfoil's series. */
record PhaseTable(Path file, Span span) implements LoadSource {
    static Optional<PhaseTable> of(Path file) {
        return SeriesSpan.of(file).map(span -> new PhaseTable(file, span));
    }

    @Override
    public String what() {
        return "a table of phases";
    }

    @Override
    public boolean dated() {
        return true;
    }

    @Override
    public Provenance.Bins bins() {
        return HyperfoilRun.BINS;
    }

    @Override
    public boolean quantised() {
        return true;
    }

    @Override
    public boolean errorsFromFirstAnswer() {
        return true;
    }

    @Override
    public void read(LoadSink sink) {
        try (SeriesReader rows = new SeriesReader(Lines.of(file), "load")) {
            String phase = "";
            long end = 0;
            for (Optional<LoadRow> row = rows.next(); row.isPresent(); row = rows.next()) {
                if (end == 0 || !rows.phase().equals(phase)) {
                    if (end > 0) {
                        sink.end(end);
                    }
                    phase = rows.phase();
                    sink.phase(phase, row.get().startNanos());
                }
                end = row.get().endNanos();
                sink.row(row.get());
            }
            if (end > 0) {
                sink.end(end);
            }
            rows.cutShort().ifPresent(sink::gap);
        }
    }
}
