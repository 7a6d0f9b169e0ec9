package dev.kiln.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.evidence.RunReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands in a folder that has {@code results} in it, as a user stands there. */
class NewestResultsIT {
    private static final List<String> VARIANTS = List.of("slow", "fast");

    @TempDir
    private Path folder;

    private Kiln run(Map<String, String> environment, String... words) throws Exception {
        return Kiln.started(
                List.of("sh", "-c", "cd \"$0\" && exec \"$@\"", folder.toString()),
                List.of("--enable-native-access=ALL-UNNAMED"),
                environment,
                words);
    }

    private void record() throws Exception {
        for (String name : List.of("b-new", "a-old")) {
            Path experiment = folder.resolve("results").resolve(name);
            new RecordedRuns(experiment).variant(VARIANTS, "slow", 2, 100, 1000).variant(VARIANTS, "fast", 2, 5, 1000);
            for (String run : List.of("slow/1", "slow/2", "fast/1", "fast/2")) {
                launched(experiment.resolve(run), name.equals("a-old") ? 1_000_000 : 2_000_000);
            }
        }
        // As if the report of the old one had been written anew.
        Files.setLastModifiedTime(folder.resolve("results/b-new"), FileTime.fromMillis(1_000_000));
    }

    private static void launched(Path run, long epochMillis) throws IOException {
        Path file = run.resolve("run.json");
        Files.writeString(
                file, Files.readString(file).replaceFirst("(\"launchEpochMillis\"\\s*:\\s*)\\d+", "$1" + epochMillis));
        assertThat(RunReader.info(run).launchEpochMillis()).isEqualTo(epochMillis);
    }

    @ParameterizedTest
    @CsvSource({
        "report, Report: results/b-new/report.html, kiln explain results/b-new",
        "explain, fast 2, kiln report results/b-new --open",
        "compare, fast against slow, kiln explain results/b-new"
    })
    void whereNoFolderIsNamedItIsTheNewest(String command, String shown, String next) throws Exception {
        record();
        Kiln ran = run(Map.of(), command);
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.err()).isEqualTo("kiln: no folder is named, so this is the newest experiment: results/b-new\n");
        assertThat(ran.out()).contains(shown, "\nNext:\n").contains(next);
    }

    @Test
    void aStageOfASearchSaysThatItIsOne() throws Exception {
        record();
        Path stage = folder.resolve("results/shop-tune-1/4-proof");
        new RecordedRuns(stage).variant(VARIANTS, "slow", 1, 100, 1000).variant(VARIANTS, "fast", 1, 5, 1000);
        launched(stage.resolve("slow/1"), 3_000_000);
        launched(stage.resolve("fast/1"), 3_000_001);
        Files.writeString(stage.resolveSibling("tune.json"), "{}");

        Kiln ran = run(Map.of(), "report");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.err().replaceAll("\\s+", " "))
                .contains("this is the newest experiment: results/shop-tune-1/4-proof. It is a stage of the search in"
                        + " results/shop-tune-1; kiln serve shows all of that");
    }

    /** Two experiments have no page in common but that of their folder. */
    @Test
    void twoExperimentsAreLaidOverOneAnotherByPages() throws Exception {
        record();
        Kiln ran = run(Map.of(), "compare", "results/a-old", "results/b-new");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out()).endsWith("""
                        Next:
                          causes and cures: kiln explain results/b-new
                          the same in pictures (choose them, then Compare): kiln serve results
                        """);
    }

    @Test
    void aHistoryIsOfAllResults() throws Exception {
        record();
        Kiln ran = run(Map.of(), "history");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.err()).startsWith("kiln: no folder is named, so these are all experiments in results\n");
        assertThat(ran.out())
                .contains("recorded, fast")
                .endsWith("Next:\n  all results as pages: kiln serve results\n");
    }

    @Test
    void whereThereAreNoneItSaysWhatToDo() throws Exception {
        assertThat(run(Map.of(), "report"))
                .isEqualTo(new Kiln(
                        2,
                        "",
                        "kiln: no folder is named, and there is no folder results here\n"
                                + "  name an experiment's folder, such as results/demo-20260102-030405; kiln demo makes a first"
                                + " one\n"));
    }

    @Test
    void documentsForProgramsSayNothingOfWhatFollows() throws Exception {
        record();
        String new1 = folder.resolve("results/b-new").toString();
        assertThat(Kiln.run("report", new1, "--json", "-").out())
                .startsWith("{")
                .doesNotContain("Next:");
        assertThat(Kiln.run("explain", new1, "--json").out()).startsWith("{").doesNotContain("Next:");
        assertThat(Kiln.run("compare", new1, "--csv").out()).doesNotContain("Next:");
        assertThat(Kiln.run("compare", new1, "--markdown").out()).doesNotContain("Next:");
        assertThat(Kiln.run("history", new1, "--csv").out()).doesNotContain("Next:");
    }

    private Path program(String text) throws Exception {
        Path program = Files.createDirectories(folder.resolve("bin")).resolve("xdg-open");
        Files.writeString(program, "#!/bin/sh\n" + text);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    private Map<String, String> desktop(String display) {
        return Map.of(
                "PATH", folder.resolve("bin") + ":" + System.getenv("PATH"), "DISPLAY", display, "WAYLAND_DISPLAY", "");
    }

    @Test
    void thePageIsOpenedByTheDesktop() throws Exception {
        record();
        program("echo \"$1\" >'" + folder.resolve("opened") + "'\n");
        Kiln ran = run(desktop(":7"), "report", "results/a-old", "--open");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.err()).isEmpty();
        Path opened = Path.of(Files.readString(folder.resolve("opened")).strip());
        assertThat(opened.toRealPath())
                .isEqualTo(folder.resolve("results/a-old/report.html").toRealPath());
    }

    @ParameterizedTest
    @CsvSource({"'', there is no display", ":7, xdg-open ended with exit code 3"})
    void whereItCannotBeOpenedALineSaysWhereItIs(String display, String why) throws Exception {
        record();
        program("exit 3\n");
        Kiln ran = run(desktop(display), "report", "results/a-old", "--open");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.err())
                .startsWith("kiln: cannot open the page: " + why + ". It is the file /")
                .endsWith("/results/a-old/report.html\n")
                .hasLineCount(1);
    }
}
