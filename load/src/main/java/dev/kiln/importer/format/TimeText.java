package dev.kiln.importer.format;

import dev.kiln.text.Show;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** TimeText reads times in the cells of a table, in ns since 1970 or since the table's own beginning. */
public final class TimeText {
    /** Powers of ten that a unit has in ns. */
    public static final Map<String, Integer> POWERS = Map.of("s", 9, "ms", 6, "us", 3, "ns", 0);

    /** Minutes and hours, in seconds. */
    private static final Map<String, Long> LONGER = Map.of("min", 60L, "h", 3600L);

    private static final Pattern NUMBER = Pattern.compile("\\d{1,19}(?:\\.\\d{1,20})?(?:[eE][+-]?\\d{1,2})?");
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE / 4);

    /**
     * A time whose last digit is worth more than a second was rounded, as {@code 1.78039E+12} of a spreadsheet. Java writes its
     * exponents without a plus and with all digits: {@code 1.7803908E12} is exact.
     */
    private static final int COARSEST = -9;

    /**
     * ISO 8601, and as spreadsheets, dashboards, Java and Go write it: a blank before the time of day, no zone, a comma before ms, the
     * name of the zone behind its offset.
     */
    private static final Pattern DATED = Pattern.compile(
            "(\\d{4})[-/](\\d\\d)[-/](\\d\\d)[T ](\\d\\d:\\d\\d(?::\\d\\d)?)(?:[.,](\\d{1,9}))?\\s?(?:(Z|UTC|GMT|[+-]\\d\\d(?::?\\d\\d)?)(?:\\[[\\w/+-]+\\]| [A-Z]{3,5})?)?");

    /** The same in one run of digits, as databases and batch programs write it: a minute, a second, or a ms of three digits more. */
    private static final Pattern COMPACT = Pattern.compile(
            "((?:19|20)\\d\\d)(0[1-9]|1[0-2])([0-3]\\d)[T_ -]?([01]\\d|2[0-3])([0-5]\\d)(?:([0-5]\\d)(?:(?:[.,]|(?=\\d{3}(?:\\D|$)))(\\d{1,9}))?)?\\s?(Z|UTC|GMT|[+-]\\d\\d(?::?\\d\\d)?)?");

    /** The unit of times of day without a date. */
    public static final String OF_DAY = "time of day";

    /** A time of day, as spreadsheets write it; a time that has passed may have more hours than a day. */
    private static final Pattern CLOCK = Pattern.compile(
            "(\\d{1,3}):([0-5]\\d):([0-5]\\d)(?:[.,](\\d{1,9}))?(?:\\s?([AP])\\.?M\\.?)?", Pattern.CASE_INSENSITIVE);

    /** The sign for micro may be either of two. */
    private static final Pattern GO_LENGTH = Pattern.compile(
            "(?:(\\d{1,6})(h))?(?:(\\d{1,6})(m)(?!s))?(?:(\\d{1,9}(?:\\.\\d{1,9})?)(ns|us|[\u00b5\u03bc]s|ms|s))?");

    private TimeText() {}

    /** Reads a time in {@code iso}, {@link #OF_DAY} or {@link #POWERS}, by a zone if it lacks one; else empty. */
    public static OptionalLong nanos(String text, String unit, ZoneId zone) {
        String plain = text.strip();
        if (unit.equals("iso")) {
            return dated(plain, zone, false);
        }
        if (unit.equals(OF_DAY)) {
            return ofDay(plain);
        }
        if (!NUMBER.matcher(plain).matches()) {
            return OptionalLong.empty();
        }
        BigDecimal told = new BigDecimal(plain);
        int power = POWERS.getOrDefault(unit, 9);
        BigDecimal nanos =
                told.multiply(BigDecimal.valueOf(LONGER.getOrDefault(unit, 1L))).movePointRight(power);
        boolean rounded = plain.indexOf('+') >= 0 && told.scale() - power < COARSEST;
        return nanos.compareTo(MOST) > 0 || rounded ? OptionalLong.empty() : OptionalLong.of(nanos.longValue());
    }

    /** Returns the second of two times that a local time can be in the hour after summer ended; the only one of any other. */
    public static OptionalLong second(String text, ZoneId zone) {
        return dated(text.strip(), zone, true);
    }

    private static OptionalLong ofDay(String text) {
        Matcher form = CLOCK.matcher(text);
        if (!form.matches()) {
            return OptionalLong.empty();
        }
        boolean halves = form.group(5) != null;
        int hour = Integer.parseInt(form.group(1));
        if (halves && (hour < 1 || hour > 12)) {
            return OptionalLong.empty();
        }
        int ofDay = halves ? hour % 12 + (form.group(5).equalsIgnoreCase("P") ? 12 : 0) : hour;
        long seconds = ofDay * 3600L + Integer.parseInt(form.group(2)) * 60L + Integer.parseInt(form.group(3));
        String fraction = form.group(4) == null ? "0" : form.group(4);
        return OptionalLong.of(
                new BigDecimal(seconds + "." + fraction).movePointRight(9).longValue());
    }

    /** Reads a time in ISO 8601, in ns since 1970. */
    public static long iso(Lines lines, String stamp) {
        return TimeText.nanos(stamp, "iso", ZoneOffset.UTC)
                .orElseThrow(() -> lines.malformed(
                        "'" + Show.brief(stamp, 30) + "' for the time", "a time such as 2026-01-02T03:04:05.678Z"));
    }

    /** Reads a decimal figure, whose unit has a power of ten in ns: 9 for seconds, 6 for ms. */
    public static long nanos(Lines lines, String text, int power) {
        String unit = switch (power) {
            case 9 -> "s";
            case 6 -> "ms";
            case 3 -> "us";
            default -> "ns";
        };
        return TimeText.nanos(text, unit, ZoneOffset.UTC)
                .orElseThrow(() -> lines.malformed(
                        "'" + Show.brief(text.strip(), 30) + "'", "a time as a number that is not negative"));
    }

    /** Returns a length of time in ns that a program printed in ns, us, ms, s or secs, in minutes (m, min) or in hours (h, hr). */
    public static long length(String figure, String unit) {
        long each = switch (unit) {
            case "ns" -> 1L;
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "10 sec" -> 10_000_000_000L;
            case "m", "min" -> 60_000_000_000L;
            case "10 min" -> 600_000_000_000L;
            case "h", "hr" -> 3_600_000_000_000L;
            default -> 1_000_000_000L;
        };
        return new BigDecimal(figure).multiply(BigDecimal.valueOf(each)).longValue();
    }

    /** Returns a length of time in ns as Go and k6 print it, such as {@code 1m2.5s} or {@code 350.1µs}; empty for another form. */
    public static OptionalLong goLength(String text) {
        Matcher form = GO_LENGTH.matcher(text);
        if (text.isEmpty() || !form.matches()) {
            return OptionalLong.empty();
        }
        long nanos = 0;
        for (int i = 1; i <= 5; i += 2) {
            if (form.group(i) != null) {
                String unit = form.group(i + 1).replaceFirst("^[µμ]", "u");
                nanos += length(form.group(i), unit);
            }
        }
        return OptionalLong.of(nanos);
    }

    /** Returns the unit in which the text can be a time: seconds have ten digits before the point until the year 2286. */
    public static String unit(String text) {
        String plain = text.strip();
        if (COMPACT.matcher(plain).matches()) {
            return "iso";
        }
        if (!NUMBER.matcher(plain).matches()) {
            return CLOCK.matcher(plain).matches() ? OF_DAY : "iso";
        }
        int digits = new BigDecimal(plain).toBigInteger().toString().length();
        return digits >= 19 ? "ns" : digits >= 16 ? "us" : digits >= 13 ? "ms" : "s";
    }

    /** Returns in words what a time in a unit looks like. */
    public static String example(String unit) {
        return switch (unit) {
            case "iso" -> "a time such as 2026-01-02T03:04:05.678Z";
            case OF_DAY -> "a time of day such as 12:00:05";
            default -> "a number that is not negative";
        };
    }

    /** Tells whether a time has no zone. */
    public static boolean isLocal(String text) {
        Matcher form = DATED.matcher(spread(text.strip()));
        return form.matches() && form.group(6) == null;
    }

    /** @param second whether the second of two possible times is meant */
    private static OptionalLong dated(String text, ZoneId zone, boolean second) {
        Matcher form = DATED.matcher(spread(text));
        if (!form.matches()) {
            return OptionalLong.empty();
        }
        String time = form.group(4).length() == 5 ? form.group(4) + ":00" : form.group(4);
        String fraction = form.group(5) == null ? "" : "." + form.group(5);
        String local = form.group(1) + "-" + form.group(2) + "-" + form.group(3) + "T" + time + fraction;
        try {
            String offset = form.group(6);
            Instant instant = offset == null
                    ? inZone(LocalDateTime.parse(local).atZone(zone), second).toInstant()
                    : OffsetDateTime.parse(local + offset(offset)).toInstant();
            return OptionalLong.of(
                    Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano()));
        } catch (DateTimeException | ArithmeticException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns a time of digits alone with the signs between them; any other text as it is. */
    private static String spread(String text) {
        Matcher form = COMPACT.matcher(text);
        if (!form.matches()) {
            return text;
        }
        String second = form.group(6) == null ? "" : ":" + form.group(6);
        String fraction = form.group(7) == null ? "" : "." + form.group(7);
        String zone = form.group(8) == null ? "" : form.group(8);
        return form.group(1) + "-" + form.group(2) + "-" + form.group(3) + "T" + form.group(4) + ":" + form.group(5)
                + second + fraction + zone;
    }

    private static String offset(String told) {
        return switch (told.length()) {
            case 3 -> told.matches("[A-Z]+") ? "Z" : told + ":00";
            case 5 -> told.substring(0, 3) + ":" + told.substring(3);
            default -> told;
        };
    }

    private static ZonedDateTime inZone(ZonedDateTime first, boolean second) {
        return second ? first.withLaterOffsetAtOverlap() : first;
    }
}
