package dev.kiln.text;

import dev.kiln.model.GateSpec.Tolerance;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A tolerance as people write it: {@code 5}, {@code -5 %}, {@code +-2 %}. */
public final class PercentText {
    private static final Pattern FORM = Pattern.compile("(\u00b1|\\+-|\\+/-)?\\s*(.*?)\\s*%?");

    private PercentText() {}

    /** A tolerance of a metric, or a complaint with its place. */
    public static Tolerance tolerance(String file, int line, String metric, String text) {
        Matcher form = FORM.matcher(text.strip());
        boolean eitherWay = form.matches() && form.group(1) != null;
        String number = form.group(2).replace('\u2212', '-');
        double percent = Decimal.finite(file, line, "tolerance of " + metric, number);
        if (percent == 0 || (eitherWay && percent < 0)) {
            throw BadText.at(
                    file,
                    line,
                    "tolerance of " + metric + ": found " + text + ", expected one that is not 0",
                    "5: lower is better, up to 5 % more is tolerated; -5: higher is better; +-5: neither way");
        }
        return new Tolerance(metric, percent, eitherWay, file + ":" + line);
    }
}
