package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.TimeText;
import dev.kiln.importer.program.Request.RequestOutcome;
import dev.kiln.model.KilnException;
import dev.kiln.text.CsvLine;
import dev.kiln.text.CsvRows;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * JMeterCsv reads JMeter's JTL in CSV: {@code timeStamp} (ms since 1970, of a sample's beginning), {@code elapsed} (ms), {@code
 * responseCode}, {@code success}. Its header, its separator and the form of its times are settings of JMeter.
 */
public final class JMeterCsv {
    public static final Format FORMAT = new Format(
            "JMeter's JTL in CSV",
            head -> head.first(line -> isHeader(line) || isBare(line)),
            new Format.Loads((file, options) -> of(file, options).stream().toList()));

    /** JMeter has its own word for an exception in place of a status. */
    private static final String NO_ANSWER = "Non HTTP response code";

    /** The first columns that JMeter writes unless it is told otherwise; a file without a header has them. */
    private static final List<String> COLUMNS = List.of(
            "timeStamp", "elapsed", "label", "responseCode", "responseMessage", "threadName", "dataType", "success");

    /** The first cells of a row, with what stands between them. */
    private static final Pattern BARE = Pattern.compile(
            "(?:\\d{13}|\\d{4}[-/]\\d\\d[-/]\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?)([,;\t|])\\d{1,9}\\1.*");

    private static final Pattern HEADER = Pattern.compile("\"?\\w+\"?([,;\t|]).*");

    /** The settings that write a column, where they have another name. */
    private static final Map<String, String> SETTINGS =
            Map.of("timeStamp", "timestamp_format=ms", "elapsed", "time=true", "success", "successful=true");

    private final ZoneId zone;

    private JMeterCsv(ZoneId zone) {
        this.zone = zone;
    }

    private static boolean isHeader(String line) {
        return line.contains("elapsed")
                && (line.contains("timeStamp") || (line.contains("label") && line.contains("success")))
                && !line.startsWith("<");
    }

    private static boolean isBare(String line) {
        Matcher row = BARE.matcher(line);
        if (!row.matches()) {
            return false;
        }
        List<String> cells = CsvLine.cells(line, row.group(1).charAt(0));
        return cells.size() > COLUMNS.size() && cells.get(COLUMNS.size() - 1).matches("true|false");
    }

    /** The separator is what stands behind the first cell: a label may hold any other. */
    private static CsvRows.CsvForm form(String first) {
        Matcher header = HEADER.matcher(first);
        Matcher row = BARE.matcher(first);
        if (!row.matches()) {
            return new CsvRows.CsvForm(header.matches() ? header.group(1).charAt(0) : ',', Optional.empty());
        }
        char separator = row.group(1).charAt(0);
        List<String> columns = new ArrayList<>(COLUMNS);
        for (int more = CsvLine.cells(first, separator).size() - columns.size(); more > 0; more--) {
            columns.add("");
        }
        return new CsvRows.CsvForm(separator, Optional.of(columns));
    }

    public static Optional<LoadSource> of(Path file, ImportOptions options) {
        JMeterCsv reader = new JMeterCsv(options.zone().orElse(ZoneOffset.UTC));
        try (Lines lines = Lines.of(file)) {
            CsvRows rows = new CsvRows(lines, gap -> {}, JMeterCsv::form);
            int time = column(rows, COLUMNS.getFirst());
            String stamp = rows.next().map(row -> row.get(time)).orElse("");
            boolean whole = TimeText.isLocal(stamp) && !stamp.matches(".*[.,]\\d+");
            boolean utc = TimeText.isLocal(stamp) && options.zone().isEmpty();
            return RequestLog.ofLines(
                    "JMeter", file, true, whole ? 1_000_000_000 : 100_000_000, (text, requests, gaps) -> {
                        if (utc) {
                            gaps.accept("times without a zone are read as UTC: --zone names another");
                        }
                        reader.parse(text, requests, gaps);
                    });
        }
    }

    /** Reads a file with times in ms, as far as it goes. */
    public static void parse(Lines lines, Consumer<Request> requests) {
        new JMeterCsv(ZoneOffset.UTC).parse(lines, requests, gap -> {});
    }

    private void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps) {
        CsvRows rows = new CsvRows(lines, gaps, JMeterCsv::form);
        int begin = column(rows, "timeStamp");
        int elapsed = column(rows, "elapsed");
        int success = column(rows, "success");
        JMeterSamples samples = new JMeterSamples(true);
        for (Optional<List<String>> row = rows.next(); row.isPresent(); row = rows.next()) {
            List<String> cells = row.get();
            refuseSum(rows.place(), cell(rows, cells, "SampleCount"));
            String message = cell(rows, cells, "responseMessage");
            Request request = new Request(
                    nanos(rows, cells.get(begin)),
                    nanos(rows, cells.get(elapsed)),
                    outcome(cells.get(success), cell(rows, cells, "responseCode"), message),
                    rows.place());
            String idle = cell(rows, cells, "IdleTime");
            if (samples.isRequest(new JMeterSamples.JMeterSample(
                    cell(rows, cells, "threadName"),
                    cell(rows, cells, "label"),
                    message,
                    idle.isEmpty() ? 0 : nanos(rows, idle),
                    request))) {
                requests.accept(request);
            }
        }
        samples.end(lines.file(), gaps);
    }

    /** In its modes Statistical and DiffStatistical, JMeter's remote engines send one sample for many. */
    static void refuseSum(String place, String count) {
        if (!count.isEmpty() && !count.equals("1")) {
            throw KilnException.usage(
                    place + ": found a sample that stands for " + count + ", as of JMeter's mode=Statistical",
                    "record each sample: mode=StrippedBatch in jmeter.properties");
        }
    }

    /** Returns a cell; empty where the column is not there. */
    private static String cell(CsvRows rows, List<String> cells, String name) {
        int at = rows.column(name);
        return at < 0 ? "" : cells.get(at);
    }

    private static int column(CsvRows rows, String name) {
        int at = rows.column(name);
        if (at < 0) {
            throw KilnException.usage(
                    rows.place() + ": found no column " + name + ", expected a JTL of JMeter",
                    "write it with jmeter.save.saveservice." + SETTINGS.getOrDefault(name, name + "=true"));
        }
        return at;
    }

    private long nanos(CsvRows rows, String text) {
        String unit = TimeText.unit(text).equals("iso") ? "iso" : "ms";
        return TimeText.nanos(text, unit, zone)
                .orElseThrow(() -> KilnException.usage(
                        rows.place() + ": found '" + text + "', expected ms",
                        "write the JTL with jmeter.save.saveservice.timestamp_format=ms"));
    }

    /** Returns a sample's outcome, from what JMeter says of a failed one. */
    static RequestOutcome outcome(String success, String code, String message) {
        if (success.equalsIgnoreCase("true")) {
            return RequestOutcome.OK;
        }
        if (code.startsWith(NO_ANSWER)) {
            if (code.contains("Timeout") || message.contains("timed out")) {
                return RequestOutcome.TIMEOUT;
            }
            return message.contains("refused") ? RequestOutcome.REFUSED : RequestOutcome.LOST;
        }
        if (code.isEmpty() || code.equals("null")) {
            return RequestOutcome.LOST;
        }
        return code.matches("[23]\\d\\d") ? RequestOutcome.BODY : RequestOutcome.STATUS;
    }
}
