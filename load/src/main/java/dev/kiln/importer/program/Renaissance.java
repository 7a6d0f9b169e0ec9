package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportedRun;
import dev.kiln.importer.format.Format.ImportedRun.ImportedFacts;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.format.LoadSource.LoadSink.RowLatencies;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.program.Jmh.BenchmarkName;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import dev.kiln.text.CsvTable;
import dev.kiln.text.CsvTable.CsvRow;
import dev.kiln.text.Decimal;
import dev.kiln.text.Source;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Renaissance reads what its harness writes by {@code --csv} ({@code benchmark,duration_ns,uptime_ns,vm_start_unix_ms})
 * and {@code --json}: a benchmark is a run, a repetition an iteration in which one operation was done. What lies
 * between two repetitions is not measured and left out.
 */
public final class Renaissance {
    public static final Format CSV = new Format(
            "Renaissance's --csv",
            head -> head.first(line -> line.startsWith("benchmark,") && line.contains("duration_ns")),
            new Format.WholeRuns((file, leftOut) -> runs(file, csv(file), leftOut)));

    public static final Format JSON = new Format(
            "Renaissance's --json",
            head -> head.json("\"duration_ns\":") || head.json("\"format_version\":", "\"benchmarks\":["),
            new Format.WholeRuns((file, leftOut) -> runs(file, json(file), leftOut)));

    /** {@code <variant>-<n>} of a file's name. */
    private static final Pattern NUMBERED = Pattern.compile("(.*[^-])-(\\d{1,4})");

    private Renaissance() {}

    private static Map<String, List<Long>> csv(Path file) {
        CsvTable table = CsvTable.parse(Source.read(file.toString()));
        int benchmark = table.column("benchmark");
        int duration = table.column("duration_ns");
        Map<String, List<Long>> nanos = new LinkedHashMap<>();
        for (CsvRow row : table.rows()) {
            String text = row.cells().get(duration);
            // A benchmark that failed has no figure of its last repetition.
            if (!text.equals("NA")) {
                nanos.computeIfAbsent(row.cells().get(benchmark), name -> new ArrayList<>())
                        .add((long) Decimal.positive(table.file(), row.line(), "duration_ns", text));
            }
        }
        return nanos;
    }

    private static Map<String, List<Long>> json(Path file) {
        Map<String, List<Long>> nanos = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> benchmark :
                Json.read(file).path("data").properties()) {
            for (JsonNode repetition : benchmark.getValue().path("results")) {
                long duration = Json.count(file, repetition, "duration_ns");
                if (duration == 0) {
                    throw KilnException.usage(
                            file + ": found a repetition of " + benchmark.getKey() + " of 0 ns",
                            "restore the file as Renaissance wrote it");
                }
                nanos.computeIfAbsent(benchmark.getKey(), name -> new ArrayList<>())
                        .add(duration);
            }
        }
        return nanos;
    }

    private static List<ImportedRun> runs(Path file, Map<String, List<Long>> nanos, Consumer<String> leftOut) {
        Matcher numbered = NUMBERED.matcher(LoadSource.stem(String.valueOf(file.getFileName())));
        String variant = numbered.matches() ? numbered.group(1) + "-" : "";
        OptionalInt number =
                numbered.matches() ? OptionalInt.of(Integer.parseInt(numbered.group(2))) : OptionalInt.empty();
        List<ImportedRun> runs = new ArrayList<>();
        nanos.forEach((benchmark, repetitions) -> {
            BenchmarkName name = new BenchmarkName(variant + benchmark);
            runs.add(new ImportedRun(
                    name.folder(),
                    Math.max(1, number.orElse(1)),
                    List.of(load(benchmark, repetitions)),
                    List.of(),
                    List.of(),
                    ImportedFacts.NONE));
        });
        if (runs.isEmpty()) {
            leftOut.accept(file + ": " + Format.NO_RECORD);
        }
        return runs;
    }

    private static LoadSource load(String benchmark, List<Long> repetitions) {
        long all = repetitions.stream().mapToLong(Long::longValue).sum();
        long usual = repetitions.stream()
                .sorted()
                .skip(repetitions.size() / 2)
                .findFirst()
                .orElseThrow();
        Provenance.SourceBins bins = new Provenance.SourceBins(usual, false, Provenance.SourceKind.ITERATION);
        return new LoadSource("Renaissance: " + benchmark, new Span(0, all), false, bins, false, false, sink -> {
            sink.phase("repetitions", 0);
            long at = 0;
            for (long nanos : repetitions) {
                sink.row(new LoadRow(at, at + nanos, 1, 1, LoadBin.Errors.NONE, RowLatencies.NONE));
                at += nanos;
            }
            sink.end(at);
        });
    }
}
