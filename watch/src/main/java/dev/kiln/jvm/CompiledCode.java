package dev.kiln.jvm;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A CompiledCode is which methods have compiled code that may be entered, by the JVM's own list of it
 * ({@code Compiler.codelist}). A recording that begins late has no compilation of these.
 */
public final class CompiledCode {
    /** A line is an id, a level, a state, a method and addresses. State 0 is code in use, level 0 a wrapper of native code. */
    private static final Pattern IN_USE = Pattern.compile("\\d+ ([1-4]) 0 (\\S+)(?: .*)?");

    private CompiledCode() {}

    /** Returns each method with the highest level of its code; empty if no line has the form of code in use. */
    static Optional<Map<String, Integer>> parse(String list) {
        Map<String, Integer> levels = new HashMap<>();
        list.lines()
                .map(IN_USE::matcher)
                .filter(Matcher::matches)
                .forEach(line -> levels.merge(plain(line.group(2)), Integer.parseInt(line.group(1)), Math::max));
        return levels.isEmpty() ? Optional.empty() : Optional.of(levels);
    }

    /**
     * Returns the name by which a method is found: {@code class.method(parameters)result}, as in class files. The list and a
     * recording separate the number of a hidden class from its name in different ways, by a slash, a plus or a dot.
     */
    public static String plain(String method) {
        int parameters = Math.max(0, method.indexOf('('));
        return method.substring(0, parameters).replace('/', '.').replace('+', '.') + method.substring(parameters);
    }
}
