package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.Metric;
import dev.kiln.stats.LevelShifts;
import dev.kiln.text.Show;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What the documentation shows is what the program prints, and what it lists is all there is. */
class StartupDocsTest {
    private static final Path DOCS = Path.of("../docs/reference");

    @TempDir
    private Path directory;

    private static String block(String text, String language) {
        Matcher fence =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(text);
        assertThat(fence.find()).as("a block of " + language).isTrue();
        return fence.group(1);
    }

    @Test
    void theTableOfTheDocumentationIsRenderedAsItSays() throws IOException {
        String text = Files.readString(DOCS.resolve("startup.md"));
        Path table = Files.writeString(directory.resolve("starts.csv"), block(text, "csv"));
        StringWriter out = new StringWriter();

        int exit = Main.run(
                List.of("startup", "--table", table.toString(), "--no-colour"),
                new PrintWriter(out),
                new PrintWriter(out));

        assertThat(exit).isZero();
        assertThat("$ ./kiln startup --table starts.csv\n" + out).isEqualTo(block(text, "console"));
    }

    @Test
    void everyFlagIsDocumented() throws IOException {
        for (String command : List.of("startup", "history")) {
            String text = Files.readString(DOCS.resolve(command + ".md"));
            CommandLine line = Objects.requireNonNull(
                    new CommandLine(new Main()).getSubcommands().get(command));
            List<OptionSpec> options = line.getCommandSpec().options();
            assertThat(options)
                    .map(OptionSpec::longestName)
                    .filteredOn(name ->
                            !List.of("--help", "--version", "--no-colour").contains(name))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(text).contains("`" + name));
        }
    }

    @Test
    void metricsAndConstantsAreThoseOfTheProgram() throws IOException {
        String text = Files.readString(DOCS.resolve("history.md"));

        assertThat(Metric.all(Metric.MetricUse.FOLLOWED))
                .allSatisfy(metric -> assertThat(text).contains("`" + metric.id() + "`"));
        assertThat(text)
                .contains("at a level of " + Show.plain(LevelShifts.ALPHA))
                .contains("at most " + LevelShifts.MOST_AFTER + " sessions")
                .contains("least " + 100 * LevelShifts.LEAST_NOISE + " % of the level");
    }
}
