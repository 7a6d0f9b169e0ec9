package dev.kiln.evidence;

import dev.kiln.model.LatencyInterval;
import java.nio.file.Path;

/** Writes {@code latency.csv}: quantiles as another program told them. */
public final class LatencyTableWriter implements AutoCloseable {
    private final CsvWriter rows;

    /** @param directory of the run */
    public LatencyTableWriter(Path directory) {
        rows = new CsvWriter(directory.resolve(LatencyTable.FILE), LatencyTable.COLUMNS);
    }

    /** Quantiles of one bin of the source. */
    public void second(LatencyInterval interval) {
        write(LatencyTable.SECOND, interval);
    }

    /** Quantiles of a whole phase. */
    public void phase(LatencyInterval interval) {
        write(LatencyTable.PHASE, interval);
    }

    private void write(String span, LatencyInterval i) {
        rows.field(i.phase())
                .field(span)
                .field(i.startNanos())
                .field(i.endNanos())
                .field(i.count())
                .field(i.p50Nanos())
                .field(i.p99Nanos())
                .field(i.maxNanos())
                .endRow();
    }

    @Override
    public void close() {
        rows.close();
    }
}
