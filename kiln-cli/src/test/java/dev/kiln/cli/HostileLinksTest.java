package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.RunWriter;
import dev.kiln.jvm.flight.FlightRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A folder of results from somebody else, with links in the place of folders: they lead to what others recorded. */
class HostileLinksTest {
    @TempDir
    private Path folder;

    private Path evidence;
    private Path outside;

    @BeforeEach
    void recorded() throws IOException {
        evidence = folder.resolve("evidence");
        new RecordedRuns(evidence).variant(List.of("platform"), "platform", 2, 20, 1000);
        Path others = folder.resolve("others");
        new RecordedRuns(others).variant(List.of("precious"), "precious", 1, 20, 4321);
        outside = others.resolve("precious/1");
        Files.createDirectories(outside.resolve(FlightRecorder.REPOSITORY));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.map(Path::toString).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"report", "explain", "history"})
    void aRunThatIsALinkIsNoRunOfTheExperiment(String command) throws Exception {
        Files.createSymbolicLink(evidence.resolve("platform/3"), outside);
        Files.createSymbolicLink(evidence.resolve("all"), outside.getParent());
        List<String> before = names(outside);
        Kiln read = Kiln.run(command, evidence.toString());
        assertThat(read.exit()).isNotEqualTo(Main.BUG);
        assertThat(read.out() + read.err()).doesNotContain("precious");
        assertThat(Kiln.run("report", evidence.toString()).exit()).isZero();
        assertThat(evidence.resolve("result.json"))
                .content()
                .contains("platform")
                .doesNotContain("precious");
        assertThat(names(outside)).as("nothing is written there").isEqualTo(before);
    }

    /** A run that the user names is his own choice, and those beside it are not. */
    @Test
    void aLinkBesideARunIsNoRunOfItsVariant() throws Exception {
        Files.createSymbolicLink(evidence.resolve("platform/3"), outside);
        Kiln explained = Kiln.run("explain", evidence.resolve("platform/1").toString());
        assertThat(explained.exit()).isNotEqualTo(Main.BUG);
        assertThat(explained.out() + explained.err()).contains("platform").doesNotContain("precious");
    }

    @Test
    void theClosingRecordingOfOthersIsNotRead() throws Exception {
        Path run = evidence.resolve("platform/1");
        Path digest = Files.createDirectory(folder.resolve("digest"));
        Files.writeString(digest.resolve("flight-rows.csv"), "table,rows\n");
        Files.writeString(digest.resolve("flight-hot.csv"), "time_ns,method\n1,precious\n");
        Files.createSymbolicLink(run.resolve("closing"), digest);
        assertThat(RunReader.read(run).gaps()).isEmpty();
        assertThat(RunReader.read(run).closing()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"replicas", "replicas/2"})
    void theProcessesOfOthersAreNotRead(String name) throws Exception {
        Path run = evidence.resolve("platform/1");
        Path theirs = Files.createDirectories(folder.resolve("theirs/2"));
        try (RunWriter writer = new RunWriter(theirs)) {
            writer.writeReplica(RunReader.info(outside));
        }
        Path link = run.resolve(name);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, name.equals("replicas") ? theirs.getParent() : theirs);
        assertThat(RunReader.read(run).gaps()).singleElement().asString().contains("replicas/2", "is a link");
    }

    /** Each of its seconds would be looked at. */
    @ParameterizedTest
    @ValueSource(strings = {"startNanos", "endNanos"})
    void aPhaseOfCenturiesIsRefused(String key) throws Exception {
        Path info = evidence.resolve("platform/1/run.json");
        Files.writeString(
                info,
                Files.readString(info)
                        .replaceFirst("(\"" + key + "\"\\s*:\\s*)\\d+", "$1" + Long.toString(Long.MAX_VALUE)));
        Kiln reported = Kiln.run("report", evidence.toString());
        assertThat(reported.exit()).as(reported.err()).isEqualTo(2);
        assertThat(reported.err())
                .contains(
                        "run.json: phase warmup begins at no time of a run, ends before it begins, or lasts over 366 days");
    }
}
