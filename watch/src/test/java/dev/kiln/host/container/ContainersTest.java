package dev.kiln.host.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** On what runc 1.1.5, podman 4.3.1 and docker 28.2.2 (daemon 20.10.24) said. */
class ContainersTest {
    @Test
    void theErrorIsTakenOutOfWhatStandsAroundIt() {
        assertThat(
                        Containers.complaint(
                                "time=\"2026-11-22T09:00:19Z\" level=error msg=\"runc create failed: unable to start container process: exec: \\\"java\\\": executable file not found in $PATH\""))
                .isEqualTo("runc create failed: unable to start container process: exec: \"java\": executable file not"
                        + " found in $PATH");
        assertThat(List.of(
                        Containers.complaint("Error: nosuch:1: image not known"),
                        Containers.complaint("Error response from daemon: No such container: kt3"),
                        Containers.complaint("")))
                .containsExactly("nosuch:1: image not known", "No such container: kt3", "");
    }

    @Test
    void advisesOfTheClientAreNoError() {
        assertThat(Containers.complaint("""
                docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?

                Run 'docker run --help' for more information
                """))
                .isEqualTo("Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon"
                        + " running?");
    }
}
