package dev.kiln.stats;

/** Ranges of parameters. */
final class Checks {
    private Checks() {}

    static void positive(String name, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + " must be finite and greater than 0: " + value);
        }
    }

    static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ": " + value);
        }
    }

    /** Strictly between 0 and 1. */
    static void share(String name, double value) {
        if (!(value > 0 && value < 1)) {
            throw new IllegalArgumentException(name + " must be between 0 and 1: " + value);
        }
    }
}
