package dev.kiln.runner;

import dev.kiln.host.Container;
import dev.kiln.host.ContainerSpec;
import dev.kiln.host.ContainerSpec.Bind;
import dev.kiln.host.Containers;
import dev.kiln.host.CpuLists;
import dev.kiln.host.LaunchSpec;
import dev.kiln.host.PinnedProcess;
import dev.kiln.host.ProcFs;
import dev.kiln.host.ProcStatus;
import dev.kiln.jvm.LaunchCommand;
import dev.kiln.model.Modifier.CompilerPriority;
import dev.kiln.model.Modifier.CpuQuota;
import dev.kiln.model.Modifier.MemoryLimit;
import dev.kiln.model.Placeholders;
import dev.kiln.model.Target;
import dev.kiln.model.Where;
import dev.kiln.model.Where.Image;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Launches a target in a container, and has the process in it watched from outside. */
record ContainerLaunch(TargetLaunch launch, Where.Container where) {

    LaunchedTarget start(Placeholders values, List<String> more, Path log) {
        LaunchCommand command = command(values, more);
        ContainerSpec spec = spec(command, values);
        List<String> notes = new ArrayList<>();
        String version = Containers.version(spec.engine());
        image().flatMap(name -> Containers.imageId(spec.engine(), name).map(id -> "the image " + name + " is " + id))
                .ifPresent(notes::add);
        Container container = Container.prepare(launch.lab().registry(), spec);
        try {
            PinnedProcess front = front(container, spec, log);
            PinnedProcess process = container.inside(front);
            notes.add(String.format(
                    Locale.ROOT,
                    "%s took about %.2f s to make the container, which is part of the time to the first response",
                    version,
                    (System.nanoTime() - process.launchNanos()) / 1e9));
            otherCpus(process, spec.cpus()).ifPresent(notes::add);
            Optional<CompilerFavour> favour =
                    launch.target().modifier(CompilerPriority.class).map(priority -> CompilerFavour.of(process.pid()));
            return new LaunchedTarget(process, command, favour, Optional.of(container::close), notes);
        } catch (RuntimeException e) {
            container.close();
            throw e;
        }
    }

    /** Makes the container once without running what is in it; why that cannot be done, or empty. */
    Optional<String> refusal() {
        Placeholders nowhere = RunValues.nowhere(Path.of(System.getProperty("java.io.tmpdir")));
        try (Container container =
                Container.prepare(launch.lab().registry(), spec(command(nowhere, List.of()), nowhere))) {
            return container.refusal();
        }
    }

    private PinnedProcess front(Container container, ContainerSpec spec, Path log) {
        return launch.lab()
                .launcher()
                .start(new LaunchSpec(
                        "target", container.command(), Map.of(), Optional.empty(), spec.cpus(), log, Optional.empty()));
    }

    private LaunchCommand command(Placeholders values, List<String> more) {
        return LaunchCommand.elsewhere(launch.filled(values, launch.flags(more)));
    }

    private ContainerSpec spec(LaunchCommand command, Placeholders values) {
        Target target = launch.target();
        OptionalDouble quota = target.modifier(CpuQuota.class)
                .map(modifier -> OptionalDouble.of(modifier.cpus()))
                .orElse(where.cpus());
        OptionalLong memory = target.modifier(MemoryLimit.class)
                .map(modifier -> OptionalLong.of(modifier.bytes()))
                .orElse(where.memoryBytes());
        return new ContainerSpec(
                Containers.engine(where),
                where.contents(),
                command.command(),
                command.environment(),
                target.workingDirectory().map(Path::toString),
                launch.lab().pinTo(launch.cpus().target()),
                quota,
                memory,
                binds(command, values));
    }

    /** What the experiment asks for, and what of Kiln's own the command names, each under the path that it has here. */
    private List<Bind> binds(LaunchCommand command, Placeholders values) {
        List<Bind> binds = new ArrayList<>();
        Target target = launch.target();
        where.mounts().forEach(mount -> binds.add(new Bind(mount.from(), mount.to(), false)));
        if (target.workload().isPresent()) {
            target.workingDirectory().ifPresent(folder -> binds.add(own(folder, false)));
        }
        target.jdkHome().ifPresent(home -> binds.add(own(home, false)));
        Path run = Path.of(values.fill("${" + Placeholders.RUN_DIR + "}"));
        Path cache = launch.lab().cache().toAbsolutePath();
        if (names(command, cache)) {
            binds.add(own(cache, false));
        }
        if (names(command, run)) {
            binds.add(own(run, true));
        }
        return binds;
    }

    private static boolean names(LaunchCommand command, Path folder) {
        return Stream.concat(command.command().stream(), command.environment().values().stream())
                .anyMatch(word -> word.contains(folder.toString()));
    }

    private static Bind own(Path folder, boolean writable) {
        return new Bind(folder, folder.toString(), writable);
    }

    private Optional<String> image() {
        return where.contents() instanceof Image image ? Optional.of(image.name()) : Optional.empty();
    }

    /** Told where a runtime put the target on other CPUs than the lab has for it. */
    private static Optional<String> otherCpus(PinnedProcess process, List<Integer> wanted) {
        String status =
                ProcFs.ofThisMachine().text("proc/" + process.pid() + "/status").orElse("");
        List<Integer> got = CpuLists.parse(ProcStatus.field(status, "Cpus_allowed_list"));
        boolean other = !wanted.isEmpty() && !got.isEmpty() && !got.equals(CpuLists.parse(CpuLists.format(wanted)));
        return other
                ? Optional.of("the container runs on CPUs " + CpuLists.format(got) + " instead of "
                        + CpuLists.format(wanted) + ", which are the target's")
                : Optional.empty();
    }
}
