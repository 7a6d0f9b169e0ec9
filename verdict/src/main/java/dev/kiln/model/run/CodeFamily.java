package dev.kiln.model.run;

import dev.kiln.model.run.CodeRules.CodeRule;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A CodeFamily is code of one purpose, such as log lines. It is told from the inner frames of a stack: those of the JDK down to
 * the first that is not the JDK's, and that one. What is further out says who serves the request, and a {@code Method.invoke}
 * there is no reflection.
 *
 * <p>Families are in the order in which one takes the work of another into its own: a line of a log takes a stack trace, a
 * class loader throws what it cannot find. The last three are all code that has none of these purposes.
 */
public enum CodeFamily {
    LOGGING("log lines", CodeRules.LOGGERS),
    CLASS_LOADING("class loading and initialisation", CodeRules.CLASSES),
    REFLECTION("reflection and method handles", CodeRules.MEMBERS),
    EXCEPTIONS("exceptions", CodeRules.THROWN),
    CRYPTOGRAPHY("cryptography and TLS", CodeRules.CRYPTOGRAPHY),
    REGULAR_EXPRESSIONS("regular expressions", CodeRules.REGULAR_EXPRESSIONS),
    SERIALISATION("JSON and other serialisation", CodeRules.FORMATS),
    DATABASE_DRIVER("the database driver", CodeRules.DRIVERS),
    NATIVE("other native code", CodeRule.NONE),
    APPLICATION("the application's own code", CodeRule.NONE),
    OTHER("other code", CodeRule.NONE);

    private final String words;

    @SuppressWarnings("ImmutableEnumChecker") // A constant of CodeRules.
    private final CodeRule rule;

    CodeFamily(String words, CodeRule rule) {
        this.words = words;
        this.rule = rule;
    }

    /** Returns the name that files use. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns what requests are in, while such code runs. */
    public String words() {
        return words;
    }

    /** Returns the family of that name; empty for a name that only a later version knows. */
    public static Optional<CodeFamily> named(String id) {
        return Arrays.stream(values()).filter(family -> family.id().equals(id)).findFirst();
    }

    /** Tells whether a program calls such code for one purpose, which is seldom what a request is for. */
    public boolean hasPurpose() {
        return compareTo(NATIVE) < 0;
    }

    /** Tells whether a frame by itself is of this family. */
    public boolean has(CodeFrame frame) {
        return rule.has(frame, false);
    }

    /**
     * Returns the family of a stack.
     *
     * @param frames from the innermost to the outermost
     */
    public static CodeFamily of(List<CodeFrame> frames) {
        List<CodeFrame> java = frames.stream().filter(CodeFrame::isJava).toList();
        boolean calling = !java.isEmpty() && CodeRules.CALLING.has(java.getFirst(), true);
        List<CodeFrame> inner = inner(frames);
        return Arrays.stream(values())
                .filter(CodeFamily::hasPurpose)
                .filter(family -> inner.stream().anyMatch(frame -> family.rule.has(frame, calling)))
                .findFirst()
                .orElseGet(() -> withoutPurpose(frames, java));
    }

    /** Returns the frames down to the first of Java that is not the JDK's. Code that is not Java's belongs to what called it. */
    private static List<CodeFrame> inner(List<CodeFrame> frames) {
        List<CodeFrame> jdk = frames.stream()
                .takeWhile(frame -> !frame.isJava() || frame.isJdk())
                .toList();
        return Stream.concat(jdk.stream(), frames.stream().skip(jdk.size()).limit(1))
                .toList();
    }

    private static CodeFamily withoutPurpose(List<CodeFrame> frames, List<CodeFrame> java) {
        if (!frames.isEmpty() && !frames.getFirst().isJava()) {
            return NATIVE;
        }
        // The library of a language works for whoever calls it, as the JDK does.
        return java.stream()
                .filter(frame -> !frame.isJdk() && !CodeRules.LANGUAGES.has(frame, false))
                .findFirst()
                .filter(frame -> !CodeRules.FRAMEWORKS.has(frame, false))
                .map(frame -> APPLICATION)
                .orElse(OTHER);
    }
}
