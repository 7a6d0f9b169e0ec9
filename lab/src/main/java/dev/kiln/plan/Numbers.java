package dev.kiln.plan;

/** Numbers in text, within their bounds. */
final class Numbers {
    static final String POSITIVE = "a number above zero";

    private Numbers() {}

    static long integer(String text, long min, long max, String expected) {
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Falls through to the one message: too long for a long is out of bounds as well.
        }
        throw BadValue.of("'" + text + "'", expected);
    }

    static double positive(String text) {
        try {
            double value = Double.parseDouble(text);
            if (value > 0 && value <= 1e9) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Falls through to the one message.
        }
        throw BadValue.of("'" + text + "'", POSITIVE);
    }
}
