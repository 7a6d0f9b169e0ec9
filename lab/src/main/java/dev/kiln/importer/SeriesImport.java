package dev.kiln.importer;

import dev.kiln.model.load.Latency.Latencies;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.text.SeriesTable;
import dev.kiln.text.SeriesTable.PhaseSeries;
import dev.kiln.text.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A load series of the user's own as the evidence of a run, in memory. */
public final class SeriesImport {
    private static final long SECOND = 1_000_000_000L;

    private SeriesImport() {}

    /** Reads a table whose rows are this long; its phases are the run's, with a pause between them. */
    public static RunEvidence read(Source source, double rowSeconds, String kilnVersion) {
        SeriesTable.Series table = SeriesTable.read(source, rowSeconds);
        Phases phases = new Phases();
        List<LoadBin> bins = new ArrayList<>();
        long now = 0;
        for (PhaseSeries series : table.phases()) {
            phases.begin(series.phase(), now);
            long start = now;
            for (int i = 0; i < series.counts().length; i++) {
                long from = start + Math.round(i * rowSeconds * SECOND);
                long to = start + Math.round((i + 1) * rowSeconds * SECOND);
                long completed = Math.round(series.counts()[i]);
                int row = i;
                long failed = series.errors().map(e -> Math.round(e[row])).orElse(0L);
                LoadBin.Errors errors = new LoadBin.Errors(0, 0, 0, failed, 0);
                bins.add(new LoadBin(phases.current(), from, to, completed + failed, completed, errors, 0, 0));
                now = to;
            }
            phases.end(now);
            now += SECOND;
        }
        return evidence(info(source.name(), phases, table.notes(), rowSeconds, kilnVersion), bins);
    }

    private static RunEvidence evidence(RunInfo info, List<LoadBin> bins) {
        return new RunEvidence(
                info,
                bins,
                Latencies.NONE,
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    private static RunInfo info(
            String source, Phases phases, List<String> notes, double rowSeconds, String kilnVersion) {
        Provenance provenance = new Provenance(
                List.of(source),
                new Provenance.Bins(Math.round(rowSeconds * SECOND), false, Provenance.Kind.TIME),
                false,
                false,
                true,
                OptionalLong.empty(),
                List.of());
        ForeignRun.Name name = new ForeignRun.Name(source, List.of(source), source, 1, 1);
        return new ForeignRun(kilnVersion, name, phases, provenance, ForeignRun.UNKNOWN_HOST, notes)
                .info(0, "none", OptionalLong.empty(), List.of());
    }
}
