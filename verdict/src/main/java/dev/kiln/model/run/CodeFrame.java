package dev.kiln.model.run;

import java.util.List;

/**
 * A CodeFrame is one frame of a stack.
 *
 * @param type the class, with its package; empty for code that is not Java's
 */
public record CodeFrame(String type, String method) {
    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    /** Tells whether the code is Java's. */
    public boolean isJava() {
        return !type.isEmpty();
    }

    /** Tells whether the code is the JDK's and not that of a program. */
    public boolean isJdk() {
        return JDK.stream().anyMatch(type::startsWith);
    }

    @Override
    public String toString() {
        return type + "." + method;
    }
}
