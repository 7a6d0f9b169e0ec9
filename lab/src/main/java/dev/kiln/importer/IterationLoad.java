package dev.kiln.importer;

import dev.kiln.model.LoadBin;
import dev.kiln.model.Provenance;
import java.util.List;

/**
 * The iterations of one process execution of a benchmark, one after the other.
 *
 * @param usualNanos the middle length
 */
record IterationLoad(String what, List<Iteration> iterations, long usualNanos, Span span) implements LoadSource {
    /** One: how long it took, and the operations done in it. */
    record Iteration(long nanos, long operations) {}

    static IterationLoad of(String what, List<Iteration> iterations) {
        long[] sorted = iterations.stream().mapToLong(Iteration::nanos).sorted().toArray();
        long total = iterations.stream().mapToLong(Iteration::nanos).sum();
        return new IterationLoad(what, iterations, sorted[sorted.length / 2], new Span(0, total));
    }

    @Override
    public boolean dated() {
        return false;
    }

    @Override
    public Provenance.Bins bins() {
        return new Provenance.Bins(usualNanos, false, Provenance.Kind.ITERATION);
    }

    @Override
    public boolean quantised() {
        return false;
    }

    @Override
    public void read(LoadSink sink) {
        sink.phase("iterations", 0);
        long at = 0;
        for (Iteration iteration : iterations) {
            long end = at + iteration.nanos();
            sink.row(new LoadRow(
                    at, end, iteration.operations(), iteration.operations(), LoadBin.Errors.NONE, -1, -1, -1));
            at = end;
        }
        sink.end(at);
    }
}
