package dev.kiln.runner;

import dev.kiln.model.StartupSpec.LogNumber;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The number that a program says of its own start. Times become milliseconds, whatever unit they are said in. */
final class LoggedNumber {
    private static final Pattern UNIT = Pattern.compile(
            "\\s*(ns|nanos(?:econds)?|us|\u00b5s|ms|millis(?:econds)?|s|secs?|seconds?|min|minutes?)\\b.*");

    /** A value with its unit; an empty unit is a bare number. */
    record Reading(double value, String unit) {}

    private final Pattern pattern;
    private final Optional<String> given;

    LoggedNumber(LogNumber number) {
        pattern = Pattern.compile(number.regex());
        given = number.unit();
    }

    /**
     * Of a line that the pattern is found in.
     *
     * @throws IllegalArgumentException when the group holds no number
     */
    Optional<Reading> in(String line) {
        Matcher found = pattern.matcher(line);
        if (!found.find()) {
            return Optional.empty();
        }
        String text = Optional.ofNullable(found.group(1)).orElse("");
        if (!text.matches("[+]?\\d{1,15}(?:\\.\\d{1,12})?")) {
            throw new IllegalArgumentException("'" + text + "' is no number, in the line: " + line);
        }
        Matcher behind = UNIT.matcher(line.substring(found.end(1)));
        String unit = given.orElseGet(() -> behind.matches() ? behind.group(1) : "");
        return Optional.of(inMillis(Double.parseDouble(text), unit));
    }

    private static Reading inMillis(double value, String unit) {
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "ns", "nanos", "nanoseconds" -> new Reading(value / 1e6, "ms");
            case "us", "\u00b5s" -> new Reading(value / 1e3, "ms");
            case "ms", "millis", "milliseconds" -> new Reading(value, "ms");
            case "s", "sec", "secs", "second", "seconds" -> new Reading(value * 1e3, "ms");
            case "min", "minute", "minutes" -> new Reading(value * 60e3, "ms");
            default -> new Reading(value, unit);
        };
    }
}
