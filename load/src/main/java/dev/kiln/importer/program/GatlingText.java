package dev.kiln.importer.program;

import dev.kiln.importer.format.Lines;
import dev.kiln.importer.program.Request.RequestOutcome;
import dev.kiln.model.KilnException;
import dev.kiln.text.Show;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A GatlingText reads Gatling's {@code simulation.log} as lines of text, which it was from 3.0 to 3.12: cells between tabs, of
 * which the first is the kind of the record. A request's cells are those of Gatling's LogFileDataWriter: until 3.3 the user's
 * number, then groups, name, begin and end (ms since 1970), OK or KO, and what the check said.
 */
final class GatlingText {
    /** All versions whose logs Kiln reads, those of {@link GatlingLog} too. */
    static final String VERSIONS = "3.0 to 3.15";

    private static final long MILLI = 1_000_000;
    private static final Pattern VERSION = Pattern.compile("3\\.(\\d{1,3})([.-].*)?");
    private static final int LAST_MINOR = 12;
    private static final Pattern TIME = Pattern.compile("\\d{13}");

    /** Something came in that nobody had asked for: Gatling means a time that it cannot write, and this is what it writes. */
    private static final String UNASKED = "0";

    private final Lines lines;
    private OptionalInt begin = OptionalInt.empty();

    /** This is true after the record of an error, whose message may go over several lines. */
    private boolean error;

    private GatlingText(Lines lines) {
        this.lines = lines;
    }

    /** The assertions of the test come before the record of the run. */
    static boolean isHead(String line) {
        return line.startsWith("RUN\t") || line.startsWith("ASSERTION\t") || isOldHead(line);
    }

    /** Gatling 2.0 names the simulation before the kind of the record. */
    private static boolean isOldHead(String line) {
        String[] cells = line.split("\t", -1);
        return cells.length > 5
                && cells[2].equals("RUN")
                && TIME.matcher(cells[3]).matches();
    }

    static void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps) {
        try (lines) {
            GatlingText log = new GatlingText(lines);
            while (lines.next()) {
                if (!lines.whole()) {
                    gaps.accept(lines.cutShort());
                } else if (lines.startsWith("REQUEST\t")) {
                    log.error = false;
                    log.request().ifPresent(requests);
                } else {
                    log.other();
                }
            }
        }
    }

    private void other() {
        boolean known = Stream.of("USER\t", "GROUP\t", "ERROR\t", "ASSERTION\t").anyMatch(lines::startsWith);
        if (lines.startsWith("RUN\t")) {
            begin = OptionalInt.of(begin(lines.text().split("\t", -1)));
        } else if (isOldHead(lines.text())) {
            begin(lines.text().split("\t", -1));
        } else if (known) {
            error = lines.startsWith("ERROR\t");
        } else if (!lines.isBlank() && !error) {
            throw lines.malformed("'" + Show.brief(lines.text(), 40) + "'", "a record of Gatling");
        }
    }

    /** Returns the cell of a request's beginning, by the version of Gatling that the run's record ends with. */
    private int begin(String[] run) {
        String version = run[run.length - 1].strip();
        int minor = minor(version).orElseThrow(() -> unknown(lines.place(), "a text log of Gatling '" + version + "'"));
        return minor <= 3 ? 4 : 3;
    }

    /** Returns the minor version of a Gatling whose logs are text; empty for other versions. */
    static OptionalInt minor(String version) {
        Matcher matcher = VERSION.matcher(version);
        int minor = matcher.matches() ? Integer.parseInt(matcher.group(1)) : LAST_MINOR + 1;
        return minor > LAST_MINOR ? OptionalInt.empty() : OptionalInt.of(minor);
    }

    private Optional<Request> request() {
        int at = begin.orElseThrow(() -> lines.malformed("a request before the run", "a record RUN first"));
        String[] cells = lines.text().split("\t", -1);
        if (cells.length < at + 3) {
            throw lines.malformed(cells.length + " cells", "at least " + (at + 3));
        }
        long from = time(cells[at]);
        if (cells[at + 1].equals(UNASKED)) {
            return Optional.empty();
        }
        long to = time(cells[at + 1]);
        if (to < from) {
            throw lines.malformed("a request that ends before it begins", "times that grow");
        }
        String message = cells.length > at + 3 ? cells[at + 3] : "";
        RequestOutcome outcome = outcome(cells[at + 2], message)
                .orElseThrow(() -> lines.malformed("'" + cells[at + 2] + "'", "OK or KO"));
        return Optional.of(new Request(from * MILLI, (to - from) * MILLI, outcome, lines.place()));
    }

    private static Optional<RequestOutcome> outcome(String status, String message) {
        if (status.equals("OK")) {
            return Optional.of(RequestOutcome.OK);
        }
        return status.equals("KO") ? Optional.of(outcome(message)) : Optional.empty();
    }

    /** The log has no status, only what the check said. */
    static RequestOutcome outcome(String message) {
        if (message.startsWith("status.")) {
            return RequestOutcome.STATUS;
        }
        if (message.contains("imeout")) {
            return RequestOutcome.TIMEOUT;
        }
        if (message.contains("Connection refused")) {
            return RequestOutcome.REFUSED;
        }
        return message.contains("Exception") || message.contains("onnection")
                ? RequestOutcome.LOST
                : RequestOutcome.BODY;
    }

    static KilnException unknown(String where, String found) {
        return KilnException.usage(
                where + ": found " + found + "; the layouts of Gatling " + VERSIONS + " are known",
                "export the requests as CSV and import them with --map");
    }

    private long time(String cell) {
        if (!TIME.matcher(cell).matches()) {
            throw lines.malformed("'" + cell + "'", "ms since 1970");
        }
        return Long.parseLong(cell);
    }
}
