package dev.kiln.model.load;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A load driver whose own JIT compilers took a notable share of its CPU time in a phase: one note of a run.
 *
 * @param percent of the driver's CPU time
 */
public record DriverCompilers(String phase, double percent) {
    private static final String WORDS = "the load driver's own compilers took ";
    private static final Pattern NOTE = Pattern.compile("(.+): " + WORDS + "([0-9.]+) % of its CPU time");

    public String note() {
        return phase + ": " + took(number(percent));
    }

    /** Of several phases and runs. */
    public static String between(double least, double most) {
        return took(number(least).equals(number(most)) ? number(most) : number(least) + " to " + number(most));
    }

    private static String took(String percent) {
        return WORDS + percent + " % of its CPU time";
    }

    private static String number(double percent) {
        return String.format(Locale.ROOT, "%.1f", percent);
    }

    /** Empty for a note that says something else. */
    public static Optional<DriverCompilers> of(String note) {
        Matcher said = NOTE.matcher(note);
        return said.matches()
                ? Optional.of(new DriverCompilers(said.group(1), Double.parseDouble(said.group(2))))
                : Optional.empty();
    }
}
