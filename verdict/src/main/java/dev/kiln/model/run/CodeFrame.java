package dev.kiln.model.run;

import java.util.List;

/**
 * A CodeFrame is one frame of a stack.
 *
 * @param type the class, with its package; empty for code that is not Java's
 */
public record CodeFrame(String type, String method) {
    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    /** The packages of libraries begin with one of these. */
    private static final List<String> ROOTS = List.of(".org.", ".com.", ".io.", ".net.", ".ch.");

    /** Tells whether the code is Java's. */
    public boolean isJava() {
        return !type.isEmpty();
    }

    /** Tells whether the code is the JDK's and not that of a program. */
    public boolean isJdk() {
        return JDK.stream().anyMatch(type::startsWith);
    }

    /**
     * Tells whether the class is of a library by the beginning of its name. A library that another one has taken into its own package is
     * known too: {@code wiremock.org.eclipse.jetty} is Jetty.
     */
    public boolean isOf(String library) {
        return type.startsWith(library) || original().startsWith(library);
    }

    private String original() {
        return ROOTS.stream().mapToInt(type::indexOf).filter(at -> at > 0).min().stream()
                .mapToObj(at -> type.substring(at + 1))
                .findFirst()
                .orElse(type);
    }

    @Override
    public String toString() {
        return type + "." + method;
    }
}
