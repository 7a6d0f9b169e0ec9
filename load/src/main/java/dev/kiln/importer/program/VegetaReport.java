package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.format.TimeText;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** A VegetaReport reads the totals that {@code vegeta report} prints, as text, maybe of several tests, or by {@code -type=json}. */
public final class VegetaReport {
    public static final Format FORMAT = new Format(
            "vegeta's report",
            head -> head.json("\"latencies\":{", "\"bytes_in\":{", "\"status_codes\":")
                    || head.line(Integer.MAX_VALUE, VegetaReport::begins),
            new Format.Loads((file, options) -> of(file)));

    private static final Pattern ROW =
            Pattern.compile("\\s*(Requests|Duration|Latencies|Status Codes)\\s+\\[([\\w, :]+)\\]\\s*(.*)");

    private static final Pattern STATUS = Pattern.compile("(\\d{1,3}):(\\d{1,15})");

    /** The length from the first request to the last answer. */
    private static final String LENGTH = "Duration total";

    private static final String CODES = "Status Codes";

    private final String place;
    private final Map<String, String> cells = new TreeMap<>();

    private VegetaReport(String place) {
        this.place = place;
    }

    private static boolean begins(String line) {
        Matcher row = ROW.matcher(line);
        return row.matches() && row.group(1).equals("Requests") && row.group(2).startsWith("total");
    }

    private static List<LoadSource> of(Path file) {
        return Format.Head.of(file).dense().isEmpty()
                ? ofText(file)
                : Json.all(file).stream().map(root -> ofJson(file, root)).toList();
    }

    private static LoadSource ofJson(Path file, JsonNode root) {
        JsonNode latencies = root.path("latencies");
        JsonNode codes = root.path("status_codes");
        Map<String, Long> statuses = new TreeMap<>();
        codes.properties().forEach(code -> statuses.put(code.getKey(), Json.count(file, codes, code.getKey())));
        long from = TimeText.nanos(root.path("earliest").asString(""), "iso", ZoneOffset.UTC)
                .orElse(0);
        // The attack ends with the last request, and the test with its answer.
        long nanos = Json.count(file, root, "duration") + Json.count(file, root, "wait");
        Optional<Quantiles> quantiles = latencies.has("50th") && latencies.has("99th")
                ? Optional.of(new Quantiles(
                        Json.count(file, root, "requests"),
                        Json.count(file, latencies, "50th"),
                        Json.count(file, latencies, "99th"),
                        Json.count(file, latencies, "max")))
                : Optional.empty();
        return total(file.toString(), file, new Span(from, from + nanos), statuses, quantiles);
    }

    private static List<LoadSource> ofText(Path file) {
        List<LoadSource> tests = new ArrayList<>();
        Optional<VegetaReport> test = Optional.empty();
        try (Lines lines = Lines.of(file)) {
            while (lines.next()) {
                Matcher row = ROW.matcher(lines.text());
                if (begins(lines.text())) {
                    test.ifPresent(done -> tests.add(done.load(file)));
                    test = Optional.of(new VegetaReport(lines.place()));
                }
                if (row.matches()) {
                    test.ifPresent(open -> open.read(row.group(1), row.group(2), row.group(3)));
                }
            }
        }
        test.ifPresent(done -> tests.add(done.load(file)));
        return tests;
    }

    private void read(String row, String names, String values) {
        if (row.equals(CODES)) {
            cells.put(CODES, values);
            return;
        }
        String[] columns = names.split(", ", -1);
        String[] told = values.split(", ", -1);
        for (int i = 0; i < Math.min(columns.length, told.length); i++) {
            cells.put(row + " " + columns[i], told[i].strip());
        }
    }

    private LoadSource load(Path file) {
        Map<String, Long> statuses = new TreeMap<>();
        for (String code : cells.getOrDefault(CODES, "").strip().split("\\s+", -1)) {
            Matcher counted = STATUS.matcher(code);
            if (counted.matches()) {
                statuses.put(counted.group(1), Long.parseLong(counted.group(2)));
            }
        }
        PrintedQuantiles quantiles = new PrintedQuantiles();
        time("Latencies 50").ifPresent(nanos -> quantiles.put("50", nanos));
        time("Latencies 99").ifPresent(nanos -> quantiles.put("99", nanos));
        time("Latencies max").ifPresent(quantiles::max);
        long all = statuses.values().stream().mapToLong(Long::longValue).sum();
        return total(place, file, new Span(0, time(LENGTH).orElse(0L)), statuses, quantiles.of(all));
    }

    private Optional<Long> time(String cell) {
        return TimeText.goLength(cells.getOrDefault(cell, "")).stream().boxed().findFirst();
    }

    /** @param statuses how many requests had each; 0 is that of a request without an answer */
    private static LoadSource total(
            String place, Path file, Span span, Map<String, Long> statuses, Optional<Quantiles> quantiles) {
        if (span.length() <= 0 || statuses.isEmpty()) {
            throw KilnException.usage(
                    place + ": this report of vegeta lacks "
                            + (statuses.isEmpty() ? "its status codes" : "the length of the test"),
                    "import all that it printed");
        }
        long good = 0;
        long lost = 0;
        long others = 0;
        for (Map.Entry<String, Long> status : statuses.entrySet()) {
            boolean answered = !status.getKey().equals("0");
            boolean success = status.getKey().startsWith("2");
            good += success ? status.getValue() : 0;
            lost += answered ? 0 : status.getValue();
            others += answered && !success ? status.getValue() : 0;
        }
        return LoadSource.total(
                "vegeta",
                LoadSource.stem(String.valueOf(file.getFileName())),
                span,
                good,
                new LoadBin.Errors(0, lost, 0, others, 0),
                quantiles);
    }
}
