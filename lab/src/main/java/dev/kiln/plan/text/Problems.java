package dev.kiln.plan.text;

import dev.kiln.model.KilnException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Problems are all that is wrong with one file: people would rather mend it once than once per error. */
public final class Problems {
    private static final String REMEDY = "docs/reference/experiment-file.md describes the form of the file.";

    private record Problem(Node.Place at, String message) {}

    private final String file;
    private final String remedy;
    private final List<Problem> problems = new ArrayList<>();

    /** Begins an empty list for an experiment file. */
    public Problems(String file) {
        this(file, REMEDY);
    }

    /**
     * Begins an empty list.
     *
     * @param remedy what to do about them
     */
    public Problems(String file, String remedy) {
        this.file = file;
        this.remedy = remedy;
    }

    /** Adds a problem once, however often it is found. */
    public void add(Node.Place at, String message) {
        Problem problem = new Problem(at, message);
        // Two variants may inherit one mistake.
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    void expected(Node node, String expected) {
        add(node.at(), BadValue.of(node.found(), expected).text());
    }

    /** Returns what {@code parse} makes, or empty with its complaint noted. */
    public <T> Optional<T> attempt(Node.Place at, String subject, Supplier<T> parse) {
        try {
            return Optional.of(parse.get());
        } catch (BadValue e) {
            add(at, subject + ": " + e.text());
            return Optional.empty();
        }
    }

    /** Returns what {@code parse} makes of the value of a command's option; the message names the option. */
    public static <T> T option(String name, String remedy, Supplier<T> parse) {
        try {
            return parse.get();
        } catch (BadValue e) {
            throw KilnException.usage(name + ": " + e.text(), remedy);
        }
    }

    public int count() {
        return problems.size();
    }

    /** Throws all problems as one exception, if there are some. */
    public void throwIfAny() {
        if (!problems.isEmpty()) {
            throw failure();
        }
    }

    /**
     * Returns one exception with all problems in the file's order, for a file of which nothing sensible can be made.
     */
    public KilnException failure() {
        List<String> lines = problems.stream()
                .sorted(Comparator.comparingInt((Problem problem) -> problem.at.line())
                        .thenComparingInt(problem -> problem.at.column()))
                .map(problem -> file + ":" + problem.at.line() + ": " + problem.message)
                .toList();
        return KilnException.usage(String.join("\n", lines), remedy);
    }

    /** A BadValue is a text that is not what it should be; whoever knows its place in the file adds that. */
    public static final class BadValue extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public BadValue(String message) {
            super(message, null, false, false);
        }

        /** Returns an exception with a message in the common form. */
        public static BadValue of(String found, String expected) {
            return new BadValue("found " + found + ", expected " + expected);
        }

        /** Returns the words for what is wrong, without the place. */
        public String text() {
            return String.valueOf(getMessage());
        }
    }
}
