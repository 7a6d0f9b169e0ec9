package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaFilesTest {
    @TempDir
    Path results;

    private Path run;

    @BeforeEach
    void twoProcesses() {
        run = results.resolve("spring/1");
        try (RunWriter first = new RunWriter(run);
                RunWriter second = new RunWriter(ReplicaFiles.folder(run, 2))) {
            first.write(Samples.info("spring", 1, 1000));
            second.append(Samples.THREAD);
            second.append(Samples.PART);
            second.writeReplica(Samples.info("spring", 1, 5000));
        }
    }

    @Test
    void aFurtherProcessIsReadWithItsRun() {
        RunEvidence read = RunReader.read(run);

        assertThat(read.threads()).isEmpty();
        assertThat(read.sent().shared()).isTrue();
        assertThat(read.replicas()).singleElement().satisfies(replica -> {
            assertThat(replica.threads()).containsExactly(Samples.THREAD);
            assertThat(replica.parts()).containsExactly(Samples.PART);
            assertThat(replica.sent().shared()).isTrue();
            assertThat(replica.info().launchEpochMillis()).isEqualTo(5000);
        });
        assertThat(RunReader.info(run).launchEpochMillis()).isEqualTo(1000);
    }

    /** Whatever folder is named, it is no run that could be counted. */
    @Test
    void aFurtherProcessIsNoRun() {
        for (Path named : new Path[] {results, results.resolve("spring"), run}) {
            assertThat(ExperimentReader.find(named).directories()).containsExactly(run);
        }
    }

    @Test
    void aRunOfOneProcessSharesItsLoadWithNobody() {
        Path alone = results.resolve("spring/2");
        try (RunWriter writer = new RunWriter(alone)) {
            writer.write(Samples.info("spring", 2, 1000));
        }

        assertThat(RunReader.read(alone).replicas()).isEmpty();
        assertThat(RunReader.read(alone).sent().shared()).isFalse();
    }

    /** It served all the same: what is not known of it is not what the first one did. */
    @Test
    void aProcessWhoseFactsAreDamagedIsKnownToHaveServed() throws IOException {
        Files.writeString(ReplicaFiles.folder(run, 2).resolve("replica.json"), "{");

        RunEvidence read = RunReader.read(run);

        assertThat(read.sent().shared()).isTrue();
        assertThat(read.replicas()).singleElement().satisfies(replica -> {
            assertThat(replica.seen()).isFalse();
            assertThat(replica.place()).isEqualTo("replicas/2");
            assertThat(replica.info().jvm()).isEmpty();
            assertThat(replica.info().cpus().target()).isEmpty();
            assertThat(replica.info().command()).isEmpty();
            assertThat(replica.info().notRecorded()).isEmpty();
        });
        assertThat(read.place()).isEqualTo("box");
        assertThat(read.gaps()).anyMatch(gap -> gap.startsWith("replicas/2: ") && gap.contains("replica.json"));
    }

    private static RunInfo ofTwo() {
        RunInfo one = Samples.info("spring", 1, 1000);
        RunInfo.Launch launch = one.launch();
        return new RunInfo(
                one.kilnVersion(),
                one.which(),
                new RunInfo.Launch(
                        launch.launchMonotonicNanos(),
                        launch.launchEpochMillis(),
                        launch.command(),
                        launch.environment(),
                        launch.treatment(),
                        launch.quietWait(),
                        launch.typed(),
                        launch.attached(),
                        launch.restarted(),
                        2),
                one.machine(),
                one.plan(),
                one.course(),
                one.limits());
    }

    /** A run of two processes is not judged as one, whatever became of the other's folder. */
    @Test
    void aProcessWhoseFolderIsMissingIsKnownToHaveServed() throws IOException {
        RunWriter.replace(run, ofTwo());
        assertThat(Files.readString(run.resolve("run.json"))).contains("\"replicas\" : 2");
        assertThat(RunReader.read(run).replicas()).hasSize(1);
        Files.move(run.resolve("replicas"), results.resolve("elsewhere"));

        RunEvidence read = RunReader.read(run);

        assertThat(read.sent().shared()).isTrue();
        assertThat(read.replicas()).singleElement().satisfies(replica -> {
            assertThat(replica.seen()).isFalse();
            assertThat(replica.place()).isEqualTo("replicas/2");
        });
        assertThat(read.gaps()).contains("replicas/2: missing");
    }

    /** Earlier versions of Kiln did not write how many there were. */
    @Test
    void whereTheFoldersCannotBeListedTheLoadIsKnownToBeShared() throws IOException {
        Files.move(run.resolve("replicas"), results.resolve("elsewhere"));
        Files.writeString(run.resolve("replicas"), "");
        assertThat(Files.readString(run.resolve("run.json"))).doesNotContain("replicas");

        RunEvidence read = RunReader.read(run);

        assertThat(read.sent().shared()).isTrue();
        assertThat(read.gaps()).anyMatch(gap -> gap.startsWith("replicas: cannot be read: "));
    }
}
