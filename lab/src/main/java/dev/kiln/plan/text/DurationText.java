package dev.kiln.plan.text;

import dev.kiln.model.load.Sending.Slo;
import dev.kiln.plan.text.Problems.BadValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** DurationText reads durations as people write them, {@code 1m 30s}, and writes {@code 1 min 30 s}. */
public final class DurationText {
    public static final String EXPECTED = "a duration above zero such as 500ms, 20s, 2m or 1m30s";

    public static final String SLO_EXPECTED = "a percentile and the latency below it such as 'p99 < 200ms'";

    private static final Pattern SLO = Pattern.compile("p(\\d{1,3}(?:\\.\\d{1,3})?)\\s*<=?\\s*(.+)");
    private static final Pattern PART = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\s*(ms|s|min|m|h)\\s*");

    /** The longest duration is a year: a longer one is a slip, and would not fit the nanoseconds of the evidence. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private DurationText() {}

    /** Reads {@code 1m 30s}. */
    public static Duration parse(String text) {
        String rest = text.strip();
        Matcher part = PART.matcher(rest);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (end < rest.length() && part.region(end, rest.length()).lookingAt()) {
            sum = sum.plusNanos(Math.round(Math.min(1e17, Double.parseDouble(part.group(1)) * nanos(part.group(2)))));
            end = part.end();
        }
        if (end == 0 || end < rest.length() || sum.isZero() || sum.compareTo(LONGEST) > 0) {
            throw BadValue.of("'" + text + "'", EXPECTED);
        }
        return sum;
    }

    /** Reads a latency to keep: {@code p99 < 200ms}. */
    public static Slo slo(String text) {
        Matcher words = SLO.matcher(text.strip());
        if (!words.matches() || Double.parseDouble(words.group(1)) > 100 || Double.parseDouble(words.group(1)) <= 0) {
            throw BadValue.of("'" + text + "'", SLO_EXPECTED);
        }
        return new Slo(Double.parseDouble(words.group(1)), parse(words.group(2)));
    }

    /** Reads the value of a command's option. */
    public static Duration option(String name, String text) {
        return Problems.option(name, "", () -> parse(text));
    }

    private static double nanos(String unit) {
        return switch (unit) {
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "h" -> 3600e9;
            default -> 60e9;
        };
    }

    /** Writes {@code 1 min 30 s}. */
    public static String show(Duration duration) {
        List<String> parts = new ArrayList<>();
        add(parts, duration.toHours(), "h");
        add(parts, duration.toMinutesPart(), "min");
        add(parts, duration.toSecondsPart(), "s");
        add(parts, duration.toMillisPart(), "ms");
        return parts.isEmpty() ? "0 s" : String.join(" ", parts);
    }

    /** Writes an estimate, rounded up: to 10 s, from 90 s on to whole minutes, and from two hours on to 10 min. */
    public static String round(Duration duration) {
        long seconds = Math.max(1, duration.plusNanos(999_999_999).toSeconds());
        long step = step(seconds);
        return show(Duration.ofSeconds(Math.ceilDiv(seconds, step) * step));
    }

    /** Shows a duration that is as likely to be shorter as it is to be longer: as {@link #round}, but to the nearest step. */
    public static String about(Duration duration) {
        long seconds = duration.toSeconds();
        long step = step(seconds);
        return show(Duration.ofSeconds(Math.max(1, (seconds + step / 2) / step) * step));
    }

    private static long step(long seconds) {
        return seconds <= 90 ? 10 : seconds <= 7200 ? 60 : 600;
    }

    private static void add(List<String> parts, long amount, String unit) {
        if (amount > 0) {
            parts.add(amount + " " + unit);
        }
    }
}
