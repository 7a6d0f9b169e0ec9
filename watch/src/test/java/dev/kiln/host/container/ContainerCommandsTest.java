package dev.kiln.host.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.container.ContainerCommands.ProcessLimits;
import dev.kiln.host.container.ContainerSpec.Bind;
import dev.kiln.host.process.TargetCgroup;
import dev.kiln.model.experiment.Where.Engine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ContainerCommandsTest {
    private static final Path FOLDER = Path.of("/tmp/kiln-container-1");
    private static final ProcessLimits LIMITS = new ProcessLimits(List.of("nofile=1:2"));

    private static ContainerSpec spec(Engine engine, String image) {
        return new ContainerSpec(
                engine,
                image,
                List.of("java", "-jar", "/app/a.jar"),
                Map.of("B", "2", "A", "1"),
                Optional.of("/app"),
                List.of(0, 1),
                new TargetCgroup.CgroupLimits(OptionalDouble.of(1.5), OptionalLong.of(1 << 29)),
                List.of(new Bind(Path.of("/here"), "/there", false), new Bind(Path.of("/runs"), "/runs", true)));
    }

    private static String run(Engine engine, String image) {
        return String.join(" ", ContainerCommands.run(spec(engine, image), "kiln-1", FOLDER, LIMITS));
    }

    @Test
    void dockerRunsAnImage() {
        assertThat(run(Engine.DOCKER, "temurin:25"))
                .isEqualTo("docker run --rm --name kiln-1 --network host --log-driver none --cpuset-cpus 0-1 --cpus 1.5"
                        + " --memory 536870912 --workdir /app --env A=1 --env B=2"
                        + " --mount type=bind,source=/here,target=/there,readonly"
                        + " --mount type=bind,source=/runs,target=/runs"
                        + " --pull never --entrypoint java temurin:25 -jar /app/a.jar");
    }

    @Test
    void podmanWritesThePidAndKeepsThisMachinesLimits() {
        assertThat(run(Engine.PODMAN, "temurin:25"))
                .startsWith("podman run --rm --name kiln-1 --network host --log-driver none"
                        + " --pidfile /tmp/kiln-container-1/pid --ulimit nofile=1:2 --cpuset-cpus 0-1")
                .endsWith("--entrypoint java temurin:25 -jar /app/a.jar");
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
