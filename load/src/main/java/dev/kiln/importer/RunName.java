package dev.kiln.importer;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A RunName is the name of a run, as a path has it.
 *
 * @param variant empty where the name is a number or a time alone
 * @param number empty where runs of a variant are told apart by their times
 */
record RunName(Optional<String> variant, OptionalInt number) {
    /** {@code <variant>-<n>}, or {@code <variant>-run<n>}. */
    private static final Pattern NUMBERED = Pattern.compile("(.*?[^-])-(?:run[-_]?)?(\\d{1,4})");

    /** A date mostly has a time of day behind it: {@code 20260602090000123}, {@code 2026-06-02T09-00-00}. */
    private static final String DATE =
            "(\\d{4})[-_.]?(\\d\\d)[-_.]?(\\d\\d)(?:[-_.T]?\\d\\d[-_.:h]?\\d\\d(?:[-_.:m]?\\d\\d)?[sZ]?(?:[.,-]?\\d{3})?)?";

    /** {@code <variant>-<time>}, as Gatling names its folders; Gatling 2 has ms since 1970. */
    private static final Pattern STAMPED = Pattern.compile("(?:(.*?)[-_.])?(?:" + DATE + "|1\\d{12})");

    /** A number without a hyphen before it: {@code run1}, {@code spring_2}, {@code jdk21}. */
    private static final Pattern GLUED = Pattern.compile("(.*[^-_. \\d])[_ ]?(\\d{1,4})");

    /** A version at the end, maybe with a word behind it. */
    private static final Pattern VERSIONED = Pattern.compile("(.*?)[-_ ]?[vV]?\\d+(?:\\.\\d+)+(?:[.-]\\p{Alpha}\\w*)?");

    /** A number behind one of these words counts runs. */
    static final String RUN = "(?:run|rep|repetition|iteration|trial)";

    private static final Pattern COUNTING = Pattern.compile("(?i)(?:(.*?)[-_. ]+)?" + RUN);

    private static final Pattern PART = Pattern.compile("(?i)(?:.*[-_. ])?(?:phase|step|stage|part|segment)");

    private static final Pattern BARE_NUMBER = Pattern.compile("\\d{1,9}");

    static Optional<RunName> of(String name) {
        return read(name).filter(told -> told.variant().stream().noneMatch(RunName::isAbove));
    }

    /** Tells whether the name, as that of a folder, would lead out of the folder it is to be made in, or nowhere. */
    private static boolean isAbove(String variant) {
        return variant.equals(".") || variant.equals("..");
    }

    private static Optional<RunName> read(String name) {
        Matcher stamped = STAMPED.matcher(name);
        if (stamped.matches() && (stamped.group(2) == null || isDate(stamped))) {
            return Optional.of(new RunName(
                    Optional.ofNullable(stamped.group(1)).filter(variant -> !variant.isEmpty()), OptionalInt.empty()));
        }
        Matcher numbered = NUMBERED.matcher(name);
        return numbered.matches()
                ? Optional.of(new RunName(
                        Optional.of(numbered.group(1)), OptionalInt.of(Integer.parseInt(numbered.group(2)))))
                : Optional.empty();
    }

    /**
     * Returns the name of a file that is a run only because others beside it have the same name but for a number or a version at
     * the end, or are times as it is; empty for one that has none of these, or whose number counts the parts of a run.
     *
     * @param folder the name of the folder, which is the variant's where the file's name says only which run it is
     */
    static Optional<RunName> ofFile(String name, String folder) {
        if (isTime(name)) {
            return Optional.of(new RunName(Optional.of(folder).filter(of -> !of.isEmpty()), OptionalInt.empty()));
        }
        Matcher glued = GLUED.matcher(name);
        if (glued.matches()) {
            String before = glued.group(1);
            Matcher counting = COUNTING.matcher(before);
            String variant =
                    counting.matches() ? Optional.ofNullable(counting.group(1)).orElse(folder) : before;
            return PART.matcher(before).matches() || variant.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new RunName(Optional.of(variant), OptionalInt.of(Integer.parseInt(glued.group(2)))));
        }
        return VERSIONED.matcher(name).matches()
                ? Optional.of(new RunName(Optional.of(name), OptionalInt.empty()))
                : Optional.empty();
    }

    /** Tells whether the name, as that of a file, says itself that its number counts runs. */
    static boolean saysRun(String name) {
        Matcher glued = GLUED.matcher(name);
        return glued.matches() && COUNTING.matcher(glued.group(1)).matches();
    }

    /** Returns the name of a file without the number, the version or the time at its end. */
    static String withoutEnd(String name) {
        Matcher glued = GLUED.matcher(name);
        Matcher versioned = VERSIONED.matcher(name);
        return isTime(name) ? "" : glued.matches() ? glued.group(1) : versioned.matches() ? versioned.group(1) : name;
    }

    /** Returns the name of a folder that is a run only because there are others beside it. */
    static RunName ofFolder(String name) {
        return of(name).orElseGet(() -> new RunName(
                BARE_NUMBER.matcher(name).matches() ? Optional.empty() : Optional.of(name), OptionalInt.empty()));
    }

    /** Returns whether the name is a time alone, or one behind a variant's name. */
    static boolean isTime(String name) {
        return STAMPED.matcher(name).matches();
    }

    private static boolean isDate(Matcher form) {
        try {
            int year = Integer.parseInt(form.group(2));
            LocalDate.of(year, Integer.parseInt(form.group(3)), Integer.parseInt(form.group(4)));
            return year >= 1990 && year < 2100;
        } catch (DateTimeException e) {
            return false;
        }
    }
}
