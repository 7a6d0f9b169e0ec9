package dev.kiln.importer;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.LoadBin;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.Provenance;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.RunInfo;
import dev.kiln.model.Runs;
import dev.kiln.model.Treatment;
import dev.kiln.text.SeriesTable;
import dev.kiln.text.SeriesTable.PhaseSeries;
import dev.kiln.text.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A load series of somebody's own as the evidence of a run, in memory. */
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
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    private static RunInfo info(
            String source, Phases phases, List<String> notes, double rowSeconds, String kilnVersion) {
        return new RunInfo(
                RunInfo.SCHEMA_VERSION,
                kilnVersion,
                source,
                List.of(source),
                source,
                1,
                0,
                0,
                0,
                0,
                List.of(),
                Map.of(),
                Treatment.NONE,
                Optional.empty(),
                new RunInfo.HostInfo("unknown", "unknown", 0, 0, "unknown"),
                new CpuAssignment(List.of(), List.of(), List.of(), false, List.of()),
                new LoadSpec(List.of(), 0, OptionalDouble.empty(), Duration.ZERO),
                phases.protocol(),
                Runs.fixed(1),
                "none",
                OptionalLong.empty(),
                OptionalLong.empty(),
                phases.all(),
                RunInfo.Outcome.COMPLETED,
                Optional.empty(),
                List.of(),
                notes,
                Optional.of(new Provenance(
                        List.of(source),
                        new Provenance.Bins(Math.round(rowSeconds * SECOND), false, Provenance.Kind.TIME),
                        false,
                        false,
                        true,
                        OptionalLong.empty(),
                        List.of())),
                Optional.empty());
    }
}
