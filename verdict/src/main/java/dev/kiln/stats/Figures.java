package dev.kiln.stats;

import java.util.Locale;

/** Figures writes numbers for the texts of warnings. */
public final class Figures {
    private Figures() {}

    /** Writes a number with at most three decimals, without zeros at the end. */
    public static String number(double value) {
        String text = String.format(Locale.ROOT, "%.3f", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }

    public static String percent(double share) {
        return number(Math.round(share * 1000) / 10.0) + " %";
    }
}
