package dev.kiln.history;

import dev.kiln.explain.study.PastRun;
import dev.kiln.history.History.PastSeries;
import dev.kiln.model.Metric;
import dev.kiln.text.CsvLine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * OtavaExport writes for Apache Otava a CSV a test, {@code time,commit,<attributes>,<metrics>} with a row a session,
 * and {@code otava.yaml} that names them. Otava reads every field of a metric as a number, so a metric that only some
 * runs have is a test of its own, of the sessions that have it.
 */
public final class OtavaExport {
    /** Otava's name for what changed. */
    private static final String COMMIT = "commit";

    private OtavaExport() {}

    /** Contents by file name. */
    public static Map<String, String> files(History history) {
        Map<List<String>, List<PastSeries>> tests = new LinkedHashMap<>();
        for (PastSeries series : history.series()) {
            String apart = series.missing() == 0 ? "" : "." + series.metric().id();
            tests.computeIfAbsent(List.of(series.experiment(), series.variant(), apart), key -> new ArrayList<>())
                    .add(series);
        }
        Map<String, String> files = new LinkedHashMap<>();
        Set<String> taken = new HashSet<>();
        StringBuilder yaml = new StringBuilder("tests:\n");
        tests.forEach((of, series) -> {
            String test = free(name(of.get(0)) + "." + name(of.get(1)) + of.get(2), taken);
            List<String> attributes = attributes(series.getFirst().runs());
            files.put(test + ".csv", csv(series, attributes));
            yaml.append(yaml(test, series, attributes));
        });
        files.put("otava.yaml", yaml.toString());
        return files;
    }

    private static List<String> attributes(List<PastRun> runs) {
        List<String> attributes = new ArrayList<>(List.of(COMMIT, "folder"));
        runs.stream()
                .flatMap(run -> run.labels().keySet().stream())
                .distinct()
                .sorted()
                .filter(label -> !attributes.contains(label))
                .forEach(attributes::add);
        return attributes;
    }

    private static String csv(List<PastSeries> series, List<String> attributes) {
        List<String> columns = new ArrayList<>(List.of("time"));
        columns.addAll(attributes);
        series.forEach(one -> columns.add(one.metric().id()));
        StringBuilder text = new StringBuilder(CsvLine.of(columns));
        for (int i = 0; i < series.getFirst().sessions().size(); i++) {
            int at = i;
            PastRun first = series.getFirst().sessions().get(i).first();
            List<String> row = new ArrayList<>(List.of(HistoryTables.time(first)));
            attributes.forEach(name -> row.add(attribute(first, name)));
            series.forEach(
                    one -> row.add(HistoryTables.figure(one.sessions().get(at).value())));
            text.append(CsvLine.of(row));
        }
        return text.toString();
    }

    private static String attribute(PastRun run, String name) {
        String label = run.labels().getOrDefault(name, "");
        return switch (name) {
            case COMMIT -> label.isEmpty() ? run.name().folder() : label;
            case "folder" -> run.name().folder();
            default -> label;
        };
    }

    private static String yaml(String test, List<PastSeries> series, List<String> attributes) {
        StringBuilder yaml = new StringBuilder();
        yaml.append("  ").append(quoted(test)).append(":\n");
        yaml.append("    type: csv\n    file: ").append(quoted(test + ".csv")).append('\n');
        yaml.append("    time_column: time\n    attributes: [");
        yaml.append(attributes.stream().map(OtavaExport::quoted).collect(Collectors.joining(", ")))
                .append("]\n    metrics:\n");
        for (PastSeries one : series) {
            Metric metric = one.metric();
            yaml.append("      ")
                    .append(metric.id())
                    .append(": {direction: ")
                    .append(metric.better() == Metric.Better.HIGHER ? 1 : -1)
                    .append(", scale: 1}\n");
        }
        return yaml.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Returns the name, with a number behind it where another one is the same as a file: on some systems in any case. */
    private static String free(String name, Set<String> taken) {
        String free = name;
        for (int n = 2; !taken.add(free.toLowerCase(Locale.ROOT)); n++) {
            free = name + "-" + n;
        }
        return free;
    }

    /** Names become file names. */
    private static String name(String text) {
        return text.replaceAll("[^A-Za-z0-9._-]+", "_");
    }
}
