package dev.kiln.jvm;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Methods that wait to be compiled.
 *
 * @param c1 empty where there is no C1
 * @param c2 empty where there is no C2
 */
public record CompileQueues(OptionalInt c1, OptionalInt c2) {
    private static final String HEAD = " compile queue:";

    /** Of the answer to {@code Compiler.queue}: a head for each queue, then a line for each method or {@code Empty}. */
    static Optional<CompileQueues> parse(String text) {
        OptionalInt c1 = OptionalInt.empty();
        OptionalInt c2 = OptionalInt.empty();
        boolean any = false;
        String head = "";
        int length = 0;
        for (String line : (text + "\n" + HEAD).lines().toList()) {
            if (line.endsWith(HEAD)) {
                c1 = head.equals("C1") ? OptionalInt.of(length) : c1;
                c2 = head.equals("C2") || head.equals("JVMCI") ? OptionalInt.of(length) : c2;
                head = line.substring(0, line.length() - HEAD.length()).strip();
                length = 0;
            } else if (isMethod(line)) {
                length++;
            }
            any |= line.startsWith("Current compiles:");
        }
        return any || c1.isPresent() || c2.isPresent() ? Optional.of(new CompileQueues(c1, c2)) : Optional.empty();
    }

    /** It begins with the number of its compilation. */
    private static boolean isMethod(String line) {
        String stripped = line.stripLeading();
        return !stripped.isEmpty() && Character.isDigit(stripped.charAt(0));
    }
}
