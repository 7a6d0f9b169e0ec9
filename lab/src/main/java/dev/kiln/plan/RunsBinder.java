package dev.kiln.plan;

import dev.kiln.model.Runs;
import dev.kiln.plan.Node.Kind;
import java.util.EnumSet;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code runs:}, a number or {@code until-decided} with how narrow and how many. */
final class RunsBinder {
    private static final String EXPECTED =
            "a whole number from 1 to 1000, or until-decided[:WIDTH[:LEAST-MOST]] such as until-decided:5%:5-10";
    private static final Pattern UNTIL =
            Pattern.compile("until-decided(?::(\\d{1,3}(?:\\.\\d+)?)\\s*%(?::(\\d{1,4})-(\\d{1,4}))?)?");
    private static final double DEFAULT_WIDTH_PERCENT = 5;

    /** Looked at earlier, the interval is too often narrow by chance, and then it misses. */
    private static final int LEAST = 5;

    private static final int DEFAULT_MOST = 10;
    private static final int MOST = 1000;

    private RunsBinder() {}

    static Runs bind(Fields experiment) {
        Runs runs = number(experiment);
        return runs.withRepeats(experiment.bool("repeat").orElse(true));
    }

    private static Runs number(Fields experiment) {
        return experiment.has("runs")
                ? experiment
                        .scalar("runs", EXPECTED, EnumSet.of(Kind.INTEGER, Kind.TEXT), RunsBinder::parse)
                        .orElseGet(() -> Runs.fixed(Defaults.RUNS))
                : Runs.fixed(Defaults.RUNS);
    }

    static Runs parse(String text) {
        Matcher until = UNTIL.matcher(text.strip());
        if (!until.matches()) {
            return Runs.fixed(Math.toIntExact(Numbers.integer(text.strip(), 1, MOST, EXPECTED)));
        }
        double percent = until.group(1) == null ? DEFAULT_WIDTH_PERCENT : Double.parseDouble(until.group(1));
        int least = until.group(2) == null ? LEAST : Integer.parseInt(until.group(2));
        int most = until.group(3) == null ? DEFAULT_MOST : Integer.parseInt(until.group(3));
        if (percent <= 0 || least < LEAST || most < least || most > MOST) {
            throw BadValue.of("'" + text + "'", EXPECTED + ", with at least " + LEAST + " runs and a width above 0");
        }
        return new Runs(least, most, OptionalDouble.of(percent / 100));
    }
}
