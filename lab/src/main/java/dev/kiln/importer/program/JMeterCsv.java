package dev.kiln.importer.program;

import dev.kiln.importer.format.CsvRows;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.TimeText;
import dev.kiln.importer.program.Request.Outcome;
import dev.kiln.model.KilnException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * JMeter's JTL in CSV, with the header that it writes: {@code timeStamp} (ms since 1970, of a sample's beginning), {@code elapsed}
 * (ms), {@code responseCode}, {@code success}, {@code failureMessage}.
 */
public final class JMeterCsv {
    public static final Format FORMAT =
            Format.loads("JMeter's JTL in CSV", head -> head.first(JMeterCsv::isHeader), JMeterCsv::of);

    /** JMeter has its own word for an exception in place of a status. */
    private static final String NO_ANSWER = "Non HTTP response code";

    private JMeterCsv() {}

    private static boolean isHeader(String line) {
        return line.contains("timeStamp") && line.contains("elapsed") && !line.startsWith("<");
    }

    public static Optional<LoadSource> of(Path file) {
        return RequestLog.ofLines("JMeter", file, true, 100_000_000, JMeterCsv::parse);
    }

    private static void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps) {
        CsvRows rows = new CsvRows(lines, gaps);
        int begin = column(rows, "timeStamp");
        int elapsed = column(rows, "elapsed");
        int success = column(rows, "success");
        int code = rows.column("responseCode");
        int message = rows.column("responseMessage");
        for (Optional<List<String>> row = rows.next(); row.isPresent(); row = rows.next()) {
            List<String> cells = row.get();
            requests.accept(new Request(
                    millis(rows, cells.get(begin)),
                    millis(rows, cells.get(elapsed)),
                    outcome(cells.get(success), code < 0 ? "" : cells.get(code), message < 0 ? "" : cells.get(message)),
                    rows.place()));
        }
    }

    private static int column(CsvRows rows, String name) {
        int at = rows.column(name);
        if (at < 0) {
            throw KilnException.usage(
                    rows.place() + ": found no column " + name + ", expected a JTL of JMeter",
                    "write it with jmeter.save.saveservice." + name.toLowerCase(Locale.ROOT) + "=true");
        }
        return at;
    }

    private static long millis(CsvRows rows, String text) {
        String unit = TimeText.unit(text).equals("iso") ? "iso" : "ms";
        return TimeText.nanos(text, unit, ZoneOffset.UTC)
                .orElseThrow(() -> KilnException.usage(
                        rows.place() + ": found '" + text + "', expected ms",
                        "write the JTL with jmeter.save.saveservice.timestamp_format=ms"));
    }

    /** What JMeter says of a sample that it counts as failed. */
    static Outcome outcome(String success, String code, String message) {
        if (success.equalsIgnoreCase("true")) {
            return Outcome.OK;
        }
        if (code.startsWith(NO_ANSWER)) {
            if (code.contains("Timeout") || message.contains("timed out")) {
                return Outcome.TIMEOUT;
            }
            return message.contains("refused") ? Outcome.REFUSED : Outcome.LOST;
        }
        if (code.isEmpty() || code.equals("null")) {
            return Outcome.LOST;
        }
        return code.matches("[23]\\d\\d") ? Outcome.BODY : Outcome.STATUS;
    }
}
