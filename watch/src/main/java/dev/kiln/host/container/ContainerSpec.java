package dev.kiln.host.container;

import dev.kiln.host.process.TargetCgroup;
import dev.kiln.model.experiment.Where.ContainerEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A ContainerSpec is what to run in a container, and with which limits.
 *
 * @param environment the whole environment: a container gets nothing of Kiln's own
 * @param directory the working directory; empty for that of the image
 * @param cpus to pin to; empty means not pinned
 */
public record ContainerSpec(
        ContainerEngine engine,
        String image,
        List<String> command,
        Map<String, String> environment,
        Optional<String> directory,
        List<Integer> cpus,
        TargetCgroup.CgroupLimits limits,
        List<Bind> binds) {

    /** A Bind is a file or folder of this machine that is seen in the container. */
    public record Bind(Path from, String to, boolean writable) {}

    public ContainerSpec {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        cpus = List.copyOf(cpus);
        binds = List.copyOf(binds);
    }
}
