package dev.kiln.cli;

import dev.kiln.model.KilnException;
import dev.kiln.text.Nearest;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** A command line that Kiln does not understand, in words: what is wrong, what was meant, and where help is. */
final class UsageError {
    private static final Pattern FILE = Pattern.compile(".*\\.ya?ml");

    private UsageError() {}

    /** Returns the exit code. */
    static int print(ParameterException e, PrintWriter err) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        if (e instanceof UnmatchedArgumentException unmatched && isCommand(unmatched)) {
            String word = unmatched.getUnmatched().getFirst();
            Set<String> known = command.getSubcommands().keySet();
            Optional<String> meant = meant(word, known);
            err.println("kiln: unknown command '" + word + "'"
                    + (meant.isEmpty() ? "; there are " + String.join(", ", known) : ""));
            meant.ifPresent(one -> err.println("Did you mean: " + name + " " + one + "?"));
        } else {
            err.println("kiln: " + complaint(e));
            UnmatchedArgumentException.printSuggestions(e, err);
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

    private static String complaint(ParameterException e) {
        return String.valueOf(e.getMessage())
                .replaceFirst(" is not an? (long|int)$", " is not a whole number, or is too large");
    }
}
