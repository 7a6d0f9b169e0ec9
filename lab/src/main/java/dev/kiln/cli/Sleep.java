package dev.kiln.cli;

import java.time.Duration;

/** Sleeps; false when it was interrupted. */
final class Sleep {
    private Sleep() {}

    static boolean of(Duration duration) {
        try {
            Thread.sleep(duration);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
