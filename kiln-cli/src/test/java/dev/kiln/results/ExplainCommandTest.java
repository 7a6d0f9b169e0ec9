package dev.kiln.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExplainCommandTest {
    private static final List<String> VARIANTS = List.of("slow", "fast");

    @TempDir
    private Path folder;

    private Path experiment;

    @BeforeEach
    void record() {
        experiment = folder.resolve("recorded-20260101-000000");
        new RecordedRuns(experiment).variant(VARIANTS, "slow", 2, 100, 1000).variant(VARIANTS, "fast", 2, 5, 1000);
    }

    @Test
    void aRunIsExplainedOnTheTerminal() {
        Kiln ran = Kiln.run("explain", experiment.resolve("fast/1").toString());

        assertThat(ran.exit()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .startsWith("fast 1\nPeaked: at the end it served at least 90 % of its peak, by throughput alone: the"
                        + " compilers were not\nwatched.\nIt was level within 5 % for the last"
                        + " 55 s.\n")
                .contains("\nNo cause is confirmed.\n", "\nRuled out\n", "\nNot observable\n")
                .contains("  - c2-starved: the compiler threads' CPU time and waiting were not recorded")
                .doesNotContain("slow 1", "slow 2", "fast 2");
    }

    @Test
    void aRunAsJsonHasVerdictAndFindings() {
        Kiln ran = Kiln.run("explain", experiment.resolve("slow/2").toString(), "--json", "-");

        JsonNode json = JsonMapper.shared().readTree(ran.out());
        assertThat(ran.exit()).isZero();
        assertThat(json.at("/variant").asString()).isEqualTo("slow");
        assertThat(json.at("/run").asInt()).isEqualTo(2);
        assertThat(json.at("/verdict").asString()).isEqualTo("still climbing");
        assertThat(json.at("/findings")).hasSize(43).allSatisfy(finding -> {
            assertThat(finding.at("/state").asString()).isIn("held", "ruled-out", "not-observable");
            assertThat(finding.at("/evidence").isEmpty()).isFalse();
            assertThat(finding.at("/evidence/0/text").asString()).isNotBlank();
            assertThat(finding.at("/remedies").isArray()).isTrue();
        });
        assertThat(json.at("/forecasts").isArray()).isTrue();
    }

    @Test
    void anExperimentIsAllItsRuns() throws IOException {
        Path file = folder.resolve("explained.json");

        Kiln ran = Kiln.run("explain", folder.toString(), "--json", file.toString());

        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).contains("slow 1\n", "fast 2\n");
        JsonNode runs = JsonMapper.shared().readTree(Files.readString(file)).at("/runs");
        assertThat(runs)
                .extracting(run -> run.at("/variant").asString() + " "
                        + run.at("/run").asInt() + " " + run.at("/verdict").asString())
                .containsExactlyInAnyOrder(
                        "slow 1 still climbing", "slow 2 still climbing", "fast 1 peaked", "fast 2 peaked");
    }

    @Test
    void aRunThatCannotBeReadIsAProblem() throws IOException {
        Files.writeString(experiment.resolve("fast/2/run.json"), "{");

        Kiln ran = Kiln.run("explain", experiment.toString());

        assertThat(ran.out()).contains("fast 1\n").doesNotContain("fast 2\n");
        assertThat(ran.err()).startsWith("kiln: left out: ").contains("fast/2/run.json");
        assertThat(ran.exit()).isEqualTo(1);
    }

    @Test
    void aRunAloneIsItsOwnReference() throws IOException {
        Path alone = folder.resolve("copied");
        Files.move(experiment.resolve("fast/1"), alone);

        assertThat(Kiln.run("explain", alone.toString()).out()).startsWith("fast 1\nPeaked: ");
    }

    @Test
    void whereThereIsNoRunItSaysWhatToName() {
        Kiln missing = Kiln.run("explain", folder.resolve("nowhere").toString());
        Kiln empty = Kiln.run(
                "explain", folder.resolve("recorded-20260101-000000/none").toString());

        assertThat(missing.exit()).isEqualTo(2);
        assertThat(missing.err()).contains("no such folder", "name an experiment's folder");
        assertThat(empty.exit()).isEqualTo(2);
    }
}
