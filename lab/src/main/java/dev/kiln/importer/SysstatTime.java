package dev.kiln.importer;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The time at the beginning of a row: {@code 05:01:16 PM}, {@code 17:01:16}, or seconds since 1970. */
final class SysstatTime {
    private static final Pattern FORM =
            Pattern.compile("(?:(\\d\\d):(\\d\\d):(\\d\\d)(?: ([AP])M)?|(\\d{9,11}))\\s.*", Pattern.DOTALL);

    private SysstatTime() {}

    /** Seconds of the day, or since 1970; empty for a line that does not begin so. */
    static Optional<Long> of(String line) {
        Matcher form = FORM.matcher(line);
        if (!form.matches()) {
            return Optional.empty();
        }
        if (form.group(5) != null) {
            return Optional.of(Long.parseLong(form.group(5)));
        }
        long hour = Long.parseLong(form.group(1));
        if (form.group(4) != null) {
            hour = hour % 12 + (form.group(4).equals("P") ? 12 : 0);
        }
        return Optional.of(hour * 3600 + Long.parseLong(form.group(2)) * 60 + Long.parseLong(form.group(3)));
    }
}
