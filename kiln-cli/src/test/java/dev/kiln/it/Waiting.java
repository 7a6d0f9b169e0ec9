package dev.kiln.it;

import java.util.function.BooleanSupplier;

/** Waits for a condition, however slow the machine is. */
final class Waiting {
    private static final long CEILING_SECONDS = 600;

    private Waiting() {}

    static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + CEILING_SECONDS * 1_000_000_000;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited " + CEILING_SECONDS + " s for " + what);
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }
    }
}
