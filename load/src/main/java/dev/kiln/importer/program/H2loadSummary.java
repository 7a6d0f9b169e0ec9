package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.TimeText;
import dev.kiln.importer.program.ToolSummary.TestLines;
import dev.kiln.importer.program.ToolSummary.TestTotals;
import dev.kiln.model.load.LoadBin;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An H2loadSummary is what h2load prints of a test at its end: totals, and from nghttp2 1.69 on quantiles of up to a million requests. */
public final class H2loadSummary implements TestLines {
    private static final Pattern BEGIN =
            Pattern.compile("finished in (\\d{1,12}(?:\\.\\d{1,12})?)(us|ms|s|m|h), [\\d.]+ req/s, .*");
    private static final Pattern COUNTS = Pattern.compile("requests: .* (\\d{1,15}) errored, (\\d{1,15}) timeout");
    private static final Pattern CODES =
            Pattern.compile("status codes: (\\d{1,15}) 2xx, (\\d{1,15}) 3xx, (\\d{1,15}) 4xx, (\\d{1,15}) 5xx");

    private static final String TIME = "(\\d{1,12}(?:\\.\\d{1,12})?)(us|ms|s)";

    /** Its columns are min, max, median, p95, p99, mean, sd and the share within one sd; of old there were no quantiles. */
    private static final Pattern REQUEST = Pattern.compile(
            "request\\s*:\\s+\\S+\\s+" + TIME + "\\s+" + TIME + "\\s+\\S+\\s+" + TIME + "\\s+\\S+\\s+\\S+\\s+[\\d.]+%");

    public static final Format FORMAT = new ToolSummary(
                    "h2load", BEGIN, "status codes: ", "the line 'status codes'", H2loadSummary::new)
            .format("h2load's summary");

    private final PrintedQuantiles quantiles = new PrintedQuantiles();
    private long nanos;
    private boolean counted;
    private long good;
    private long others;
    private long lost;
    private long late;

    private H2loadSummary() {}

    @Override
    public void read(String line) {
        Matcher begin = BEGIN.matcher(line);
        Matcher counts = COUNTS.matcher(line);
        Matcher codes = CODES.matcher(line);
        Matcher request = REQUEST.matcher(line);
        if (begin.matches()) {
            nanos = TimeText.length(begin.group(1), begin.group(2));
        } else if (counts.matches()) {
            // Requests that timed out are errored too.
            late = Long.parseLong(counts.group(2));
            lost = Math.max(0, Long.parseLong(counts.group(1)) - late);
        } else if (codes.matches()) {
            good = Long.parseLong(codes.group(1));
            others = Long.parseLong(codes.group(2)) + Long.parseLong(codes.group(3)) + Long.parseLong(codes.group(4));
            counted = true;
        } else if (request.matches()) {
            quantiles.max(TimeText.length(request.group(1), request.group(2)));
            quantiles.put("50", TimeText.length(request.group(3), request.group(4)));
            quantiles.put("99", TimeText.length(request.group(5), request.group(6)));
        }
    }

    @Override
    public TestTotals totals() {
        return new TestTotals(
                nanos,
                counted,
                good,
                new LoadBin.Errors(0, lost, late, others, 0),
                good + others > 0 ? quantiles.of(good + others) : Optional.empty(),
                Optional.empty());
    }
}
