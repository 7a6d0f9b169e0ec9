package dev.kiln.importer;

import dev.kiln.importer.ForeignRun.Phases;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.program.SeriesCsv;
import dev.kiln.model.load.Latency.Latencies;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunEvidence.JvmEvidence;
import dev.kiln.model.run.RunEvidence.LoadEvidence;
import dev.kiln.model.run.RunEvidence.MachineEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.text.Source;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** A SeriesImport makes the evidence of a run from a load series, in memory. */
public final class SeriesImport {
    private SeriesImport() {}

    /** Reads a table, with the length of rows and the rate where they are not what the table says. */
    public static RunEvidence read(Source source, OptionalDouble rowSeconds, OptionalDouble rate, String kilnVersion) {
        return evidence(SeriesCsv.read(source, rowSeconds), source.name(), rate, kilnVersion);
    }

    /** Makes the evidence of a load that a parser has read, with the rate where the source lacks it. */
    public static RunEvidence evidence(LoadSource load, String name, OptionalDouble rate, String kilnVersion) {
        Memory memory = new Memory(load.span().fromNanos());
        load.read(memory);
        rate.ifPresent(memory::offered);
        RunInfo info = info(name, memory, load.bins(), kilnVersion);
        return new RunEvidence(
                info,
                new LoadEvidence(memory.bins, new Latencies(memory.seconds, List.of(), List.of()), List.of(), false),
                JvmEvidence.NONE,
                MachineEvidence.NONE,
                List.of());
    }

    /** Names, in words, what another program wrote and {@code kiln import} reads; empty for a series, and for anything else. */
    public static Optional<String> writtenBy(Path file) {
        return Formats.of(file, Optional.empty())
                .filter(format -> !format.equals(SeriesCsv.FORMAT))
                .map(Format::words);
    }

    /** Tells whether a column of a table has the name of a time, as that of a series. */
    public static boolean isTime(String column) {
        return SeriesCsv.isTime(column);
    }

    /** Says what a file is that neither is a series nor can be imported, as the end of a sentence that begins with its name. */
    public static Optional<String> otherForm(Path file) {
        return OtherForms.of(file);
    }

    /** A Memory keeps a load as {@code RunOutput} would write it. */
    private static final class Memory implements LoadSink {
        private final long zero;
        private final Phases phases = new Phases();
        private final List<LoadBin> bins = new ArrayList<>();
        private final List<LatencyInterval> seconds = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private final List<NotRecorded> notRecorded = new ArrayList<>();
        private OptionalDouble rate = OptionalDouble.empty();

        Memory(long zero) {
            this.zero = zero;
        }

        @Override
        public void phase(String name, long startNanos) {
            phases.begin(name, startNanos - zero);
        }

        @Override
        public void row(LoadRow row) {
            long start = row.startNanos() - zero;
            long end = row.endNanos() - zero;
            String phase = phases.current();
            bins.add(new LoadBin(phase, start, end, row.started(), row.completed(), row.errors(), 0, 0));
            if (row.latencies().quantiles()) {
                seconds.add(row.interval(phase, start, end));
            }
        }

        @Override
        public void latencies(long startNanos, long endNanos, Histogram latencies) {}

        @Override
        public void end(long endNanos) {
            phases.end(endNanos - zero);
        }

        @Override
        public void total(Quantiles total) {}

        @Override
        public void offered(double perSecond) {
            rate = OptionalDouble.of(perSecond);
        }

        @Override
        public void uncounted() {
            notRecorded.add(RunOutput.UNCOUNTED);
        }

        @Override
        public void gap(String what) {
            notes.add(what);
        }
    }

    private static RunInfo info(String source, Memory memory, Provenance.SourceBins bins, String kilnVersion) {
        Provenance provenance =
                new Provenance(List.of(source), bins, false, false, true, OptionalLong.empty(), List.of());
        ForeignRun.Name name = new ForeignRun.Name(source, List.of(source), source, 1, 1);
        return new ForeignRun(
                        kilnVersion,
                        name,
                        memory.phases,
                        provenance,
                        ForeignRun.UNKNOWN_HOST,
                        memory.rate,
                        memory.notes)
                .info(0, "none", OptionalLong.empty(), memory.notRecorded);
    }
}
