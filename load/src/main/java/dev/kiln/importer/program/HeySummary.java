package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.TimeText;
import dev.kiln.importer.program.ToolSummary.TestLines;
import dev.kiln.importer.program.ToolSummary.TestTotals;
import dev.kiln.importer.program.ToolSummary.TotalsRefusal;
import dev.kiln.model.load.LoadBin;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A HeySummary is what hey prints of a test at its end, and oha after its example: totals and quantiles. */
public final class HeySummary implements TestLines {
    /** hey keeps the times and statuses of so many answers, and counts all of them in its rate. */
    static final long KEPT = 1_000_000;

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

    public static final Format FORMAT = new ToolSummary(
                    "hey or oha",
                    Pattern.compile("\\s*Summary:"),
                    "Requests/sec:",
                    "a distribution of status codes",
                    HeySummary::new)
            .format("hey's and oha's summary");

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

    private HeySummary() {}

    @Override
    public void read(String line) {
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

    @Override
    public TestTotals totals() {
        return new TestTotals(
                length(),
                counted,
                answered - others,
                new LoadBin.Errors(refused, lost, late, others, 0),
                quantiles.of(answered),
                capped());
    }

    /** Returns the length of the test; of a coarse one, the rate has more digits. */
    private long length() {
        long all = answered + refused + lost + late + ended;
        return coarse && rate > 0 && all > 0 ? Math.round(all / rate * 1e9) : nanos;
    }

    /** Refuses a summary whose statuses are not those of all answers: how many of the others were good is not known. */
    private Optional<TotalsRefusal> capped() {
        double all = rate * nanos / 1e9 - refused - lost - late;
        return answered == KEPT && all > ROUNDED * KEPT
                ? Optional.of(new TotalsRefusal(
                        String.format(
                                Locale.ROOT,
                                "hey tells the status of its first 1,000,000 requests only, and %,d were answered",
                                Math.round(all)),
                        "make a shorter test, or one with another load generator"))
                : Optional.empty();
    }
}
