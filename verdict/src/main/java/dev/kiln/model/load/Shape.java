package dev.kiln.model.load;

import java.util.Locale;

/**
 * A Shape says how the load of a phase changes from its beginning to its end.
 *
 * @param from at the beginning; of a slow start the least share
 * @param to at the end
 * @param steps of equal length; 1 for any other kind
 * @param aggression of a slow start; 1 for any other kind
 */
public record Shape(ShapeKind kind, Of of, double from, double to, int steps, double aggression) {
    /** A ShapeKind is the curve that the load follows. */
    public enum ShapeKind {
        RAMP,
        STEPS,
        SLOW_START
    }

    /** The quantity that changes, and the unit of {@code from} and {@code to}. */
    public enum Of {
        CONNECTIONS,
        /** The rate of the load changes, in requests per second. */
        RATE,
        /** The share of the load's own rate changes, or of its connections where it has no rate; 1 is all of it. */
        SHARE
    }

    public static Shape ramp(Of of, double from, double to) {
        return new Shape(ShapeKind.RAMP, of, from, to, 1, 1);
    }

    /** Makes a load in steps: the first is at {@code from}, the last at {@code to}. */
    public static Shape steps(Of of, double from, double to, int steps) {
        return new Shape(ShapeKind.STEPS, of, from, to, steps, 1);
    }

    /** Makes the load that Envoy and Istio send to a new endpoint: the phase is their slow-start window. */
    public static Shape slowStart(double aggression, double least) {
        return new Shape(ShapeKind.SLOW_START, Of.SHARE, least, 1, 1, aggression);
    }

    public double most() {
        return Math.max(from, to);
    }

    /**
     * Returns the value at a moment, in the unit of what changes. A slow start follows Envoy's formula: {@code
     * max(least, (max(t, 1 s) / window) ^ (1 / aggression))}.
     *
     * @param seconds since the phase began
     * @param length of the phase, in seconds
     */
    public double at(double seconds, double length) {
        double elapsed = Math.clamp(seconds / length, 0, 1);
        return switch (kind) {
            case RAMP -> from + (to - from) * elapsed;
            case STEPS -> from + (to - from) * Math.min(steps - 1, Math.floor(elapsed * steps)) / (steps - 1);
            case SLOW_START -> Math.max(from, Math.pow(Math.min(1, Math.max(seconds, 1) / length), 1 / aggression));
        };
    }

    /** Tells whether the shape changes the rate of a load, rather than the number of connections that send. */
    public boolean changesRate(LoadSpec load) {
        return of == Of.RATE || (of == Of.SHARE && load.rate().isPresent());
    }

    /** Returns the rate at a moment, in requests per second; only where the shape changes the rate. */
    public double rate(LoadSpec load, double seconds, double length) {
        double unit = of == Of.RATE ? 1 : load.rate().orElse(0);
        return unit * at(seconds, length);
    }

    /** Returns how many connections may send at a moment: at least one. */
    public int connections(LoadSpec load, double seconds, double length) {
        if (changesRate(load)) {
            return load.connections();
        }
        double unit = of == Of.SHARE ? load.connections() : 1;
        return Math.clamp((long) Math.ceil(unit * at(seconds, length)), 1, load.connections());
    }

    /** Returns the shape in words, without the phase's length. */
    public String text() {
        return switch (kind) {
            case RAMP -> range();
            case STEPS -> range() + " in " + steps + " steps";
            case SLOW_START ->
                "slow start from " + number(100 * from) + " %"
                        + (aggression == 1 ? "" : ", aggression " + number(aggression));
        };
    }

    private String range() {
        return switch (of) {
            case CONNECTIONS -> number(from) + " to " + number(to) + " connections";
            case RATE -> number(from) + " to " + number(to) + " requests per second";
            case SHARE -> number(100 * from) + " to " + number(100 * to) + " % of the load";
        };
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.3g", value);
    }
}
