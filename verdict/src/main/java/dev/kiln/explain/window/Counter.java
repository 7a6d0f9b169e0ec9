package dev.kiln.explain.window;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** A Counter is a total that grows evenly between its rows, whose times are ns since launch. */
@SuppressWarnings("ArrayRecordComponent")
public record Counter(long[] times, double[] values) {
    public static <T> Counter of(List<T> rows, ToLongFunction<T> time, ToDoubleFunction<T> value) {
        return new Counter(
                rows.stream().mapToLong(time).toArray(),
                rows.stream().mapToDouble(value).toArray());
    }

    /**
     * Returns the sum of two counters, at those rows of this one at which the other is known too.
     *
     * @param ahead by how many ns the clock of the other one is ahead of this one's
     */
    public Counter plus(Counter other, long ahead) {
        int[] both = IntStream.range(0, times.length)
                .filter(i -> !Double.isNaN(other.at(times[i] + ahead)))
                .toArray();
        return new Counter(
                Arrays.stream(both).mapToLong(i -> times[i]).toArray(),
                Arrays.stream(both)
                        .mapToDouble(i -> values[i] + other.at(times[i] + ahead))
                        .toArray());
    }

    public boolean isEmpty() {
        return times.length == 0;
    }

    /** Returns the time of the first of at least one row. */
    public long firstNanos() {
        return times[0];
    }

    /** Returns the time of the last of at least one row. */
    public long lastNanos() {
        return times[times.length - 1];
    }

    /** Returns the growth per ns between two moments; NaN where one of them is not between the first row and the last. */
    public double rate(Window window) {
        return (at(window.toNanos()) - at(window.fromNanos())) / (window.toNanos() - window.fromNanos());
    }

    /** Returns the growth per ns in the part of a window that has rows; empty where that is less than half of it. */
    public OptionalDouble rateWhereKnown(Window window) {
        if (isEmpty()) {
            return OptionalDouble.empty();
        }
        Window known = new Window(Math.max(window.fromNanos(), firstNanos()), Math.min(window.toNanos(), lastNanos()));
        return known.seconds() > 0 && 2 * known.seconds() >= window.seconds()
                ? OptionalDouble.of(rate(known))
                : OptionalDouble.empty();
    }

    /** Returns the counter at a time; NaN before the first row and after the last. */
    public double at(long time) {
        int next = firstFrom(time);
        if (next < times.length && times[next] == time) {
            return values[next];
        }
        if (next == 0 || next == times.length) {
            return Double.NaN;
        }
        double share = (double) (time - times[next - 1]) / (times[next] - times[next - 1]);
        return values[next - 1] + share * (values[next] - values[next - 1]);
    }

    /** Returns the window between the rows around an interval, within limits; of no length without rows. */
    public Window rows(long from, long to, Window limits) {
        int least = firstFrom(limits.fromNanos());
        int most = firstFrom(limits.toNanos() + 1) - 1;
        if (least > most) {
            return new Window(from, from);
        }
        return new Window(
                times[Math.clamp(firstFrom(from + 1) - 1, least, most)], times[Math.clamp(firstFrom(to), least, most)]);
    }

    private int firstFrom(long time) {
        int found = Arrays.binarySearch(times, time);
        return found >= 0 ? found : -found - 1;
    }
}
