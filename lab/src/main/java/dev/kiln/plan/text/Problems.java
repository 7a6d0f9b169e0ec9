package dev.kiln.plan.text;

import dev.kiln.model.KilnException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Problems are all that is wrong with one file, or one command line: people would rather mend it once. */
public final class Problems {
    private static final String REMEDY = "kiln help experiment-file describes the form of the file";

    private record Problem(Spot at, String subject, String text) {}

    /** Flags have no order but that in which they are read. */
    private static final Comparator<Problem> ORDER = Comparator.comparingInt((Problem problem) -> problem.at.line())
            .thenComparingInt(problem -> problem.at instanceof Spot.OfFile place ? place.column() : 0);

    private final String file;
    private final String remedy;
    private final List<Problem> problems = new ArrayList<>();

    /** Begins an empty list for an experiment file. */
    public Problems(String file) {
        this(file, REMEDY);
    }

    /** Begins an empty list, with what to do about the problems. */
    public Problems(String file, String remedy) {
        this.file = file;
        this.remedy = remedy;
    }

    /** Begins an empty list for the flags of a command, with what to do about them. */
    public static Problems ofFlags(String remedy) {
        return new Problems("", remedy);
    }

    /** Adds a problem once, however often it is found. */
    public void add(Spot at, String text) {
        add(at, "", text);
    }

    /** Adds a problem of what a file calls by this name; a flag has a name of its own. */
    public void add(Spot at, String subject, String text) {
        Problem problem = new Problem(at, subject, text);
        // Two variants may inherit one mistake.
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    /** Adds that a node is not what was expected in its place. */
    public void expected(Node node, String subject, String expected) {
        add(node.at(), subject, BadValue.of(node.found(), expected).text());
    }

    /** Returns what {@code parse} makes, or empty with its complaint noted. */
    public <T> Optional<T> attempt(Spot at, String subject, Supplier<T> parse) {
        try {
            return Optional.of(parse.get());
        } catch (BadValue e) {
            add(at, subject, e.text());
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

    /** Returns one exception with all problems, for a file of which nothing sensible can be made. */
    public KilnException failure() {
        List<String> lines = problems.stream()
                .sorted(ORDER)
                .map(problem -> problem.at.message(file, problem.subject, problem.text))
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
