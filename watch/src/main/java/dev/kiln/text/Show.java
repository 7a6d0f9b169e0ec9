package dev.kiln.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/** Show writes numbers as people read them, the same under every locale. */
public final class Show {
    public static final String ABSENT = "\u2013";

    private Show() {}

    /** Writes 4674.2 as {@code 4,674}. */
    public static String whole(double value) {
        return fixed(value, 0);
    }

    public static String whole(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    public static String fixed(double value, int decimals) {
        return ascii(value, decimals).replace('-', '\u2212');
    }

    /** Writes a number with the minus of ASCII: such numbers are pasted into other tables. */
    public static String ascii(double value, int decimals) {
        if (!Double.isFinite(value)) {
            return ABSENT;
        }
        // Rounding first keeps -0.04 from being printed as -0.0.
        return String.format(Locale.ROOT, "%,." + decimals + "f", rounded(value, decimals));
    }

    /** Writes the value in {@code format}, or a dash. */
    public static String or(OptionalDouble value, DoubleFunction<String> format) {
        return present(value) ? format.apply(value.getAsDouble()) : ABSENT;
    }

    public static boolean present(OptionalDouble value) {
        return value.isPresent() && Double.isFinite(value.getAsDouble());
    }

    /** Writes seconds with the digits that mean something: 8.7, 24, 0.42. */
    public static String seconds(double value) {
        double size = Math.abs(value);
        return fixed(value, size < 1 ? 2 : size < 20 ? 1 : 0);
    }

    /** Seconds in the largest unit of which there are at least two: {@code 90 s}, {@code 4 min}, {@code 3 d}. */
    public static String age(double seconds) {
        return seconds < 120
                ? machine(seconds, 0) + " s"
                : seconds < 7200
                        ? machine(seconds / 60, 0) + " min"
                        : seconds < 172_800 ? machine(seconds / 3600, 0) + " h" : machine(seconds / 86_400, 0) + " d";
    }

    /** Writes a share of one CPU, 0.968 as {@code 97}. */
    public static String percent(double share) {
        double percent = share * 100;
        return fixed(percent, percent > 0 && percent < 0.95 ? 1 : 0);
    }

    /** Writes a share with its unit, 0.968 as {@code 96.8 %}. */
    public static String share(OptionalDouble share) {
        return or(share, value -> machine(100 * value, 1) + " %");
    }

    /** Writes what is in percent already, -14.5 as {@code -14.5 %}. */
    public static String points(double percent) {
        return ascii(percent, 1) + " %";
    }

    public static String points(OptionalDouble percent) {
        return percent.isPresent() ? points(percent.getAsDouble()) : ABSENT;
    }

    public static String megabytes(double bytes) {
        return whole(bytes / (1 << 20));
    }

    /** Switches and ratios: three significant digits and at most two decimals, never an exponent. */
    public static String three(double value) {
        double size = Math.abs(value);
        return fixed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
    }

    /** Writes three significant digits, or all before the point; an ASCII minus. */
    public static String value(double value) {
        return ascii(value, decimals(value));
    }

    private static int decimals(double value) {
        double size = Math.abs(value);
        return size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
    }

    /** Writes a mean with its standard deviation, which has the same decimals unless nothing were left of it. */
    public static String spread(double mean, double sd) {
        int decimals = decimals(mean);
        boolean tooFine = sd > 0 && rounded(sd, decimals).signum() == 0;
        return ascii(mean, decimals) + " \u00b1 " + (tooFine ? digits(sd) : ascii(sd, decimals));
    }

    public static String value(OptionalDouble value) {
        return value.isPresent() ? value(value.getAsDouble()) : ABSENT;
    }

    public static String signed(double value) {
        return (value > 0 ? "+" : "") + value(value);
    }

    /** Writes three significant digits however small the value is, without zeros at the end. */
    public static String digits(double value) {
        return Math.abs(value) >= 100
                ? whole(value)
                : value == 0 ? "0" : plain(BigDecimal.valueOf(value).round(new MathContext(3)));
    }

    /** Writes a ratio; it and its bounds share their decimals. */
    public static String ratio(double value) {
        return ascii(value, Math.abs(value) >= 9.9995 ? 1 : 3);
    }

    public static String p(double p) {
        return p < 0.0001 ? "< 0.0001" : ascii(p, p < 0.01 ? 4 : 3);
    }

    /** Writes all digits and no exponent: a constant rather than a measurement. */
    public static String plain(double value) {
        return plain(BigDecimal.valueOf(value));
    }

    private static String plain(BigDecimal value) {
        return value.stripTrailingZeros().toPlainString();
    }

    /** Writes a number for programs: no grouping, the minus of ASCII, never an exponent. */
    public static String machine(double value, int decimals) {
        return rounded(value, decimals).toPlainString();
    }

    /** Writes the same without zeros at the end. */
    public static String trimmed(double value, int decimals) {
        return plain(rounded(value, decimals));
    }

    private static BigDecimal rounded(double value, int decimals) {
        return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP);
    }

    /** Writes one figure where both ends read the same. */
    public static String range(double low, double high, DoubleFunction<String> format) {
        String from = format.apply(low);
        String to = format.apply(high);
        return from.equals(to) ? from : from + "\u2013" + to;
    }

    public static String plural(long n, String noun) {
        return whole(n) + " " + noun + (n == 1 ? "" : "s");
    }

    /** Returns the text with its figures tied to their units, so that no line ends between them. */
    public static String tied(String text) {
        return text.replaceAll("(\\d) (%|s\\b|ms\\b|req/s\\b|MiB\\b)", "$1\u00a0$2");
    }

    /** Begins a text as a sentence begins. */
    public static String sentence(String text) {
        return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /** Returns the text cut, as what stands in a message may be of any length. */
    public static String brief(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }
}
