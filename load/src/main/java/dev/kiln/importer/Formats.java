package dev.kiln.importer;

import dev.kiln.importer.format.CsvMapping;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.hyperfoil.HyperfoilJson;
import dev.kiln.importer.hyperfoil.HyperfoilRun;
import dev.kiln.importer.hyperfoil.HyperfoilTotals;
import dev.kiln.importer.program.AbSummary;
import dev.kiln.importer.program.GatlingLog;
import dev.kiln.importer.program.GcLog;
import dev.kiln.importer.program.GhzReport;
import dev.kiln.importer.program.H2loadLog;
import dev.kiln.importer.program.H2loadSummary;
import dev.kiln.importer.program.HeySummary;
import dev.kiln.importer.program.JMeterCsv;
import dev.kiln.importer.program.JMeterXml;
import dev.kiln.importer.program.Jmh;
import dev.kiln.importer.program.JmhLog;
import dev.kiln.importer.program.K6;
import dev.kiln.importer.program.K6Summary;
import dev.kiln.importer.program.LabMetrics;
import dev.kiln.importer.program.MappedCsv;
import dev.kiln.importer.program.Oha;
import dev.kiln.importer.program.Renaissance;
import dev.kiln.importer.program.SeriesCsv;
import dev.kiln.importer.program.ToolJson;
import dev.kiln.importer.program.VegetaCsv;
import dev.kiln.importer.program.VegetaJson;
import dev.kiln.importer.program.VegetaReport;
import dev.kiln.importer.program.WrkOutput;
import dev.kiln.importer.sysstat.Mpstat;
import dev.kiln.importer.sysstat.Pidstat;
import dev.kiln.importer.sysstat.SysstatJson;
import dev.kiln.importer.sysstat.Vmstat;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Formats are all kinds of file that can be imported. */
final class Formats {
    /** The formats are tried in this order: where two fit a file, the first one counts. */
    static final List<Format> ALL = List.of(
            HyperfoilTotals.FORMAT,
            HyperfoilRun.FORMAT,
            JMeterCsv.FORMAT,
            JMeterXml.FORMAT,
            MappedCsv.LOCUST,
            SeriesCsv.FORMAT,
            HyperfoilJson.FORMAT,
            H2loadLog.FORMAT,
            GatlingLog.FORMAT,
            VegetaCsv.FORMAT,
            VegetaJson.FORMAT,
            VegetaReport.FORMAT,
            GhzReport.FORMAT,
            Oha.CSV,
            Oha.HEY_CSV,
            Oha.JSON,
            K6.CSV,
            K6.JSON_LINES,
            K6Summary.JSON,
            K6Summary.TEXT,
            ToolJson.BOMBARDIER,
            ToolJson.AUTOCANNON,
            ToolJson.FORTIO,
            ToolJson.H2LOAD,
            WrkOutput.FORMAT,
            H2loadSummary.FORMAT,
            HeySummary.FORMAT,
            AbSummary.FORMAT,
            Jmh.FORMAT,
            JmhLog.FORMAT,
            Renaissance.CSV,
            Renaissance.JSON,
            Pidstat.FORMAT,
            Mpstat.FORMAT,
            SysstatJson.FORMAT,
            Vmstat.FORMAT,
            GcLog.FORMAT,
            RunImport.RECORDING,
            LabMetrics.FORMAT,
            MappedCsv.FORMAT);

    private Formats() {}

    /** Recognises a file's format; empty for a file of no known format. */
    static Optional<Format> of(Path file, Optional<CsvMapping> mapping) {
        Format.Head head = Format.Head.of(file);
        // What the user named goes before what it looks like.
        if (mapping.filter(named -> named.fits(head.header())).isPresent()) {
            return Optional.of(MappedCsv.FORMAT);
        }
        return ALL.stream().filter(format -> format.recognises().test(head)).findFirst();
    }

    /** Returns the names of all formats, for people. */
    static String words() {
        return ALL.stream().map(Format::words).collect(Collectors.joining("; "));
    }
}
