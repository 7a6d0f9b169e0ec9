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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A WrkOutput reads what wrk and wrk2 print, maybe several tests: totals, quantiles by {@code --latency}. */
public final class WrkOutput {
    public static final Format FORMAT = new Format(
            "the output of wrk or wrk2",
            head -> head.line(Integer.MAX_VALUE, WrkOutput::begins),
            new Format.Loads((file, options) -> of(file)));

    private static final Pattern BEGIN = Pattern.compile("\\s*Running \\S+ test @ \\S+\\s*");
    private static final Pattern TOTAL = Pattern.compile("\\s*(\\d{1,18}) requests in (\\S+), .* read");
    private static final Pattern RATE = Pattern.compile("\\s*Requests/sec:\\s+(\\d{1,12}\\.\\d\\d)");
    private static final Pattern TRANSFER = Pattern.compile("\\s*Transfer/sec:\\s+\\d+\\.\\d\\d[KMGTP]?B");
    private static final Pattern SOCKETS = Pattern.compile(
            "\\s*Socket errors: connect (\\d{1,15}), read (\\d{1,15}), write (\\d{1,15}), timeout (\\d{1,15})");
    private static final Pattern STATUS = Pattern.compile("\\s*Non-2xx or 3xx responses: (\\d{1,18})");
    private static final Pattern QUANTILE =
            Pattern.compile("\\s*(50|99|100)(?:\\.000)?%\\s+(\\d+\\.\\d\\d(?:us|ms|s|m|h))");
    private static final Pattern LATENCY = Pattern.compile("\\s*Latency\\s+\\S+\\s+\\S+\\s+(\\S+)\\s+\\S+%");

    /** A wrk2 of its own has the 99th percentile where others have the maximum. */
    private static final Pattern COLUMNS = Pattern.compile("\\s*Thread Stats\\s+Avg\\s+Stdev\\s+(\\S+)\\s.*");

    private static final Pattern TIME = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)(us|ms|s|m|h)");

    private final String file;
    private final long line;
    private long requests = -1;
    private long nanos;
    /** Minutes and hours have two decimals too: 0.6 s and 36 s. */
    private boolean coarse;

    private double rate;
    private final PrintedQuantiles quantiles = new PrintedQuantiles();
    private boolean maximum = true;
    private long nonOk;
    private final long[] sockets = new long[4];

    private WrkOutput(String file, long line) {
        this.file = file;
        this.line = line;
    }

    private static boolean begins(String line) {
        return BEGIN.matcher(line).lookingAt();
    }

    public static List<LoadSource> of(Path file) {
        String stem = LoadSource.stem(String.valueOf(file.getFileName()));
        return parse(Lines.of(file), stem);
    }

    public static List<LoadSource> parse(Lines lines, String phase) {
        List<LoadSource> tests = new ArrayList<>();
        Optional<WrkOutput> test = Optional.empty();
        try (lines) {
            while (lines.next()) {
                // Times in seconds have a blank behind them.
                String text = lines.text().stripTrailing();
                if (BEGIN.matcher(text).matches()) {
                    test.ifPresent(done -> tests.add(done.load(phase)));
                    test = Optional.of(new WrkOutput(lines.file(), lines.number()));
                } else if (test.isPresent()) {
                    test.get().read(lines, text);
                }
            }
        }
        test.ifPresent(done -> tests.add(done.load(phase)));
        return tests;
    }

    private void read(Lines lines, String text) {
        Matcher total = TOTAL.matcher(text);
        Matcher socket = SOCKETS.matcher(text);
        Matcher status = STATUS.matcher(text);
        Matcher quantile = QUANTILE.matcher(text);
        Matcher latency = LATENCY.matcher(text);
        Matcher columns = COLUMNS.matcher(text);
        Matcher perSecond = RATE.matcher(text);
        if (!lines.whole()
                && !text.isBlank()
                && !perSecond.matches()
                && !TRANSFER.matcher(text).matches()) {
            throw lines.malformed("a line that is cut short", "the whole output of wrk");
        }
        if (total.matches()) {
            requests = Long.parseLong(total.group(1));
            nanos = time(lines, total.group(2));
            coarse = total.group(2).endsWith("m") || total.group(2).endsWith("h");
        } else if (perSecond.matches()) {
            rate = Double.parseDouble(perSecond.group(1));
        } else if (socket.matches()) {
            for (int i = 0; i < sockets.length; i++) {
                sockets[i] = Long.parseLong(socket.group(i + 1));
            }
        } else if (status.matches()) {
            nonOk = Long.parseLong(status.group(1));
        } else if (quantile.matches()) {
            quantiles.put(quantile.group(1), time(lines, quantile.group(2)));
        } else if (columns.matches()) {
            maximum = columns.group(1).equals("Max");
        } else if (latency.matches() && maximum) {
            quantiles.max(time(lines, latency.group(1)));
        }
    }

    private LoadSource load(String phase) {
        if (requests < 0 || nanos <= 0) {
            throw KilnException.usage(
                    file + ":" + line + ": this test of wrk has no line 'N requests in TIME'",
                    "import the whole output of wrk");
        }
        // Of a coarse length, wrk's own rate has more digits.
        long length = coarse && rate > 0 ? Math.round(requests / rate * 1e9) : nanos;
        // wrk counts a 3xx as good, a response that timed out twice, and what it could not send not at all.
        LoadBin.Errors errors = new LoadBin.Errors(sockets[0], sockets[1] + sockets[2], sockets[3], nonOk, 0);
        return LoadSource.total("wrk", phase, length, Math.max(0, requests - nonOk), errors, quantiles.of(requests));
    }

    private static long time(Lines lines, String text) {
        Matcher form = TIME.matcher(text);
        if (!form.matches()) {
            throw lines.malformed("'" + text + "'", "a time such as 1.23ms");
        }
        return TimeText.length(form.group(1), form.group(2));
    }
}
