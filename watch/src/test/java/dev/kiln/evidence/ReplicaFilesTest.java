package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.RunEvidence;
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
        assertThat(read.replicas())
                .singleElement()
                .satisfies(replica -> {
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
}
