package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Whatever Kiln prints, or a file of the repository says, of the form {@code kiln COMMAND --OPTION}: the command is there, and
 * has the option. DocumentationTest parses those that the documentation shows whole.
 */
class PrintedCommandsTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> PLACES =
            List.of("README.md", "CONTRIBUTING.md", "docs", "experiments", "workloads", "bench", "deploy");
    private static final Pattern TEXTS = Pattern.compile(".*\\.(java|md|ya?ml|json|html|js|sh)");

    /** A Java text that goes on in the next line. */
    private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");

    /** Up to the end of the sentence or of the code, another command, or the words of the service. */
    private static final Pattern COMMAND =
            Pattern.compile("(?<![\\w/-])(?:\\./)?kiln ([a-z]+)((?:(?! -- |kiln |\\. )[^\"`;,:()|\n])*)");

    private static final Pattern OPTION = Pattern.compile("(?<=[\\s\\[])(?<! to )--[a-z][a-z0-9-]*");

    private record Printed(String place, String command, String rest) {
        List<String> options() {
            // What stands in quotes is for another program.
            return OPTION.matcher(rest.replaceAll("'[^']*'", ""))
                    .results()
                    .map(found -> found.group())
                    .toList();
        }

        /** Empty where all of it is there. */
        Optional<String> wrong(CommandLine kiln) {
            CommandLine of = kiln.getSubcommands().get(command);
            if (of == null) {
                return options().isEmpty() ? Optional.empty() : Optional.of(this + ": no such command");
            }
            String first = rest.strip().split("\\s", 2)[0];
            CommandLine last = of.getSubcommands().getOrDefault(first, of);
            return options().stream()
                    .filter(option -> !last.getCommandSpec().optionsMap().containsKey(option))
                    .findFirst()
                    .map(option -> this + ": no option " + option);
        }

        @Override
        public String toString() {
            return place + ": kiln " + command + rest;
        }
    }

    private static Stream<Printed> printed(Path file) {
        try {
            String text = Files.readString(file);
            Matcher found = COMMAND.matcher(
                    file.toString().endsWith(".java") ? JOINED.matcher(text).replaceAll("") : text);
            return found.results().map(one -> new Printed(file.toString(), one.group(1), one.group(2)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> texts(String place) {
        try (Stream<Path> all = Files.walk(ROOT.resolve(place))) {
            return all
                    .filter(file -> TEXTS.matcher(file.getFileName().toString()).matches())
                    // What bench/house adds to a copy of Kiln is no command of this one.
                    .filter(file -> !file.toString().contains("/target/")
                            && !file.endsWith("bench/house/add.sh")
                            && Files.isRegularFile(file))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyCommandThatIsPrintedIsOneThatKilnTakes() throws IOException {
        CommandLine kiln = new CommandLine(new Main());
        List<String> places = new ArrayList<>(PLACES);
        Modules.folders("src/main")
                .forEach(folder -> places.add(ROOT.relativize(folder).toString()));
        List<Printed> all = places.stream()
                .flatMap(PrintedCommandsTest::texts)
                .flatMap(PrintedCommandsTest::printed)
                .toList();
        assertThat(all.stream().filter(one -> !one.options().isEmpty()))
                .as("commands with an option")
                .hasSizeGreaterThan(100);
        assertThat(all.stream().flatMap(one -> one.wrong(kiln).stream())).isEmpty();
    }
}
