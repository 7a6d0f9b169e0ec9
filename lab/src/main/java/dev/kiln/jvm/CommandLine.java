package dev.kiln.jvm;

import java.util.Optional;

/**
 * How a JVM was started, as it tells itself. It joins words by blanks without quoting.
 *
 * @param jvmArguments flags, those of the environment and of files included; empty where there are none
 * @param javaCommand main class or jar, and its arguments
 * @param classPath empty where there is none
 */
public record CommandLine(String jvmArguments, String javaCommand, String classPath) {
    /** Of the answer to {@code VM.command_line}. */
    static Optional<CommandLine> parse(String text) {
        return text.startsWith("VM Arguments:")
                ? Optional.of(new CommandLine(
                        behind(text, "jvm_args:"),
                        behind(text, "java_command:"),
                        behind(text, "java_class_path (initial):")))
                : Optional.empty();
    }

    private static String behind(String text, String label) {
        return text.lines()
                .filter(line -> line.startsWith(label))
                .findFirst()
                .map(line -> line.substring(label.length()).strip())
                .orElse("");
    }
}
