package dev.kiln.importer.sysstat;

import dev.kiln.importer.format.SystemLog.LogMachine;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sysstat reads what the sysstat programs (pidstat, mpstat) print alike: a first line, and times. */
final class Sysstat {
    /**
     * {@code 05:01:16 PM}, {@code 17:01:16}, or seconds since 1970. In other languages the parts of a time of day stand between
     * other signs, and the half of the day has other words.
     */
    private static final Pattern FORM = Pattern.compile(
            "\\s*(?:(\\d{9,11})(?=\\s)|(?:(\\p{L}[\\p{L}.]{0,4})\\s?)?(\\d{1,2})([:.,hH]|\\s?\\p{Lo}\\s?)(\\d\\d)(?:\\4|[:.,mM]|\\s?\\p{Lo}\\s?)(\\d\\d)(?:\\s?\\p{Lo}|s)?"
                    + "(?:\\s(\\p{L}[\\p{L}.]{1,4}))?(?=\\s|$))",
            Pattern.DOTALL);

    /** The second half of the day, in the languages of the C library that have it. */
    private static final Set<String> PM = Set.of("pm", "p.m.", "下午", "午後", "오후", "μμ");

    private static final Set<String> AM = Set.of("am", "a.m.", "上午", "午前", "오전", "πμ");

    /** The means at the end of a log, in any language: a word before a colon where a row has its time. */
    private static final Pattern MEANS = Pattern.compile("\\p{L}[\\p{L}\\p{M}. \u00a0]{0,24}[:：].*", Pattern.DOTALL);

    private Sysstat() {}

    /** A Stamp is the time that begins a line, in seconds of the day or since 1970, and its characters. */
    record Stamp(long seconds, int length) {}

    /** Tells whether the line is one of the means over all samples. */
    static boolean isMean(String line) {
        return MEANS.matcher(line).matches() && stamp(line).isEmpty();
    }

    /** Reads the time at the beginning of a row: seconds of the day, or since 1970; empty for a line that does not begin so. */
    static Optional<Long> time(String line) {
        return stamp(line).map(Stamp::seconds);
    }

    static Optional<Stamp> stamp(String line) {
        Matcher form = FORM.matcher(line);
        if (!form.lookingAt()) {
            return Optional.empty();
        }
        if (form.group(1) != null) {
            return Optional.of(new Stamp(Long.parseLong(form.group(1)), form.end()));
        }
        String before = half(form.group(2));
        String after = half(form.group(7));
        boolean halves = PM.contains(before) || AM.contains(before) || PM.contains(after) || AM.contains(after);
        if (!before.isEmpty() && !halves) {
            return Optional.empty();
        }
        long hour = Long.parseLong(form.group(3));
        long minute = Long.parseLong(form.group(5));
        long second = Long.parseLong(form.group(6));
        if (hour > 23 || minute > 59 || second > 60 || (halves && (hour < 1 || hour > 12))) {
            return Optional.empty();
        }
        if (halves) {
            hour = hour % 12 + (PM.contains(before) || PM.contains(after) ? 12 : 0);
        }
        boolean word = PM.contains(after) || AM.contains(after);
        // A word behind the time that is no half of the day is the first column's name.
        int end = form.group(7) == null || word ? form.end() : form.start(7) - 1;
        return Optional.of(new Stamp(hour * 3600 + minute * 60 + second, end));
    }

    private static String half(@Nullable String word) {
        return word == null ? "" : word.toLowerCase(Locale.ROOT);
    }

    /**
     * A SysstatHead is the first line of what the sysstat programs print: {@code Linux 6.1.0 (host) \t06/02/2026
     * \t_x86_64_\t(64 CPU)}.
     *
     * @param date empty where it is missing, or could be read in two ways
     */
    record SysstatHead(LogMachine machine, Optional<LocalDate> date) {
        static final SysstatHead NONE = new SysstatHead(LogMachine.UNKNOWN, Optional.empty());

        private static final Pattern ISO = Pattern.compile(
                "(?<!\\d)(\\d{4})(?:-|\\p{Lo}\\s?|[./](?=\\d\\d[./]))(\\d\\d)(?:[-./]|\\p{Lo}\\s?)(\\d\\d)(?!\\d)");
        private static final Pattern SLASHES = Pattern.compile("(?<!\\d)(\\d\\d)/(\\d\\d)/(\\d{4}|\\d\\d)(?!\\d)");
        private static final Pattern DOTS = Pattern.compile("(?<!\\d)(\\d\\d)\\.(\\d\\d)\\.(\\d{4}|\\d\\d)(?!\\d)");
        private static final Pattern CPUS = Pattern.compile("\\((\\d{1,5}) CPU\\)");

        static SysstatHead of(String line) {
            String[] words = line.split("\\s+", 3);
            Matcher cpus = CPUS.matcher(line);
            return new SysstatHead(
                    new LogMachine(
                            words.length > 1 ? words[0] + " " + words[1] : "",
                            cpus.find() ? OptionalInt.of(Integer.parseInt(cpus.group(1))) : OptionalInt.empty()),
                    date(line));
        }

        static Optional<LocalDate> date(String line) {
            Matcher iso = ISO.matcher(line);
            if (iso.find()) {
                return date(iso.group(1), iso.group(2), iso.group(3));
            }
            Matcher dots = DOTS.matcher(line);
            if (dots.find()) {
                return date(dots.group(3), dots.group(2), dots.group(1));
            }
            Matcher slashes = SLASHES.matcher(line);
            if (!slashes.find()) {
                return Optional.empty();
            }
            // American in the locales C and en_US, the day first in others: only one reading may make sense.
            Optional<LocalDate> american = date(slashes.group(3), slashes.group(1), slashes.group(2));
            Optional<LocalDate> british = date(slashes.group(3), slashes.group(2), slashes.group(1));
            return american.isPresent() && british.isPresent() && !american.equals(british)
                    ? Optional.empty()
                    : american.or(() -> british);
        }

        private static Optional<LocalDate> date(String year, String month, String day) {
            try {
                int y = Integer.parseInt(year);
                return Optional.of(
                        LocalDate.of(y < 100 ? 2000 + y : y, Integer.parseInt(month), Integer.parseInt(day)));
            } catch (DateTimeException e) {
                return Optional.empty();
            }
        }
    }

    /**
     * A DayClock turns times of day, as logs print them, into seconds that grow over midnight. They count from the date's
     * midnight as if the zone were UTC; without a date from the first day's midnight.
     */
    static final class DayClock {
        private static final long DAY = 86_400;

        private long midnight;
        private long last = Long.MIN_VALUE;

        /** Takes a new head of a log: its date, if it has one, is that of the next time. */
        void date(SysstatHead head) {
            head.date().map(LocalDate::toEpochDay).ifPresent(day -> midnight = day * DAY);
        }

        /** Seconds of a time that is not before the one before it; -1 if it is. */
        long forward(long secondOfDay) {
            long seconds = near(secondOfDay);
            if (seconds < last) {
                return -1;
            }
            last = seconds;
            midnight = Math.floorDiv(seconds, DAY) * DAY;
            return seconds;
        }

        /** Seconds of a time that stands before those it is followed by, as in a header. */
        long before(long secondOfDay) {
            long seconds = near(secondOfDay);
            last = last == Long.MIN_VALUE ? seconds : last;
            return seconds;
        }

        /** Tells whether seconds are those since 1970, which are more than a day has and need no date. */
        static boolean isAbsolute(long seconds) {
            return seconds > DAY;
        }

        private long near(long secondOfDay) {
            if (isAbsolute(secondOfDay)) {
                return secondOfDay;
            }
            long seconds = midnight + secondOfDay;
            if (last == Long.MIN_VALUE) {
                return seconds;
            }
            if (seconds < last - DAY / 2) {
                return seconds + DAY;
            }
            return seconds > last + DAY / 2 ? seconds - DAY : seconds;
        }

        /** Takes a time since 1970, which needs no date. */
        long absolute(long seconds) {
            if (seconds < last) {
                return -1;
            }
            last = seconds;
            return seconds;
        }
    }
}
