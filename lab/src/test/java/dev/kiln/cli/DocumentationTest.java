package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.report.Locales;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The commands that the documentation shows. In the reference, {@code console} blocks hold {@code $ ./kiln ...}, what it prints on
 * the files beside it, and its exit code where {@code $ echo $?} follows. All other commands are at least ones that Kiln takes.
 */
class DocumentationTest {
    private static final Path DOCS = Path.of("../docs");

    /** Up to a comment, a pipe or the end of the code. */
    private static final Pattern COMMAND = Pattern.compile("(\\./kiln [^`#|\n]+)");

    private static final Pattern SHELL_WORD = Pattern.compile("'[^']*'|[^\\s]+");
    private static final Pattern BLOCK = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest(name = "{0}")
    @MethodSource("examples")
    void printsWhatTheReferenceShows(String where, String command, String shown) {
        for (String locale : List.of("en-US", "tr-TR", "de-DE")) {
            Kiln ran = Locales.under(locale, () -> Kiln.run(arguments(command)));

            String printed = (ran.out() + ran.err()).replace("../docs/", "docs/");
            assertThat(
                            shown.endsWith("$ echo $?\n" + ran.exit() + "\n")
                                    ? printed + "$ echo $?\n" + ran.exit() + "\n"
                                    : printed)
                    .isEqualTo(shown);
        }
    }

    static Stream<Arguments> examples() throws IOException {
        List<Arguments> examples = new ArrayList<>();
        for (String page : List.of("analyze", "compare", "gate")) {
            Path file = DOCS.resolve("reference/" + page + ".md");
            BLOCK.matcher(Files.readString(file)).results().forEach(block -> {
                String text = block.group(1);
                assertThat(text).startsWith("$ ./kiln ");
                int end = text.indexOf('\n');
                String command = text.substring("$ ./kiln ".length(), end);
                examples.add(Arguments.of(page + ": " + command, command, text.substring(end + 1)));
            });
        }
        return examples.stream();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("commands")
    void everyCommandIsOneThatKilnTakes(String where, String command) {
        List<String> words = SHELL_WORD
                .matcher(command)
                .results()
                .map(word -> word.group().replaceAll("^'(.*)'$", "$1"))
                .map(word -> word.equals("PID") ? "1" : word)
                .toList();

        new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(words.subList(1, words.size()).toArray(String[]::new));
    }

    /** Commands in the text and in its blocks; those with brackets show a form and are no commands. */
    static Stream<Arguments> commands() throws IOException {
        try (Stream<Path> walk = Files.walk(DOCS)) {
            return Stream.concat(Stream.of(DOCS.resolve("../README.md")), walk.toList().stream())
                    .filter(file -> file.toString().endsWith(".md"))
                    .flatMap(file -> COMMAND.matcher(text(file).replace("\\\n", " "))
                            .results()
                            .map(found -> found.group(1).strip())
                            .filter(command -> !command.contains("["))
                            .map(command -> Arguments.of(file.getFileName().toString(), command)));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The tests run in a folder beside the documentation's. */
    private static String[] arguments(String command) {
        return Arrays.stream(command.split(" ", -1))
                .map(word -> word.startsWith("docs/") ? "../" + word : word)
                .toArray(String[]::new);
    }
}
