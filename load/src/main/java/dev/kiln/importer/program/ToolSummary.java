package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.TimeText;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A ToolSummary reads what h2load, hey, oha and ab print at their end, maybe of several tests: totals, and quantiles if any. */
public final class ToolSummary {
    private static final Kind OF_H2LOAD = new Kind(
            "h2load",
            Pattern.compile("finished in (\\d{1,12}(?:\\.\\d{1,12})?)(us|ms|s|m|h), [\\d.]+ req/s, .*"),
            ToolSummary::h2load,
            "the line 'status codes'");
    private static final Kind OF_HEY =
            new Kind("hey or oha", Pattern.compile("\\s*Summary:"), ToolSummary::hey, "a distribution of status codes");
    private static final Kind OF_AB = new Kind(
            "ab",
            Pattern.compile("\\s*This is ApacheBench, Version .*"),
            ToolSummary::ab,
            "the line 'Complete requests'");

    public static final Format H2LOAD = format("h2load's summary", OF_H2LOAD, "status codes: ");
    public static final Format HEY = format("hey's and oha's summary", OF_HEY, "Requests/sec:");
    public static final Format AB = format("ab's summary", OF_AB, "Time taken for tests:");

    private static final Pattern COUNTS = Pattern.compile("requests: .* (\\d{1,15}) errored, (\\d{1,15}) timeout");
    private static final Pattern CODES =
            Pattern.compile("status codes: (\\d{1,15}) 2xx, (\\d{1,15}) 3xx, (\\d{1,15}) 4xx, (\\d{1,15}) 5xx");

    /** ghz lays its summary out as hey does, but its statuses are those of gRPC. */
    private static final Pattern OF_GHZ = Pattern.compile("(?m)^[ \\t]+Count:\\s");

    /** hey keeps the times and statuses of so many answers, and counts all of them in its rate. */
    static final long KEPT_BY_HEY = 1_000_000;

    /** The rate and the length are rounded. */
    private static final double ROUNDED = 1.001;

    private static final Pattern RATE = Pattern.compile("\\s+Requests/sec:\\s+(\\d{1,12}(?:\\.\\d{1,9})?)");
    /** oha takes one unit for all times, by the slowest request or by {@code --time-unit}. */
    private static final String TIME = "(\\d{1,12}(?:\\.\\d{1,12})?) (secs?|ms|us|ns|min|hr|10 sec|10 min)";

    private static final Pattern TOTAL = Pattern.compile("\\s+(Total|Slowest):\\s+" + TIME);
    private static final Pattern WITHIN = Pattern.compile("\\s+(50|99)(?:\\.00)?%{1,2} in " + TIME);
    private static final Pattern STATUS = Pattern.compile("\\s+\\[(\\d{3})\\]\\s+(\\d{1,15}) responses?");
    private static final Pattern ERROR = Pattern.compile("\\s+\\[(\\d{1,15})\\]\\s+(\\D.*)");

    /** Requests that were under way when oha's test ended are no failures of the target. */
    private static final String ENDED = "aborted due to deadline";

    private static final Pattern FIGURE = Pattern.compile(
            "(Time taken for tests|Complete requests|Non-2xx responses|Write errors):\\s+(\\d{1,15})(\\.\\d{1,12})?(?: seconds)?");
    private static final Pattern FAILED = Pattern.compile(
            "\\s+\\(Connect: (\\d{1,15}), (?:Receive: (\\d{1,15}), )?Length: (\\d{1,15}), Exceptions: (\\d{1,15})\\)");
    private static final Pattern SERVED = Pattern.compile("\\s+(50|99|100)%\\s+(\\d{1,12})(?: \\(longest request\\))?");

    private record Kind(String what, Pattern begin, BiConsumer<ToolSummary, String> reader, String needs) {}

    private final Kind kind;
    private final String place;
    private final PrintedQuantiles quantiles = new PrintedQuantiles();
    private long nanos;
    private double rate;

    /** The length is in minutes or hours, of which oha prints four decimals. */
    private boolean coarse;

    /** These were under way when oha's test ended; its rate counts them. */
    private long ended;

    private boolean counted;
    private long answered;
    private long others;
    private long refused;
    private long lost;
    private long late;
    private long bodies;

    /** These failed while they were received: ab counts them as complete, and as of another length too. */
    private long received;

    private ToolSummary(Kind kind, String place) {
        this.kind = kind;
        this.place = place;
    }

    private static Format format(String words, Kind kind, String also) {
        return new Format(
                words,
                head -> head.line(
                                Integer.MAX_VALUE,
                                line -> kind.begin.matcher(line).matches())
                        && head.text().contains(also)
                        && !OF_GHZ.matcher(head.text()).find(),
                new Format.Loads((file, options) -> of(file, kind)));
    }

    private static List<LoadSource> of(Path file, Kind kind) {
        String phase = LoadSource.stem(String.valueOf(file.getFileName()));
        List<LoadSource> tests = new ArrayList<>();
        Optional<ToolSummary> test = Optional.empty();
        try (Lines lines = Lines.of(file)) {
            while (lines.next()) {
                String text = lines.text().stripTrailing();
                if (kind.begin.matcher(text).matches()) {
                    test.ifPresent(done -> tests.add(done.load(phase)));
                    test = Optional.of(new ToolSummary(kind, lines.place()));
                }
                test.ifPresent(open -> kind.reader.accept(open, text));
            }
        }
        test.ifPresent(done -> tests.add(done.load(phase)));
        return tests;
    }

    private void h2load(String line) {
        Matcher begin = OF_H2LOAD.begin.matcher(line);
        Matcher counts = COUNTS.matcher(line);
        Matcher codes = CODES.matcher(line);
        if (begin.matches()) {
            nanos = TimeText.length(begin.group(1), begin.group(2));
        } else if (counts.matches()) {
            // Requests that timed out are errored too.
            late = Long.parseLong(counts.group(2));
            lost = Math.max(0, Long.parseLong(counts.group(1)) - late);
        } else if (codes.matches()) {
            others = Long.parseLong(codes.group(2)) + Long.parseLong(codes.group(3)) + Long.parseLong(codes.group(4));
            answered = Long.parseLong(codes.group(1)) + others;
            counted = true;
        }
    }

    private void hey(String line) {
        Matcher total = TOTAL.matcher(line);
        Matcher perSecond = RATE.matcher(line);
        Matcher within = WITHIN.matcher(line);
        Matcher status = STATUS.matcher(line);
        Matcher error = ERROR.matcher(line);
        if (total.matches() && total.group(1).equals("Total")) {
            nanos = TimeText.length(total.group(2), total.group(3));
            coarse = total.group(3).endsWith("min") || total.group(3).equals("hr");
        } else if (total.matches()) {
            quantiles.max(TimeText.length(total.group(2), total.group(3)));
        } else if (perSecond.matches()) {
            rate = Double.parseDouble(perSecond.group(1));
        } else if (within.matches() && !counted) {
            quantiles.put(within.group(1), TimeText.length(within.group(2), within.group(3)));
        } else if (status.matches()) {
            counted = true;
            answered += Long.parseLong(status.group(2));
            others += status.group(1).startsWith("2") ? 0 : Long.parseLong(status.group(2));
        } else if (error.matches()) {
            counted = true;
            failed(Long.parseLong(error.group(1)), error.group(2));
        }
    }

    private void failed(long count, String why) {
        if (why.contains("deadline") || why.contains("imeout") || why.contains("timed out")) {
            late += why.equals(ENDED) ? 0 : count;
            ended += why.equals(ENDED) ? count : 0;
        } else if (why.contains("refused")) {
            refused += count;
        } else {
            lost += count;
        }
    }

    private void ab(String line) {
        Matcher figure = FIGURE.matcher(line);
        Matcher failed = FAILED.matcher(line);
        Matcher served = SERVED.matcher(line);
        if (figure.matches()) {
            switch (figure.group(1)) {
                case "Time taken for tests" -> nanos = TimeText.length(figure.group(2) + Objects.requireNonNullElse(figure.group(3), ""), "s");
                case "Complete requests" -> {
                    answered = Long.parseLong(figure.group(2));
                    counted = true;
                }
                case "Non-2xx responses" -> others = Long.parseLong(figure.group(2));
                default -> lost += Long.parseLong(figure.group(2));
            }
        } else if (failed.matches()) {
            // A refused connection is an exception, and then cannot be received from.
            received = Long.parseLong(Objects.requireNonNullElse(failed.group(2), "0"));
            lost += Long.parseLong(failed.group(1)) + Math.max(received, Long.parseLong(failed.group(4)));
            bodies = Long.parseLong(failed.group(3));
        } else if (served.matches() && Long.parseLong(served.group(2)) > 0) {
            // ab rounds to whole ms: 0 is not known.
            quantiles.put(served.group(1), TimeText.length(served.group(2), "ms"));
        }
    }

    private LoadSource load(String phase) {
        if (nanos <= 0 || !counted) {
            throw KilnException.usage(
                    place + ": this summary of " + kind.what + " lacks "
                            + (nanos <= 0 ? "the length of the test" : kind.needs),
                    "import all that it printed");
        }
        refuseCapped();
        // What has a bad status, or was not received, has another length too, and must not count twice.
        long odd = Math.max(0, bodies - others - received);
        return LoadSource.total(
                kind.what,
                phase,
                length(),
                Math.max(0, answered - others - odd - received),
                new LoadBin.Errors(refused, lost, late, others, odd),
                quantiles.of(answered));
    }

    /** Returns the length of the test; of a coarse one, the rate has more digits. */
    private long length() {
        long all = answered + refused + lost + late + ended;
        return coarse && rate > 0 && all > 0 ? Math.round(all / rate * 1e9) : nanos;
    }

    /** Refuses a summary of hey whose statuses are not those of all answers: how many of the others were good is not known. */
    private void refuseCapped() {
        double all = rate * nanos / 1e9 - refused - lost - late;
        if (answered == KEPT_BY_HEY && all > ROUNDED * KEPT_BY_HEY) {
            throw KilnException.usage(
                    String.format(
                            Locale.ROOT,
                            "%s: hey tells the status of its first 1,000,000 requests only, and %,d were answered",
                            place,
                            Math.round(all)),
                    "make a shorter test, or one with another load generator");
        }
    }
}
