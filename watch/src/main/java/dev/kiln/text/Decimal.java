package dev.kiln.text;

import dev.kiln.model.Metric;
import dev.kiln.model.Metric.Better;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decimal reads numbers in files: a decimal point, no thousands separators, whatever the locale. */
public final class Decimal {
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    private static final Pattern NO_NUMBER = Pattern.compile("(?i)[+-]?(nan|inf|infinity)|na|n/a|null|none");
    private static final Pattern WITH_UNIT = Pattern.compile("[+-]?\\d[\\d.,]*\\s*[\\p{L}%/\u00b5][\\p{L}\\d%/ ]*");
    private static final Pattern COMMA = Pattern.compile("[+-]?\\d+(,\\d+)+(\\.\\d+)?");

    /** This is a percentage as people write it: {@code 5}, {@code -5 %}, {@code +-2 %}. */
    private static final Pattern PERCENT = Pattern.compile("(\u00b1|\\+-|\\+/-)?\\s*(.*?)\\s*%?");

    /** Its square, and sums of such, are numbers too. */
    private static final double LARGEST = 1e100;

    private Decimal() {}

    /** Tells whether the text is meant as a number, as the first line of a table without a header is. */
    static boolean looksLike(String text) {
        return NUMBER.matcher(text).matches()
                || NO_NUMBER.matcher(text).matches()
                || COMMA.matcher(text).matches();
    }

    /** Returns the finite number of a cell, or a complaint with its place. */
    public static double finite(String file, int line, String what, String text) {
        if (NUMBER.matcher(text).matches()) {
            double value = Double.parseDouble(text);
            if (Math.abs(value) <= LARGEST) {
                return value;
            }
        }
        String found = text.isEmpty() ? "nothing" : "'" + Show.brief(text, 60) + "'";
        throw Source.wrong(file, line, what + ": found " + found + ", expected a finite number", hint(text));
    }

    private static String hint(String text) {
        if (COMMA.matcher(text).matches()) {
            return "write 1234.5, with a point and no separators";
        }
        if (NUMBER.matcher(text).matches()) {
            return "figures go up to " + LARGEST;
        }
        return WITH_UNIT.matcher(text).matches() ? "write the number alone, such as 1500 for 1.5 K" : "";
    }

    /** Returns the same of what can be counted. */
    public static double notNegative(String file, int line, String what, String text) {
        double value = finite(file, line, what, text);
        if (value < 0) {
            throw Source.wrong(file, line, what + ": found " + text + ", expected a number that is not negative", "");
        }
        return value;
    }

    /** Returns the same of what has a ratio. */
    public static double positive(String file, int line, String what, String text) {
        double value = finite(file, line, what, text);
        if (value <= 0) {
            throw Source.wrong(file, line, what + ": found " + text + ", expected a number above 0", "");
        }
        return value;
    }

    /**
     * Returns the tolerance of a metric, or a complaint with its place. A metric that is known has its direction, so
     * the sign may be left out; of another the sign says it.
     */
    public static Tolerance tolerance(String file, int line, String metric, String text) {
        Matcher form = PERCENT.matcher(text.strip());
        boolean eitherWay = form.matches() && form.group(1) != null;
        String number = form.group(2).replace('\u2212', '-');
        double written = finite(file, line, "tolerance of " + metric, number);
        contrary(metric, text).ifPresent(why -> {
            throw Source.wrong(file, line, why, "leave out the sign, or write \u00b1 if neither more nor less may be");
        });
        boolean higher = !eitherWay && Metric.direction(metric) == Better.HIGHER;
        double percent = higher ? -Math.abs(written) : written;
        if (percent == 0 || (eitherWay && percent < 0)) {
            throw Source.wrong(
                    file,
                    line,
                    "tolerance of " + metric + ": found " + text + ", expected one that is not 0",
                    "5: lower is better, up to 5 % more is tolerated; -5: higher is better; +-5: neither way");
        }
        if (!eitherWay && percent <= -100) {
            throw Source.wrong(
                    file,
                    line,
                    "tolerance of " + metric + ": found " + text + ", but nothing loses 100 %, so all would pass",
                    "give one below 100, such as 5");
        }
        return new Tolerance(metric, percent, eitherWay, file + ":" + line);
    }

    /** Says why a tolerance would let pass what is worse; empty if its sign fits the metric, or is left out. */
    public static Optional<String> contrary(String metric, String text) {
        Matcher form = PERCENT.matcher(text.strip());
        if (!form.matches() || form.group(1) != null) {
            return Optional.empty();
        }
        String number = form.group(2).replace('\u2212', '-');
        boolean wrong = switch (Metric.direction(metric)) {
            case HIGHER -> number.startsWith("+");
            case LOWER -> number.startsWith("-");
            case UNKNOWN -> false;
        };
        return wrong
                ? Optional.of("tolerance of " + metric + ": found " + text + ", but a "
                        + (Metric.direction(metric) == Better.HIGHER ? "higher " : "lower ") + metric + " is better")
                : Optional.empty();
    }
}
