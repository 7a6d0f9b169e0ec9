package dev.kiln.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.report.TerminalStyle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class NextStepTest {
    private static String lines(Path experiment, int columns) {
        return lines(experiment, "kiln", columns);
    }

    private static String lines(Path experiment, String kiln, int columns) {
        return NextStep.lines(List.of(NextStep.ofReport(experiment)), kiln, new TerminalStyle(columns, false, true));
    }

    @Test
    void aReportLeadsToItsCausesAndToAllResults() {
        assertThat(lines(Path.of("results/demo-1"), 80)).isEqualTo("""
                Next:
                  causes and cures: kiln explain results/demo-1
                  all results as pages: kiln serve results
                """);
    }

    /** In a clone there is no kiln on the PATH. */
    @Test
    void aCommandBeginsAsTheUserCalledKiln() {
        assertThat(lines(Path.of("results/kiln 1"), "./kiln", 80)).isEqualTo("""
                Next:
                  causes and cures: ./kiln explain 'results/kiln 1'
                  all results as pages: ./kiln serve results
                """);
        assertThat(lines(Path.of("demo"), "../my kiln/kiln", 80)).contains(": '../my kiln/kiln' explain demo\n");
    }

    @Test
    void whereNothingFollowsNothingIsSaid() {
        assertThat(NextStep.lines(List.of(), "kiln", new TerminalStyle(80, false, true)))
                .isEmpty();
    }

    @Test
    void whatIsToBeTypedReachesTheProgramAsItIs() throws Exception {
        for (String word : List.of("http://localhost:${port}/a?b=1&c=2", "it's", "a b", "", "~/x", "*", "-Xmx1g")) {
            Process shell = new ProcessBuilder("sh", "-c", "printf %s " + NextStep.words(List.of(word))).start();
            assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(word);
        }
    }

    @Test
    void whatIsToBeTypedHasNoSecrets() {
        assertThat(NextStep.words(
                        List.of("java", "-Ddb.password=correct horse", "--api-key", "hunter2", "-jar", "a.jar")))
                .isEqualTo("java '-Ddb.password=***' --api-key '***' -jar a.jar");
        assertThat(NextStep.attach(7, "http://u:hunter2@localhost/?token=hunter2")
                        .command())
                .isEqualTo("kiln run --attach 7 --url 'http://u:***@localhost/?token=***'");
    }

    /** A command that is broken cannot be copied. */
    @Test
    void whereTheTerminalIsNarrowTheCommandStandsAlone() {
        assertThat(lines(Path.of("results/demo-20260102-030405"), 40)).isEqualTo("""
                Next:
                  kiln explain results/demo-20260102-030405
                  kiln serve results
                """);
    }

    @Test
    void aFolderIsWrittenAsAShellTakesIt() {
        assertThat(lines(Path.of("my results/demo"), 40))
                .contains("kiln explain 'my results/demo'\n", "kiln serve 'my results'\n");
        assertThat(lines(Path.of("demo"), 40)).contains("kiln explain demo\n", "kiln serve .\n");
        assertThat(lines(Path.of("a&b/demo$1"), 40)).contains("kiln explain 'a&b/demo$1'\n", "kiln serve 'a&b'\n");
        assertThat(lines(Path.of("/r/demo"), 40)).contains("kiln serve /r\n");
    }
}
