package dev.kiln.report;

import java.util.OptionalDouble;

/** Numbers of comparisons, with an ASCII minus: they are pasted into other tables. */
final class Figure {
    private Figure() {}

    /** Three significant digits, or all before the point. */
    static String value(double value) {
        double size = Math.abs(value);
        int decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
        return fixed(value, decimals);
    }

    static String value(OptionalDouble value) {
        return value.isPresent() ? value(value.getAsDouble()) : Text.ABSENT;
    }

    static String signed(double value) {
        return (value > 0 ? "+" : "") + value(value);
    }

    /** A ratio and its bounds share their decimals. */
    static String ratio(double value) {
        return fixed(value, Math.abs(value) >= 9.9995 ? 1 : 3);
    }

    /** {@code -14.5 %}. */
    static String percent(double percent) {
        return fixed(percent, 1) + " %";
    }

    static String p(double p) {
        return p < 0.0001 ? "< 0.0001" : fixed(p, p < 0.01 ? 4 : 3);
    }

    static String fixed(double value, int decimals) {
        return Text.fixed(value, decimals).replace('\u2212', '-');
    }
}
