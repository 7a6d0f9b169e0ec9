package dev.kiln.doctor;

import dev.kiln.console.Console;
import dev.kiln.console.Installation;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where;
import dev.kiln.plan.AttachRules;
import dev.kiln.remote.FarCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/**
 * A JvmName says which JVM a command is about: by a PID of this machine or of a place to which a command leads, or by its
 * pod. Where the JVM is elsewhere, the same command of this Kiln runs there, beside it.
 */
final class JvmName {
    /** The first process of a container; the service may be below it. */
    private static final String FIRST = "1";

    /** What these name would be a file in the container. */
    private static final List<String> FILES = List.of("--json", "--save", "--requests");

    private static final String HERE = "-";

    @Option(
            names = "--via",
            paramLabel = "COMMAND",
            description = "The command that runs programs where the JVM is, such as 'podman exec -i NAME'. Kiln runs"
                    + " there, and the PID is meant there.")
    private @Nullable String via;

    /** Returns a PID of this machine. */
    static long pid(String name) {
        if (!name.matches("\\d{1,10}")) {
            throw KilnException.usage(
                    "'" + name + "' is not a whole number, or is too large, so it is no PID",
                    "give one, which kiln doctor alone lists, or kube:NAMESPACE/POD");
        }
        return Long.parseLong(name);
    }

    /**
     * Runs the command where the JVM is.
     *
     * @param name as it was typed
     * @return its exit code; empty where the JVM is on this machine
     */
    OptionalInt elsewhere(Optional<String> name, Console console) {
        Optional<Where> where = AttachRules.elsewhere(Optional.ofNullable(via), name);
        if (where.isEmpty()) {
            return OptionalInt.empty();
        }
        List<String> words = words(console.parsed());
        if (where.get() instanceof Where.Running) {
            words.add(FIRST);
        } else {
            name.ifPresent(words::add);
        }
        FarCommand far = FarCommand.at(where.get(), now -> console.note("kiln: " + now));
        console.note("kiln: " + words.getFirst() + " runs there: " + far.name());
        return OptionalInt.of(far.run(Installation.mainClass(), words, console.out(), console.err()));
    }

    /** Returns the command with its options, as they were given. */
    private static List<String> words(ParseResult parsed) {
        List<String> words = new ArrayList<>(List.of(parsed.commandSpec().name()));
        for (OptionSpec option : parsed.matchedOptions()) {
            String name = option.longestName();
            List<String> values = option.originalStringValues();
            if (FILES.contains(name) && values.stream().anyMatch(value -> !value.equals(HERE))) {
                throw KilnException.usage(
                        name + " names a file, and the command would look for it where the JVM is",
                        name.equals("--json") ? "write --json - > FILE" : "leave it out there");
            }
            if (name.equals("--via")) {
                continue;
            }
            if (option.arity().max() == 0) {
                words.add(name);
            } else if (values.isEmpty()) {
                words.add(name + "=" + HERE);
            } else {
                values.forEach(value -> words.add(name + "=" + value));
            }
        }
        return words;
    }
}
