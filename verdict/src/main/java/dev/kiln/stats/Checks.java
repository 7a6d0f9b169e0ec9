package dev.kiln.stats;

/** Checks reject parameters that are out of their range, with the parameter's name in the message. */
public final class Checks {
    private Checks() {}

    public static void positive(String name, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + " must be finite and greater than 0: " + value);
        }
    }

    public static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ": " + value);
        }
    }

    /** Requires a value strictly between 0 and 1. */
    public static void share(String name, double value) {
        if (!(value > 0 && value < 1)) {
            throw new IllegalArgumentException(name + " must be between 0 and 1: " + value);
        }
    }
}
