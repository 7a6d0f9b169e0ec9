package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A ToolSummary reads what a load generator prints at its end, maybe of several tests: totals, and quantiles if any. What each
 * tool prints is known to its own class.
 *
 * @param what the tool
 * @param begin the line with which the summary of a test begins
 * @param also a part of every summary
 * @param needs the line that tells how many requests were answered, in words
 * @param reader of one test
 */
record ToolSummary(String what, Pattern begin, String also, String needs, Supplier<TestLines> reader) {
    /** ghz lays its summary out as hey does, but its statuses are those of gRPC. */
    private static final Pattern OF_GHZ = Pattern.compile("(?m)^[ \\t]+Count:\\s");

    /** TestLines read the summary of one test. */
    interface TestLines {
        /** Reads a line, from that with which the summary begins. */
        void read(String line);

        /** Returns what the lines came to. */
        TestTotals totals();
    }

    /**
     * TestTotals are what a test came to.
     *
     * @param nanos its length; 0 where it was not told
     * @param counted whether it was told how many requests were answered
     * @param refusal why the figures cannot be used, and what to do; empty where they can
     */
    record TestTotals(
            long nanos,
            boolean counted,
            long good,
            LoadBin.Errors errors,
            Optional<Quantiles> quantiles,
            Optional<TotalsRefusal> refusal) {}

    /** A TotalsRefusal is the message of a summary that does not say what happened, and its hint. */
    record TotalsRefusal(String message, String hint) {}

    Format format(String words) {
        return new Format(
                words,
                head -> head.line(Integer.MAX_VALUE, line -> begin.matcher(line).matches())
                        && head.text().contains(also)
                        && !OF_GHZ.matcher(head.text()).find(),
                new Format.Loads((file, options) -> of(file)));
    }

    private List<LoadSource> of(Path file) {
        String phase = LoadSource.stem(String.valueOf(file.getFileName()));
        List<LoadSource> tests = new ArrayList<>();
        Optional<TestLines> test = Optional.empty();
        String place = "";
        try (Lines lines = Lines.of(file)) {
            while (lines.next()) {
                String text = lines.text().stripTrailing();
                if (begin.matcher(text).matches()) {
                    if (test.isPresent()) {
                        tests.add(load(test.get().totals(), phase, place));
                    }
                    test = Optional.of(reader.get());
                    place = lines.place();
                }
                test.ifPresent(open -> open.read(text));
            }
        }
        if (test.isPresent()) {
            tests.add(load(test.get().totals(), phase, place));
        }
        return tests;
    }

    private LoadSource load(TestTotals totals, String phase, String place) {
        if (totals.nanos <= 0 || !totals.counted) {
            throw KilnException.usage(
                    place + ": this summary of " + what + " lacks "
                            + (totals.nanos <= 0 ? "the length of the test" : needs),
                    "import all that it printed");
        }
        totals.refusal.ifPresent(why -> {
            throw KilnException.usage(place + ": " + why.message, why.hint);
        });
        return LoadSource.total(what, phase, totals.nanos, totals.good, totals.errors, totals.quantiles);
    }
}
