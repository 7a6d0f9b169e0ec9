package dev.kiln.host;

import dev.kiln.model.Where.Engine;
import dev.kiln.model.Where.Image;
import dev.kiln.model.Where.Rootfs;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The command lines of podman, docker and runc. Network and host name are those of this machine: a target in a container must
 * differ from one outside by the container alone. So are limits of open files and processes, but with docker, whose daemon has
 * its own.
 */
final class ContainerCommands {
    private static final String BUNDLE = "--bundle";

    private ContainerCommands() {}

    /**
     * Runs the container, and stays until it has ended with its exit code.
     *
     * @param limits of this process, for podman: its own default of 1048576 files takes a right that root may lack
     */
    static List<String> run(ContainerSpec spec, String name, Path folder, ProcessLimits limits) {
        return switch (spec.engine()) {
            case RUNC ->
                List.of(
                        "runc",
                        "run",
                        BUNDLE,
                        folder.toString(),
                        "--pid-file",
                        pidFile(folder).toString(),
                        name);
            case PODMAN, DOCKER -> {
                List<String> command = begun(spec, "run", name);
                command.add(2, "--rm");
                if (spec.engine() == Engine.PODMAN) {
                    command.addAll(List.of("--pidfile", pidFile(folder).toString()));
                }
                addRest(spec, limits, command);
                yield command;
            }
        };
    }

    /** Makes the container as far as that goes without running what is in it. */
    static List<List<String>> rehearsal(ContainerSpec spec, String name, Path folder, ProcessLimits limits) {
        return switch (spec.engine()) {
            case RUNC -> List.of(List.of("runc", "create", BUNDLE, folder.toString(), name));
            case PODMAN -> List.of(created(spec, name, limits), List.of("podman", "init", name));
            case DOCKER -> List.of(created(spec, name, limits));
        };
    }

    private static List<String> created(ContainerSpec spec, String name, ProcessLimits limits) {
        List<String> command = begun(spec, "create", name);
        addRest(spec, limits, command);
        return command;
    }

    private static List<String> begun(ContainerSpec spec, String verb, String name) {
        return new ArrayList<>(
                List.of(spec.engine().id(), verb, "--name", name, "--network", "host", "--log-driver", "none"));
    }

    private static void addRest(ContainerSpec spec, ProcessLimits limits, List<String> command) {
        if (spec.engine() == Engine.PODMAN) {
            limits.ulimits().forEach(limit -> command.addAll(List.of("--ulimit", limit)));
        }
        if (!spec.cpus().isEmpty()) {
            command.addAll(List.of("--cpuset-cpus", CpuLists.format(spec.cpus())));
        }
        spec.quota()
                .ifPresent(cpus -> command.addAll(
                        List.of("--cpus", BigDecimal.valueOf(cpus).toPlainString())));
        spec.memoryBytes().ifPresent(bytes -> command.addAll(List.of("--memory", Long.toString(bytes))));
        spec.directory().ifPresent(directory -> command.addAll(List.of("--workdir", directory)));
        new TreeMap<>(spec.environment())
                .forEach((name, value) -> command.addAll(List.of("--env", name + "=" + value)));
        spec.binds()
                .forEach(bind -> command.addAll(List.of(
                        "--mount",
                        "type=bind,source=" + bind.from() + ",target=" + bind.to()
                                + (bind.writable() ? "" : ",readonly"))));
        switch (spec.contents()) {
            case Image image -> {
                // The image's own entry point may be a script that stays in front of the program.
                command.addAll(List.of(
                        "--pull", "never", "--entrypoint", spec.command().getFirst(), image.name()));
                command.addAll(spec.command().subList(1, spec.command().size()));
            }
            case Rootfs rootfs -> {
                command.addAll(
                        List.of("--read-only", "--rootfs", rootfs.folder().toString()));
                command.addAll(spec.command());
            }
        }
    }

    static Path pidFile(Path folder) {
        return folder.resolve("pid");
    }

    /** Ends with 0 if there is one of that name. */
    static List<String> exists(Engine engine, String name) {
        return switch (engine) {
            case RUNC -> List.of("runc", "state", name);
            case PODMAN -> List.of("podman", "container", "exists", name);
            case DOCKER -> List.of("docker", "container", "inspect", "--format", "{{.Id}}", name);
        };
    }

    static List<String> remove(Engine engine, String name) {
        return switch (engine) {
            case RUNC -> List.of("runc", "delete", "--force", name);
            case PODMAN, DOCKER -> List.of(engine.id(), "rm", "--force", name);
        };
    }

    /** Says the first process of a docker container as its daemon's machine numbers it, 0 before it runs; and its id. */
    static List<String> pidOf(String name) {
        return List.of("docker", "container", "inspect", "--format", "{{.State.Pid}} {{.Id}}", name);
    }

    static List<String> imageId(Engine engine, String image) {
        return List.of(engine.id(), "image", "inspect", "--format", "{{.Id}}", image);
    }

    /** Fails where docker's daemon cannot be reached. */
    static List<String> version(Engine engine) {
        return engine == Engine.DOCKER
                ? List.of("docker", "version", "--format", "{{.Server.Version}}")
                : List.of(engine.id(), "--version");
    }
}
