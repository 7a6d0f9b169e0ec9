package dev.kiln.host.container;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.Topology.CpuLists;
import dev.kiln.model.experiment.Where.ContainerEngine;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * ContainerCommands has the command lines of podman and docker. A container has the network, the host name and the
 * limits of open files and processes of this machine, so that a target in it differs from one outside by the container
 * alone. Only docker's daemon sets limits of its own.
 */
final class ContainerCommands {
    private ContainerCommands() {}

    /** Runs the container to its end and exit code, for podman within the limits of this process. */
    static List<String> run(ContainerSpec spec, String name, Path folder, ProcessLimits limits) {
        List<String> command = begun(spec, "run", name);
        command.add(2, "--rm");
        if (spec.engine() == ContainerEngine.PODMAN) {
            command.addAll(List.of("--pidfile", pidFile(folder).toString()));
        }
        addRest(spec, limits, command);
        return command;
    }

    /** Creates the container without running its program. */
    static List<List<String>> rehearsal(ContainerSpec spec, String name, ProcessLimits limits) {
        return switch (spec.engine()) {
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
        if (spec.engine() == ContainerEngine.PODMAN) {
            limits.ulimits().forEach(limit -> command.addAll(List.of("--ulimit", limit)));
        }
        if (!spec.cpus().isEmpty()) {
            command.addAll(List.of("--cpuset-cpus", CpuLists.format(spec.cpus())));
        }
        spec.limits()
                .cpus()
                .ifPresent(cpus -> command.addAll(
                        List.of("--cpus", BigDecimal.valueOf(cpus).toPlainString())));
        spec.limits().bytes().ifPresent(bytes -> command.addAll(List.of("--memory", Long.toString(bytes))));
        spec.directory().ifPresent(directory -> command.addAll(List.of("--workdir", directory)));
        new TreeMap<>(spec.environment())
                .forEach((name, value) -> command.addAll(List.of("--env", name + "=" + value)));
        spec.binds()
                .forEach(bind -> command.addAll(List.of(
                        "--mount",
                        "type=bind,source=" + bind.from() + ",target=" + bind.to()
                                + (bind.writable() ? "" : ",readonly"))));
        // The image's own entry point may be a script that stays in front of the program.
        command.addAll(List.of("--pull", "never", "--entrypoint", spec.command().getFirst(), spec.image()));
        command.addAll(spec.command().subList(1, spec.command().size()));
    }

    static Path pidFile(Path folder) {
        return folder.resolve("pid");
    }

    /** Ends with 0 if there is a container of that name. */
    static List<String> exists(ContainerEngine engine, String name) {
        return switch (engine) {
            case PODMAN -> List.of("podman", "container", "exists", name);
            case DOCKER -> List.of("docker", "container", "inspect", "--format", "{{.Id}}", name);
        };
    }

    /** Prints the pid of a docker container's first process, 0 before it runs, and the container's id. */
    static List<String> pidOf(String name) {
        return List.of("docker", "container", "inspect", "--format", "{{.State.Pid}} {{.Id}}", name);
    }

    /** Prints three words: the pid of a container's first process, which is 0 where it does not run, its id and its state. */
    static List<String> stateOf(ContainerEngine engine, String name) {
        return List.of(
                engine.id(), "container", "inspect", "--format", "{{.State.Pid}} {{.Id}} {{.State.Status}}", name);
    }

    static List<String> imageId(ContainerEngine engine, String image) {
        return List.of(engine.id(), "image", "inspect", "--format", "{{.Id}}", image);
    }

    /** Fails if docker's daemon cannot be reached. */
    static List<String> version(ContainerEngine engine) {
        return engine == ContainerEngine.DOCKER
                ? List.of("docker", "version", "--format", "{{.Server.Version}}")
                : List.of(engine.id(), "--version");
    }

    /** ProcessLimits are open files and processes, {@code nofile=SOFT:HARD}, as Kiln's own process has. */
    record ProcessLimits(List<String> ulimits) {
        ProcessLimits {
            ulimits = List.copyOf(ulimits);
        }

        static ProcessLimits ofKiln(ProcFs fs) {
            return parse(
                    fs.text("proc/self/limits").orElse(""),
                    fs.text("proc/sys/kernel/pid_max").orElse(""));
        }

        /** Parses {@code /proc/self/limits}; podman lowers processes to {@code pid_max}, and cannot grant more. */
        static ProcessLimits parse(String limits, String pidMax) {
            List<String> ulimits = new ArrayList<>();
            row("Max open files", limits, OptionalLong.empty()).ifPresent(row -> ulimits.add("nofile=" + row));
            row("Max processes", limits, number(pidMax.strip())).ifPresent(row -> ulimits.add("nproc=" + row));
            return new ProcessLimits(ulimits);
        }

        private static Optional<String> row(String name, String limits, OptionalLong atMost) {
            Matcher row = Pattern.compile("^" + name + " +(\\S+) +(\\S+)", Pattern.MULTILINE)
                    .matcher(limits);
            return row.find()
                    ? Optional.of(least(row.group(1), atMost) + ":" + least(row.group(2), atMost))
                    : Optional.empty();
        }

        private static long least(String limit, OptionalLong atMost) {
            OptionalLong number = number(limit);
            if (number.isEmpty()) {
                return atMost.orElse(-1);
            }
            return Math.min(number.getAsLong(), atMost.orElse(Long.MAX_VALUE));
        }

        private static OptionalLong number(String text) {
            try {
                return OptionalLong.of(Long.parseLong(text));
            } catch (NumberFormatException e) {
                return OptionalLong.empty(); // unlimited
            }
        }
    }
}
