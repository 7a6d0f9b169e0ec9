package dev.kiln.cli;

import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.text.Nearest;
import dev.kiln.text.PathText;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** A UsageError says in words what is wrong with a command line, what was probably meant, and where help is. */
final class UsageError {
    private static final Pattern FILE = Pattern.compile(".*\\.ya?ml");

    /** The pattern matches words that usually start a service. */
    private static final Pattern SERVICE = Pattern.compile("(.*/)?java|.*\\.(jar|sh)");

    private UsageError() {}

    /** Reads a word of the command line that is a path. */
    static Path path(String word) {
        try {
            return Path.of(word);
        } catch (InvalidPathException e) {
            throw new TypeConversionException(complaint(e));
        }
    }

    /** Says why a word of the command line, or of a file that it names, is no path. */
    static String complaint(InvalidPathException e) {
        return "'" + e.getInput() + "' is no path: " + PathText.why(e);
    }

    /** Returns the exit code; {@code given} are all words of the command line. */
    static int print(ParameterException e, List<String> given, PrintWriter err) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        if (e instanceof UnmatchedArgumentException unmatched && isCommand(unmatched)) {
            String word = unmatched.getUnmatched().getFirst();
            Set<String> known = command.getSubcommands().keySet();
            Optional<String> meant = meant(word, known);
            err.println("kiln: unknown command '" + Secrets.HIDDEN.text(word) + "'"
                    + (meant.isEmpty() ? "; there are " + String.join(", ", known) : ""));
            meant.ifPresent(one -> err.println("Did you mean: " + name + " " + one + "?"));
        } else {
            err.println("kiln: " + complaint(e));
            suggestions(e, given).forEach(err::println);
        }
        err.println("See: " + name + " --help");
        return KilnException.Exit.USAGE.code();
    }

    private static boolean isCommand(UnmatchedArgumentException e) {
        return !e.isUnknownOption() && !e.getCommandLine().getSubcommands().isEmpty();
    }

    private static Optional<String> meant(String word, Set<String> known) {
        return known.contains("run") && FILE.matcher(word).matches()
                ? Optional.of("run " + word)
                : Nearest.of(word, List.copyOf(known));
    }

    /** Returns the options that resemble an unknown one, or advice on two hyphens; empty for other errors. */
    private static List<String> suggestions(ParameterException e, List<String> given) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return List.of();
        }
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        boolean starts = command.getCommandSpec().positionalParameters().stream()
                .anyMatch(words -> words.paramLabel().contains("-- COMMAND"));
        if (starts
                && !given.contains("--")
                && given.stream().anyMatch(word -> SERVICE.matcher(word).matches())) {
            return List.of("Put -- before the command that starts the service: " + name
                    + " --url http://localhost:8080/path -- java -jar app.jar");
        }
        if (!unmatched.isUnknownOption()) {
            return List.of();
        }
        List<String> like = unmatched.getSuggestions();
        if (like.isEmpty()) {
            like = Nearest.of(
                            unmatched.getUnmatched().getFirst(),
                            List.copyOf(command.getCommandSpec().optionsMap().keySet()))
                    .stream()
                    .toList();
        }
        return like.isEmpty() ? List.of() : List.of("Did you mean: " + String.join(" or ", like) + "?");
    }

    /** Returns what is wrong, without the secrets of what was typed: it goes to a job's log. */
    private static String complaint(ParameterException e) {
        String message = String.valueOf(e.getMessage());
        if (e instanceof UnmatchedArgumentException unmatched) {
            List<String> words = unmatched.getUnmatched();
            List<String> shown = Secrets.HIDDEN.command(words);
            if (!unmatched.isUnknownOption()) {
                return e.getCommandLine().getCommandSpec().qualifiedName() + " does not take '"
                        + String.join("', '", shown) + "'";
            }
            for (int i = 0; i < words.size(); i++) {
                message = message.replace("'" + words.get(i) + "'", "'" + shown.get(i) + "'");
            }
            return message;
        }
        return Secrets.HIDDEN
                .text(message)
                .replaceFirst(" is not an? (long|int)$", " is not a whole number, or is too large");
    }
}
