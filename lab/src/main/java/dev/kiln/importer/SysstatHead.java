package dev.kiln.importer;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first line of what the sysstat programs print: {@code Linux 6.1.0 (host) \t06/02/2026 \t_x86_64_\t(64 CPU)}.
 *
 * @param date empty where it is missing, or could be read in two ways
 */
record SysstatHead(String kernel, Optional<LocalDate> date, OptionalInt cpus) {
    static final SysstatHead NONE = new SysstatHead("", Optional.empty(), OptionalInt.empty());

    private static final Pattern ISO = Pattern.compile("(?<!\\d)(\\d{4})-(\\d\\d)-(\\d\\d)(?!\\d)");
    private static final Pattern SLASHES = Pattern.compile("(?<!\\d)(\\d\\d)/(\\d\\d)/(\\d{4}|\\d\\d)(?!\\d)");
    private static final Pattern DOTS = Pattern.compile("(?<!\\d)(\\d\\d)\\.(\\d\\d)\\.(\\d{4}|\\d\\d)(?!\\d)");
    private static final Pattern CPUS = Pattern.compile("\\((\\d{1,5}) CPU\\)");

    static SysstatHead of(String line) {
        String[] words = line.split("\\s+", 3);
        Matcher cpus = CPUS.matcher(line);
        return new SysstatHead(
                words.length > 1 ? words[0] + " " + words[1] : "",
                date(line),
                cpus.find() ? OptionalInt.of(Integer.parseInt(cpus.group(1))) : OptionalInt.empty());
    }

    private static Optional<LocalDate> date(String line) {
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
            return Optional.of(LocalDate.of(y < 100 ? 2000 + y : y, Integer.parseInt(month), Integer.parseInt(day)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
