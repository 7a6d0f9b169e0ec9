package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.report.Locales;
import java.io.IOException;
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

/**
 * The commands that the reference shows, on the files that lie beside it: {@code console} blocks hold {@code $ ./kiln ...},
 * what it prints, and its exit code where {@code $ echo $?} follows.
 */
class DocumentationTest {
    private static final Path DOCS = Path.of("../docs");
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

    /** The tests run in a folder beside the documentation's. */
    private static String[] arguments(String command) {
        return Arrays.stream(command.split(" ", -1))
                .map(word -> word.startsWith("docs/") ? "../" + word : word)
                .toArray(String[]::new);
    }
}
