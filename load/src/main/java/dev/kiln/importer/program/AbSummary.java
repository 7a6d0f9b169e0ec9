package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.TimeText;
import dev.kiln.importer.program.ToolSummary.TestLines;
import dev.kiln.importer.program.ToolSummary.TestTotals;
import dev.kiln.model.load.LoadBin;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An AbSummary is what ab prints of a test at its end: totals, of which some count a request twice, and quantiles. */
public final class AbSummary implements TestLines {
    private static final Pattern FIGURE = Pattern.compile(
            "(Time taken for tests|Complete requests|Non-2xx responses|Write errors):\\s+(\\d{1,15})(\\.\\d{1,12})?(?: seconds)?");
    private static final Pattern FAILED = Pattern.compile(
            "\\s+\\(Connect: (\\d{1,15}), (?:Receive: (\\d{1,15}), )?Length: (\\d{1,15}), Exceptions: (\\d{1,15})\\)");
    private static final Pattern SERVED = Pattern.compile("\\s+(50|99|100)%\\s+(\\d{1,12})(?: \\(longest request\\))?");

    public static final Format FORMAT = new ToolSummary(
                    "ab",
                    Pattern.compile("\\s*This is ApacheBench, Version .*"),
                    "Time taken for tests:",
                    "the line 'Complete requests'",
                    AbSummary::new)
            .format("ab's summary");

    private final PrintedQuantiles quantiles = new PrintedQuantiles();
    private long nanos;
    private boolean counted;
    private long complete;
    private long others;
    private long bodies;
    private long connect;
    private long received;
    private long exceptions;
    private long written;

    private AbSummary() {}

    @Override
    public void read(String line) {
        Matcher figure = FIGURE.matcher(line);
        Matcher failed = FAILED.matcher(line);
        Matcher served = SERVED.matcher(line);
        if (figure.matches()) {
            figure(figure);
        } else if (failed.matches()) {
            connect = Long.parseLong(failed.group(1));
            received = Long.parseLong(Objects.requireNonNullElse(failed.group(2), "0"));
            bodies = Long.parseLong(failed.group(3));
            exceptions = Long.parseLong(failed.group(4));
        } else if (served.matches() && Long.parseLong(served.group(2)) > 0) {
            // ab rounds to whole ms: 0 is not known.
            quantiles.put(served.group(1), TimeText.length(served.group(2), "ms"));
        }
    }

    private void figure(Matcher figure) {
        long whole = Long.parseLong(figure.group(2));
        switch (figure.group(1)) {
            case "Time taken for tests" ->
                nanos = TimeText.length(whole + Objects.requireNonNullElse(figure.group(3), ""), "s");
            case "Complete requests" -> {
                complete = whole;
                counted = true;
            }
            case "Non-2xx responses" -> others = whole;
            default -> written = whole;
        }
    }

    @Override
    public TestTotals totals() {
        // ab closes the connection of a request that it could not write, or not receive, and counts it as complete
        // then.
        long unanswered = received + written;
        // Such a request, and one of a bad status, has another length than the first, too.
        long odd = Math.max(0, bodies - others - unanswered);
        // A refused connection is an exception, and then cannot be received from.
        long lost = connect + Math.max(received, exceptions) + written;
        return new TestTotals(
                nanos,
                counted,
                Math.max(0, complete - others - odd - unanswered),
                new LoadBin.Errors(0, lost, 0, others, odd),
                quantiles.of(complete),
                Optional.empty());
    }
}
