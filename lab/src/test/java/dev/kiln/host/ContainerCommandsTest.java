package dev.kiln.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.ContainerSpec.Bind;
import dev.kiln.model.Where.Contents;
import dev.kiln.model.Where.Engine;
import dev.kiln.model.Where.Image;
import dev.kiln.model.Where.Rootfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ContainerCommandsTest {
    private static final Path FOLDER = Path.of("/tmp/kiln-container-1");
    private static final ProcessLimits LIMITS = new ProcessLimits(List.of("nofile=1:2"));

    private static ContainerSpec spec(Engine engine, Contents contents) {
        return new ContainerSpec(
                engine,
                contents,
                List.of("java", "-jar", "/app/a.jar"),
                Map.of("B", "2", "A", "1"),
                Optional.of("/app"),
                List.of(0, 1),
                OptionalDouble.of(1.5),
                OptionalLong.of(1 << 29),
                List.of(new Bind(Path.of("/here"), "/there", false), new Bind(Path.of("/runs"), "/runs", true)));
    }

    private static String run(Engine engine, Contents contents) {
        return String.join(" ", ContainerCommands.run(spec(engine, contents), "kiln-1", FOLDER, LIMITS));
    }

    @Test
    void dockerRunsAnImage() {
        assertThat(run(Engine.DOCKER, new Image("temurin:25")))
                .isEqualTo("docker run --rm --name kiln-1 --network host --log-driver none --cpuset-cpus 0-1 --cpus 1.5"
                        + " --memory 536870912 --workdir /app --env A=1 --env B=2"
                        + " --mount type=bind,source=/here,target=/there,readonly"
                        + " --mount type=bind,source=/runs,target=/runs"
                        + " --pull never --entrypoint java temurin:25 -jar /app/a.jar");
    }

    @Test
    void podmanWritesThePidAndKeepsThisMachinesLimits() {
        assertThat(run(Engine.PODMAN, new Image("temurin:25")))
                .startsWith("podman run --rm --name kiln-1 --network host --log-driver none"
                        + " --pidfile /tmp/kiln-container-1/pid --ulimit nofile=1:2 --cpuset-cpus 0-1")
                .endsWith("--entrypoint java temurin:25 -jar /app/a.jar");
        assertThat(run(Engine.PODMAN, new Rootfs(Path.of("/root-of-it"))))
                .endsWith("--read-only --rootfs /root-of-it java -jar /app/a.jar");
    }

    @Test
    void runcRunsABundle() {
        assertThat(run(Engine.RUNC, new Rootfs(Path.of("/root-of-it"))))
                .isEqualTo("runc run --bundle /tmp/kiln-container-1 --pid-file /tmp/kiln-container-1/pid kiln-1");
    }

    @Test
    void theBundleSaysAllThatTheOthersSayByOptions() {
        Rootfs rootfs = new Rootfs(Path.of("/root-of-it"));
        JsonNode config = JsonMapper.shared()
                .readTree(RuncConfig.json(spec(Engine.RUNC, rootfs), rootfs.folder(), List.of(), true));
        assertThat(config.at("/process/args").valueStream().map(JsonNode::asString))
                .containsExactly("java", "-jar", "/app/a.jar");
        assertThat(config.at("/process/env").valueStream().map(JsonNode::asString))
                .satisfiesExactly(
                        path -> assertThat(path).startsWith("PATH=/usr/local/sbin:"),
                        a -> assertThat(a).isEqualTo("A=1"),
                        b -> assertThat(b).isEqualTo("B=2"));
        assertThat(config.at("/process/cwd").asString()).isEqualTo("/app");
        assertThat(config.at("/root/path").asString()).isEqualTo("/root-of-it");
        assertThat(config.at("/root/readonly").asBoolean()).isTrue();
        assertThat(config.at("/linux/resources/cpu/quota").asLong()).isEqualTo(150_000);
        assertThat(config.at("/linux/resources/cpu/period").asLong()).isEqualTo(100_000);
        assertThat(config.at("/linux/resources/cpu/cpus").asString()).isEqualTo("0-1");
        assertThat(config.at("/linux/resources/memory/limit").asLong()).isEqualTo(1 << 29);
        assertThat(config.at("/linux/namespaces")
                        .valueStream()
                        .map(space -> space.at("/type").asString()))
                .as("the network is the machine's")
                .containsExactly("pid", "ipc", "mount");
        assertThat(config.at("/mounts")
                        .valueStream()
                        .map(mount -> mount.at("/destination").asString()))
                .as("what is bound below /tmp comes after it")
                .endsWith("/tmp", "/there", "/runs");
    }

    private static List<String> options(boolean recursive, String destination) {
        Rootfs rootfs = new Rootfs(Path.of("/root-of-it"));
        JsonNode config = JsonMapper.shared()
                .readTree(RuncConfig.json(
                        spec(Engine.RUNC, rootfs),
                        rootfs.folder(),
                        List.of(new Bind(Path.of("/usr"), "/usr", false)),
                        recursive));
        return config.at("/mounts")
                .valueStream()
                .filter(mount -> mount.at("/destination").asString().equals(destination))
                .flatMap(mount -> mount.at("/options").valueStream())
                .map(JsonNode::asString)
                .toList();
    }

    @Test
    void whatIsReadOnlyIsSoWithAllThatIsMountedBelowIt() {
        assertThat(options(true, "/usr")).containsExactly("rbind", "ro", "rro");
        assertThat(options(true, "/there")).containsExactly("rbind", "ro", "rro");
        assertThat(options(true, "/runs")).containsExactly("rbind", "rw");
        assertThat(options(false, "/there"))
                .as("an older kernel would refuse it")
                .containsExactly("rbind", "ro");
        assertThat(List.of("5.12.0-1-amd64\n", "6.1.0-13-amd64", "10.0")).allMatch(RuncConfig::isRecursive);
        assertThat(List.of("5.11.22", "4.18.0-553.el8_10.x86_64", "", "odd")).noneMatch(RuncConfig::isRecursive);
    }

    @Test
    void aLentRootHasLinksAsTheyAreAndNothingThatAContainerHasItself(@TempDir Path dir) throws IOException {
        Path machine = Files.createDirectories(dir.resolve("machine"));
        for (String folder : List.of("usr", "proc", "tmp", "opt")) {
            Files.createDirectory(machine.resolve(folder));
        }
        Files.createSymbolicLink(machine.resolve("bin"), Path.of("usr/bin"));
        Path root = Files.createDirectory(dir.resolve("root"));

        assertThat(LentRoot.fill(machine, root))
                .containsExactly(
                        new Bind(machine.resolve("opt"), "/opt", false),
                        new Bind(machine.resolve("usr"), "/usr", false));
        assertThat(Files.readSymbolicLink(root.resolve("bin"))).isEqualTo(Path.of("usr/bin"));
        assertThat(root.resolve("opt")).isEmptyDirectory();
        assertThat(root.resolve("proc")).doesNotExist();
    }

    @Test
    void limitsAreThisProcesssAndNoMoreProcessesThanPodmanHas() {
        String limits = """
                Limit                     Soft Limit           Hard Limit           Units
                Max processes             96365                unlimited            processes
                Max open files            1024                 unlimited            files
                """;
        assertThat(ProcessLimits.parse(limits, "32768\n").ulimits())
                .containsExactly("nofile=1024:-1", "nproc=32768:32768");
        assertThat(ProcessLimits.parse("", "").ulimits()).isEmpty();
    }
}
