package dev.kiln.plan;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shares as people write them: {@code 0.1%}. */
public final class ShareText {
    private static final Pattern PERCENT = Pattern.compile("\\s*(\\d{1,3}(?:\\.\\d{1,6})?)\\s*%\\s*");

    private ShareText() {}

    /** The value of a command's option, as a share from 0 up to 1. */
    public static double option(String name, String text) {
        Matcher percent = PERCENT.matcher(text);
        if (percent.matches()) {
            double share = Double.parseDouble(percent.group(1)) / 100;
            if (share < 1) {
                return share;
            }
        }
        throw new KilnException(
                Exit.USAGE,
                name + ": found '" + text + "', expected a percentage below 100",
                "write it as " + name + " 0.1%");
    }
}
