package dev.kiln.model;

import java.util.OptionalDouble;

/**
 * How many runs each variant gets.
 *
 * @param atLeast blocks that are run in any case
 * @param atMost blocks after which it ends, decided or not; equal to {@code atLeast} for a fixed number
 * @param width relative width of the interval, 0.05 for 5 %, at which no further block is added; empty for a fixed number
 * @param repeat whether a run waits until the target's CPUs are quiet, and is made again if the machine spoiled it
 */
public record Runs(int atLeast, int atMost, OptionalDouble width, boolean repeat) {
    public Runs(int atLeast, int atMost, OptionalDouble width) {
        this(atLeast, atMost, width, true);
    }

    public static Runs fixed(int runs) {
        return new Runs(runs, runs, OptionalDouble.empty());
    }

    public boolean adaptive() {
        return width.isPresent();
    }

    /** The same number, with repeats or without. */
    public Runs withRepeats(boolean wanted) {
        return new Runs(atLeast, atMost, width, wanted);
    }
}
