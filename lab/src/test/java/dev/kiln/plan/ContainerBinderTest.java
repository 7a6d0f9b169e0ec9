package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.ContainerEngine;
import dev.kiln.model.experiment.Where.ContainerPlace;
import dev.kiln.model.experiment.Where.Mount;
import dev.kiln.plan.load.Defaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerBinderTest {
    private static final String LOAD = "load: {url: http://localhost:8080/}\n";
    private static final String INSIDE = "target: {command: java -jar /app/app.jar, container: {image: temurin:25}}\n";

    @TempDir
    private Path dir;

    @BeforeEach
    void files() throws IOException {
        Files.writeString(dir.resolve("app.jar"), "");
    }

    private Path file(String yaml) {
        try {
            return Files.writeString(dir.resolve("a.yaml"), yaml + LOAD);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Target target(String yaml, String variant) {
        return ExperimentFile.read(file(yaml)).variants().stream()
                .filter(one -> one.name().equals(variant))
                .findFirst()
                .orElseThrow()
                .target();
    }

    private void refused(String yaml, String... message) {
        assertThatThrownBy(() -> ExperimentFile.read(file(yaml))).hasMessageContainingAll(message);
    }

    @Test
    void aContainerWithAllThatCanBeSaid() {
        Target target = target(
                "target: {command: /opt/java -jar /app/app.jar, directory: /app, container: {image: temurin:25,"
                        + " runtime: docker, cpus: 1.5, memory: 512m, mounts: ['app.jar:/app/app.jar', app.jar]}}\n",
                Defaults.VARIANT);
        Path jar = dir.resolve("app.jar");
        assertThat(target.where())
                .isEqualTo(new ContainerPlace(
                        "temurin:25",
                        Optional.of(ContainerEngine.DOCKER),
                        OptionalDouble.of(1.5),
                        OptionalLong.of(512L << 20),
                        List.of(new Mount(jar, "/app/app.jar"), new Mount(jar, jar.toString()))));
        assertThat(target.command()).containsExactly("/opt/java", "-jar", "/app/app.jar");
        assertThat(target.workingDirectory()).contains(Path.of("/app"));
        assertThat(target.where().text())
                .startsWith("in a container: docker, image temurin:25, cpus: 1.5, memory: 512m, " + jar);
    }

    @Test
    void itsCommandIsNotLookedForHereWhoeverSaysWhereItRuns() {
        String variants = INSIDE
                + "variants:\n  own: {command: java -jar other.jar}\n  here: {container: none, command: java Main}\n"
                + "  child: {extends: grandchild, command: java -jar third.jar}\n  grandchild: {extends: own}\n";
        assertThat(target(variants, "own").command()).containsExactly("java", "-jar", "other.jar");
        assertThat(target(variants, "child").command()).containsExactly("java", "-jar", "third.jar");
        assertThat(target(variants, "child").workingDirectory()).isEmpty();
        assertThat(target(variants, "here").where()).isEqualTo(new Where.Here());
        assertThat(target(variants, "here").workingDirectory()).isPresent();
        refused(
                INSIDE + "variants:\n  here: {container: none, command: java -jar other.jar}\n",
                "3: command: no such jar: " + dir.resolve("other.jar"));
    }

    @Test
    void aVariantMayGoIntoAContainerWithTheCommandOfThisMachine() {
        String yaml = "target: {command: java -jar app.jar}\nvariants:\n  in: {container: {image: a}}\n";
        assertThat(target(yaml, "in").command()).containsExactly("java", "-jar", "app.jar");
        assertThat(target(yaml, "in").workingDirectory()).contains(dir);
        String noFiles = "target: {command: java Main}\nvariants:\n  in: {container: {image: a}}\n";
        assertThat(target(noFiles, "in").workingDirectory()).isEmpty();
    }

    @Test
    void mistakesAreToldWithTheirPlace() {
        refused("target:\n  command: java A\n  container: {cpus: 1}\n", "3: container: found no image");
        refused("target: {command: java A, container: yes}\n", "found 'yes', expected none, or a map with an image");
        refused("target: {command: java A, container: {image: a, runtime: rkt}}\n", "unknown runtime 'rkt'");
        refused(
                "target: {command: java A, container: {image: a, mounts: b.jar}}\n",
                "mounts: no such file or directory");
        refused("target: {command: java A, container: {image: a, mounts: 'app.jar:b'}}\n", "beginning with /");
        refused("target: {command: java A, directory: work, container: {image: a}}\n", "directory: found 'work'");
        refused(
                "target: {command: java A, directory: \"/a\\0\", container: {image: a}}\n",
                "1: found a zero character, expected text");
    }

    @Test
    void aDirectoryIsLookedUpWhereTheCommandIs() {
        String variants = INSIDE + "variants:\n  own: {directory: /work}\n";
        assertThat(target(variants, "own").workingDirectory()).contains(Path.of("/work"));
        refused(
                INSIDE + "variants:\n  own: {directory: work}\n",
                "3: directory: found 'work', expected a path in the container");
    }

    @Test
    void whatAContainerExcludesIsTold() {
        refused(INSIDE.replace("}}", "}, aot: {train: startup}}"), "found aot with a container");
        refused(INSIDE.replace("}}", ", cpus: 1}, with: [cpu-quota: 2]}"), "cpu-quota: 2 and the same limit");
        refused(INSIDE.replace("}}", "}, with: [compiler-priority: flags]}"), "expected compiler-priority: renice");
    }
}
