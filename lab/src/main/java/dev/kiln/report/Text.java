package dev.kiln.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

/** Numbers as people read them, the same under every locale. */
final class Text {
    static final String ABSENT = "\u2013";

    private Text() {}

    /** 4674.2 as {@code 4,674}. */
    static String whole(double value) {
        return fixed(value, 0);
    }

    static String whole(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    static String fixed(double value, int decimals) {
        if (!Double.isFinite(value)) {
            return ABSENT;
        }
        // Rounding first keeps -0.04 from being printed as -0.0.
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP);
        return String.format(Locale.ROOT, "%,." + decimals + "f", rounded).replace('-', '\u2212');
    }

    /** For programs: no grouping, the minus of ASCII, never an exponent. */
    static String machine(double value, int decimals) {
        return BigDecimal.valueOf(value)
                .setScale(decimals, RoundingMode.HALF_UP)
                .toPlainString();
    }

    /** Seconds with the digits that mean something: 8.7, 24, 0.42. */
    static String seconds(double value) {
        double size = Math.abs(value);
        return fixed(value, size < 1 ? 2 : size < 20 ? 1 : 0);
    }

    /** A share of one CPU, 0.968 as {@code 97}. */
    static String percent(double share) {
        double percent = share * 100;
        return fixed(percent, percent > 0 && percent < 0.95 ? 1 : 0);
    }

    static String megabytes(double bytes) {
        return whole(bytes / (1 << 20));
    }

    /** Decimals for switches and ratios: three significant digits, never an exponent. */
    static String three(double value) {
        double size = Math.abs(value);
        return fixed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
    }

    /** All digits, no exponent: a constant rather than a measurement. */
    static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** One figure where both ends read the same. */
    static String range(double low, double high, DoubleFunction<String> format) {
        String from = format.apply(low);
        String to = format.apply(high);
        return from.equals(to) ? from : from + "\u2013" + to;
    }

    /** As a sentence begins. */
    static String sentence(String text) {
        return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /** The text with its figures tied to their units, so that no line ends between them. */
    static String tied(String text) {
        return text.replaceAll("(\\d) (%|s\\b|ms\\b|req/s\\b|MiB\\b)", "$1\u00a0$2");
    }

    static String plural(long n, String noun) {
        return whole(n) + " " + noun + (n == 1 ? "" : "s");
    }

    static boolean present(OptionalDouble value) {
        return value.isPresent() && Double.isFinite(value.getAsDouble());
    }
}
