package dev.kiln.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.plan.ExperimentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes with Kiln as source, put in place of its name. */
final class WorkloadsTest {
    private static final Workloads WORKLOADS = new Workloads(Path.of("../workloads"));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"virtualThreads: true", "with: virtual-threads"})
    void aServerWithoutVirtualThreadsIsNotLaunchedAsIfItHadThem(String asked) throws IOException {
        Experiment experiment = experiment("workload: fruits-wildfly, " + asked);

        assertThatExceptionOfType(KilnException.class)
                .isThrownBy(() -> WORKLOADS.resolve(experiment))
                .withMessageContaining("variant a: workload fruits-wildfly has no command with virtual threads")
                .satisfies(refused -> assertThat(refused.exit()).isEqualTo(Exit.USAGE));
    }

    @Test
    void aServerThatManyProcessesShareWritesIntoTheFolderOfTheRun() throws IOException {
        Experiment resolved = WORKLOADS.resolve(experiment("workload: fruits-wildfly"));

        assertThat(resolved.variants().getFirst().target().command())
                .contains("-Djboss.server.base.dir=${run.dir}", "-Djboss.server.config.dir=${run.dir}")
                .anyMatch(word -> word.startsWith("--read-only-server-config="));
    }

    /** They would reach nobody. */
    @Test
    void aNativeExecutableTakesNoFlagsOfAJvm() throws IOException {
        Files.createDirectory(folder.resolve("native"));
        Files.writeString(folder.resolve("native/workload.yaml"), "command: target/app\n");
        Workloads workloads = new Workloads(folder);
        Experiment flags = experiment("workload: native, jvmFlags: -Xmx1g");

        assertThatExceptionOfType(KilnException.class)
                .isThrownBy(() -> workloads.resolve(flags))
                .withMessageContaining("variant a: found JVM flags or an AOT cache, and workload native is no java");
        assertThat(workloads
                        .resolve(experiment("workload: native, arguments: -Xmx1g"))
                        .variants()
                        .getFirst()
                        .target()
                        .arguments())
                .containsExactly("-Xmx1g");
    }

    @Test
    void aServiceBehindATargetIsStartedOnlyHere() throws IOException {
        Experiment experiment = experiment("workload: relay, host: me@box");

        assertThatExceptionOfType(KilnException.class)
                .isThrownBy(() -> WORKLOADS.resolve(experiment))
                .withMessage("variant a runs on me@box, and Kiln starts the service behind workload relay only on this"
                        + " machine")
                .satisfies(refused -> assertThat(refused.exit()).isEqualTo(Exit.USAGE));
    }

    private Experiment experiment(String variant) throws IOException {
        Path file = folder.resolve("experiment.yaml");
        Files.writeString(file, """
                variants:
                  a: {%s}
                load:
                  url: http://${host}:${port}/fruits
                database: postgres
                """.formatted(variant));
        return ExperimentFile.read(file);
    }
}
