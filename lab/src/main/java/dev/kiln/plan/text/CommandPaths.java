package dev.kiln.plan.text;

import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.text.PathText;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * CommandPaths searches for the files that a command names, before anything runs: a missing jar must not be discovered
 * minutes into an experiment. It knows the executable, and of {@code java} the options before the main class or jar.
 * The words stay as they are typed: what the program makes of its arguments, only the program knows.
 */
public final class CommandPaths {
    private static final Set<String> CLASS_PATH =
            Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path");

    /** The pattern finds an agent's path, up to its options. */
    private static final Pattern AGENT = Pattern.compile("-(?:javaagent|agentpath):(?<path>[^=]+).*");

    private CommandPaths() {}

    /** A FileRole is the part that a file plays in a command, with the complaint if the file is missing. */
    private enum FileRole {
        EXECUTABLE("no such executable"),
        JAR("no such jar"),
        /** A folder of classes, or a pattern of jars, may be missing: a JVM takes no notice. */
        CLASSES(""),
        AGENT("no such agent"),
        ARGUMENTS("no such file of arguments"),
        SOURCE("no such source file");

        private final String complaint;

        FileRole(String complaint) {
            this.complaint = complaint;
        }
    }

    /** A NamedFile is a file that a command names, as it was typed, without placeholders. */
    private record NamedFile(FileRole role, String path) {}

    /** Returns the same command after a check that its files are there, run in this directory. */
    public static List<String> checked(List<String> command, Path directory) {
        return checked(command, directory, directory);
    }

    /** Returns the same; some would expect it to run in the folder of the file that it is written in. */
    public static List<String> checked(List<String> command, Path directory, Path written) {
        for (NamedFile named : named(given(command))) {
            Path path = absolute(named.path, directory);
            if (named.role != FileRole.CLASSES && !Files.exists(path)) {
                throw new BadValue(named.role.complaint + ": " + path + elsewhere(named.path, directory, written));
            }
            if (named.role == FileRole.EXECUTABLE && (!Files.isRegularFile(path) || !Files.isExecutable(path))) {
                throw new BadValue(
                        path + " is not an executable file; try chmod +x " + ShellWords.quote(path.toString()));
            }
        }
        return command;
    }

    /** Returns the same flags of a JVM after a check that their files are there. */
    public static List<String> checkedFlags(List<String> flags, Path directory, Path written) {
        List<String> command = new ArrayList<>(flags);
        command.addFirst("java");
        checked(command, directory, written);
        return flags;
    }

    private static String elsewhere(String path, Path directory, Path written) {
        Path other = absolute(path, written);
        Path from = absolute("", directory);
        return Files.exists(other) ? "; the command runs in " + from + ": write " + from.relativize(other) : "";
    }

    /** Tells whether the command depends on the folder in which it runs, as far as is known. */
    public static boolean relative(List<String> command) {
        return named(command).stream().anyMatch(named -> !path(named.path).isAbsolute());
    }

    /** Returns a command, which must not be empty. Its files are not checked, because they are not this machine's. */
    public static List<String> given(List<String> command) {
        if (command.isEmpty() || command.getFirst().isEmpty()) {
            throw BadValue.of("an empty command", "an executable and its arguments");
        }
        return command;
    }

    private static List<NamedFile> named(List<String> command) {
        List<NamedFile> found = new ArrayList<>();
        // As in a shell, a word without a slash is looked up in the PATH, or in the variant's JDK.
        if (command.getFirst().contains("/")) {
            found.add(new NamedFile(FileRole.EXECUTABLE, command.getFirst()));
        }
        if (JvmOptions.isJava(command.getFirst())) {
            JvmOptions.beforeMain(command).forEach(option -> addFiles(option, found));
        }
        found.removeIf(named -> hasPlaceholder(named.path));
        return found;
    }

    private static void addFiles(JvmOptions.Given option, List<NamedFile> found) {
        String word = option.word();
        Matcher agent = AGENT.matcher(word);
        if (CLASS_PATH.contains(option.name())) {
            Arrays.stream(option.value().split(File.pathSeparator, -1))
                    .filter(part -> !part.isEmpty())
                    .forEach(part ->
                            found.add(new NamedFile(part.endsWith(".jar") ? FileRole.JAR : FileRole.CLASSES, part)));
        } else if (word.equals("-jar") && !option.value().isEmpty()) {
            found.add(new NamedFile(FileRole.JAR, option.value()));
        } else if (agent.matches()) {
            found.add(new NamedFile(FileRole.AGENT, agent.group("path")));
        } else if (word.startsWith("@") && !word.startsWith("@@")) {
            found.add(new NamedFile(FileRole.ARGUMENTS, word.substring(1)));
        } else if (word.endsWith(".java") && !word.startsWith("-")) {
            found.add(new NamedFile(FileRole.SOURCE, word));
        }
    }

    /** Returns the path of something that exists; the complaint is such as {@code no such file}. */
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

    /** Reads a path without a check that it exists. */
    public static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw BadValue.of("'" + text + "'", "a path: " + PathText.why(e));
        }
    }

    /** Returns the path of a directory that exists. */
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

    /** Returns the path of a file that can be read, of the expected kind. */
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
