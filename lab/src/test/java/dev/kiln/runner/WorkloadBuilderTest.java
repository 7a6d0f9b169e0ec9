package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.process.LogTail;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Workload;
import dev.kiln.model.experiment.Workload.WorkloadBuild;
import dev.kiln.model.experiment.Workload.WorkloadLaunch;
import dev.kiln.runner.Cancellation.Interrupted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a script in the place of Maven's. */
class WorkloadBuilderTest {
    private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

    @TempDir
    Path root;

    private final List<String> stages = new CopyOnWriteArrayList<>();
    private final Cancellation cancellation = new Cancellation();
    private Workload workload = new Workload(
            "",
            Path.of(""),
            new WorkloadBuild(List.of(), List.of(), List.of(), Path.of("")),
            new WorkloadLaunch(List.of(), List.of(), Optional.empty(), Map.of()),
            List.of(),
            Optional.empty());

    @BeforeEach
    void makeWorkload() throws IOException {
        Path directory = root.resolve("workloads/service");
        Path source = Files.createDirectories(directory.resolve("src"));
        Files.writeString(source.resolve("App.java"), "class App {}");
        Files.writeString(source.resolve("Old.java"), "class Old {}");
        for (Path path : List.of(source.resolve("App.java"), source.resolve("Old.java"), source)) {
            Files.setLastModifiedTime(path, FileTime.from(LONG_AGO));
        }
        workload = new Workload(
                "service",
                directory,
                new WorkloadBuild(
                        List.of("clean", "package"), List.of(source), List.of(), directory.resolve("target/app.jar")),
                new WorkloadLaunch(List.of("java"), List.of(), Optional.empty(), Map.of()),
                List.of(),
                Optional.empty());
    }

    private void maven(String script) throws IOException {
        Path mvnw = Files.writeString(root.resolve("mvnw"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(mvnw, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void build() {
        new WorkloadBuilder(root, cancellation, new Listener()).build(workload);
    }

    @Test
    void isBuiltOnceAndAgainOnlyAfterAChange() throws IOException {
        maven("rm -rf target; mkdir target; echo \"$*\" \"$JAVA_HOME\" > target/app.jar");

        build();
        build();

        assertThat(stages).containsExactly("building service, once");
        assertThat(workload.build().product())
                .content()
                .isEqualToIgnoringNewLines("-B -ntp clean package " + System.getProperty("java.home"));

        Files.setLastModifiedTime(workload.build().product(), FileTime.from(LONG_AGO.plusSeconds(60)));
        build();
        assertThat(stages).hasSize(1);
        Files.setLastModifiedTime(
                workload.build().sources().getFirst().resolve("App.java"), FileTime.from(LONG_AGO.plusSeconds(120)));
        build();

        assertThat(stages).hasSize(2);
    }

    /** As where two experiments are begun at once on a new machine. */
    @Test
    void twoAtOnceBuildItOnce() throws Exception {
        maven("echo built >> builds; rm -rf target; sleep 0.5; mkdir target && touch target/app.jar");
        try (var kilns = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Boolean> one = () -> {
                build();
                return true;
            };
            for (var each : kilns.invokeAll(List.of(one, one, one))) {
                assertThat(each.get()).isTrue();
            }
        }
        assertThat(workload.directory().resolve("builds")).hasContent("built");
        assertThat(stages).containsOnlyOnce("building service, once");
    }

    @Test
    void aDeletedSourceIsAChange() throws IOException {
        maven("mkdir -p target; touch target/app.jar");
        build();
        Files.setLastModifiedTime(workload.build().product(), FileTime.from(LONG_AGO.plusSeconds(60)));
        build();
        assertThat(stages).hasSize(1);

        Files.delete(workload.build().sources().getFirst().resolve("Old.java"));
        build();

        assertThat(stages).hasSize(2);
    }

    @Test
    void whatMavenSaidIsToldThoughItCleanedFirst() throws IOException {
        maven("echo begun; rm -rf target; echo 'App.java:1: not a statement'; exit 1");

        assertThatThrownBy(this::build)
                .isInstanceOfSatisfying(KilnException.class, e -> {
                    assertThat(e.exit()).isEqualTo(Exit.MACHINE);
                    assertThat(e.remedy()).isEqualTo("begun\nApp.java:1: not a statement");
                })
                .hasMessageContaining("building service failed: Maven exited with 1")
                .hasMessageContaining(workload.directory().resolve("build.log").toString());
        assertThat(workload.directory().resolve("build.log")).isNotEmptyFile();
    }

    @Test
    void aBuildThatMakesNothingHasFailed() throws IOException {
        maven("exit 0");

        assertThatThrownBy(this::build)
                .hasMessageContaining("made no " + workload.build().product());
    }

    @Test
    void aProductThatAFailedBuildLeftIsNone() throws IOException {
        maven("mkdir -p target; echo half > target/app.jar; exit 1");
        assertThatThrownBy(this::build).hasMessageContaining("Maven exited with 1");
        assertThat(workload.build().product()).exists();

        maven("echo whole > target/app.jar");
        build();
        build();

        assertThat(workload.build().product()).content().isEqualToIgnoringNewLines("whole");
        assertThat(stages).hasSize(2);
    }

    @Test
    void isCutShort() throws Exception {
        maven("mkdir -p target; echo half > target/app.jar; echo begun; exec sleep 600");
        CompletableFuture<Void> building = CompletableFuture.runAsync(this::build);
        while (!LogTail.lastLines(workload.directory().resolve("build.log"), 1).equals("begun")) {
            assertThat(building).isNotDone();
            Thread.sleep(10);
        }

        CompletableFuture<Void> cancel = CompletableFuture.runAsync(cancellation::cancel);

        assertThatThrownBy(building::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(Interrupted.class);
        cancellation.finished();
        cancel.join();

        maven("echo whole > target/app.jar");
        new WorkloadBuilder(root, new Cancellation(), new Listener()).build(workload);
        assertThat(workload.build().product()).content().isEqualToIgnoringNewLines("whole");
    }

    private final class Listener extends Bench.Unwatched {
        @Override
        public void stage(String text) {
            stages.add(text);
        }
    }
}
