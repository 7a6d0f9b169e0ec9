package dev.kiln.plan.text;

import dev.kiln.model.experiment.Placeholders;
import dev.kiln.plan.text.Problems.BadValue;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the files a command names, before anything runs: a missing jar must not be discovered minutes into an
 * experiment. They become absolute, so that the command works in any working directory.
 */
public final class CommandPaths {
    private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path");

    private CommandPaths() {}

    /** @param base what relative paths are relative to */
    public static List<String> resolve(List<String> command, Path base) {
        given(command);
        List<String> resolved = new ArrayList<>();
        resolved.add(executable(command.getFirst(), base));
        for (int i = 1; i < command.size(); i++) {
            String word = command.get(i);
            resolved.add(CLASS_PATH.contains(command.get(i - 1)) ? classPath(word, base) : argument(word, base));
        }
        return resolved;
    }

    /** A command whose files are not this machine's. */
    public static List<String> given(List<String> command) {
        if (command.isEmpty() || command.getFirst().isEmpty()) {
            throw BadValue.of("an empty command", "an executable and its arguments");
        }
        return command;
    }

    private static String executable(String word, Path base) {
        // As in a shell, a word without a slash is looked up in the PATH, or in the variant's JDK.
        if (!word.contains("/") || hasPlaceholder(word)) {
            return word;
        }
        Path path = existing(word, base, "no such executable");
        if (!Files.isRegularFile(path) || !Files.isExecutable(path)) {
            throw new BadValue(path + " is not an executable file; try chmod +x " + ShellWords.quote(path.toString()));
        }
        return path.toString();
    }

    private static String classPath(String word, Path base) {
        return Arrays.stream(word.split(File.pathSeparator, -1))
                .map(part -> part.isEmpty() || hasPlaceholder(part) ? part : classPathPart(part, base))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String classPathPart(String part, Path base) {
        return part.endsWith(".jar")
                ? argument(part, base)
                : absolute(part, base).toString();
    }

    private static String argument(String word, Path base) {
        boolean jar = word.endsWith(".jar") && !word.startsWith("-") && !word.contains("=") && !hasPlaceholder(word);
        return jar ? existing(word, base, "no such jar").toString() : word;
    }

    /** @param complaint where there is none, such as {@code no such file} */
    public static Path existing(String text, Path base, String complaint) {
        Path path = absolute(text, base);
        if (!Files.exists(path)) {
            throw new BadValue(complaint + ": " + path);
        }
        return path;
    }

    private static Path absolute(String text, Path base) {
        return base.resolve(path(text)).toAbsolutePath().normalize();
    }

    /** Not looked for. */
    public static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw BadValue.of("'" + text + "'", "a path (" + e.getReason() + ")");
        }
    }

    /** One that exists. */
    public static Path directory(String text, Path base) {
        Path path = existing(text, base, "no such directory");
        if (!Files.isDirectory(path)) {
            throw BadValue.of("the file " + path, "a directory");
        }
        return path;
    }

    static Path jdk(String text, Path base) {
        Path home = existing(text, base, "no such directory");
        if (!Files.isExecutable(home.resolve("bin/java"))) {
            throw BadValue.of(home + " without bin/java", "the home directory of a JDK");
        }
        return home;
    }

    /** @param expected what kind of file it is to be */
    public static Path readable(String text, Path base, String expected) {
        Path path = existing(text, base, "no such file");
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw BadValue.of(path + ", which cannot be read", expected);
        }
        return path;
    }

    private static boolean hasPlaceholder(String word) {
        return !Placeholders.namesIn(word).isEmpty();
    }
}
