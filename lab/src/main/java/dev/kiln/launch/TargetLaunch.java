package dev.kiln.launch;

import dev.kiln.host.container.Container;
import dev.kiln.host.container.ContainerSpec;
import dev.kiln.host.container.ContainerSpec.Bind;
import dev.kiln.host.container.Containers;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.host.proc.Topology.CpuLists;
import dev.kiln.host.process.Launcher.LaunchSpec;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.TargetCgroup;
import dev.kiln.host.process.TargetCgroup.CgroupLimits;
import dev.kiln.jvm.LaunchCommand;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Modifier.CompilerPriority;
import dev.kiln.model.experiment.Modifier.MemoryLimit;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.run.RunInfo.Typed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A TargetLaunch launches a target with its modifiers: fewer CPUs, a cgroup, priority for its compilers. */
public record TargetLaunch(Lab lab, Target target) {
    private static final Placeholders UNFILLED =
            new Placeholders(Stream.concat(Placeholders.KNOWN.stream(), Stream.of(Placeholders.BACKEND_PORT))
                    .collect(Collectors.toMap(name -> name, name -> "${" + name + "}")));

    /** Starts the target, with more flags for the JVM after its own. */
    public LaunchedTarget start(Placeholders values, List<String> more, Path log) {
        return switch (target.where()) {
            case Where.Here here -> here(values, more, log);
            case Where.ContainerPlace container -> new InContainer(container).start(values, more, log);
            case Where.HostPlace host -> throw new IllegalArgumentException("started by the Kiln on " + host.name());
            case Where.Running running -> throw started(running);
        };
    }

    private static IllegalArgumentException started(Where.Running running) {
        return new IllegalArgumentException(running.point().words() + " was not started by Kiln");
    }

    private LaunchedTarget here(Placeholders values, List<String> more, Path log) {
        LaunchCommand command = command(values, more);
        Optional<TargetCgroup> cgroup =
                cgroup(lab, target).or(() -> TargetCgroup.holding(ProcFs.ofThisMachine(), lab.registry()));
        try {
            PinnedProcess process = lab.launcher()
                    .start(new LaunchSpec("target", command.command(), log)
                            .withEnvironment(command.environment())
                            .in(target.workingDirectory())
                            .on(lab.pinTo(cpus().target()))
                            .withCgroups(cgroup.map(TargetCgroup::directories).orElse(List.of())));
            Optional<CompilerFavour> favour =
                    target.modifier(CompilerPriority.class).map(priority -> CompilerFavour.of(process.pid()));
            Optional<CpuBoost> boost = target.modifier(Modifier.BoostedStart.class)
                    .map(asked -> CpuBoost.of(cgroup.orElseThrow()::limitCpu, asked, process.launchNanos()));
            return new LaunchedTarget(process, command, favour, boost, cgroup.map(group -> group::close), List.of());
        } catch (RuntimeException e) {
            cgroup.ifPresent(TargetCgroup::close);
            throw e;
        }
    }

    LaunchCommand command(Placeholders values, List<String> more) {
        return LaunchCommand.of(filled(values, flags(more)), System.getenv());
    }

    /** Returns the command as a shell takes it, with its placeholders still in it, and with secrets by name. */
    public List<String> told(List<String> more) {
        Typed typed = typed(more);
        List<String> words = new ArrayList<>();
        new TreeMap<>(lab.secrets().named(typed.environment())).forEach((name, value) -> words.add(name + "=" + value));
        if (!words.isEmpty()) {
            words.addFirst("env");
        }
        words.addAll(typed.command());
        return List.copyOf(words);
    }

    /** Returns the command and environment that were asked for, without what Kiln puts around them. */
    public Typed typed(List<String> more) {
        Optional<Hook> restart = target.hook(Hook.HookMoment.RESTART);
        if (restart.isPresent()) {
            return new Typed(restart.get().command(), target.environment());
        }
        Target unfilled = filled(UNFILLED, flags(more));
        LaunchCommand command = switch (target.where()) {
            case Where.Here here -> LaunchCommand.of(unfilled, path());
            case Where.ContainerPlace container -> LaunchCommand.elsewhere(unfilled);
            // Its JDK is found on that machine.
            case Where.HostPlace host -> LaunchCommand.elsewhere(unfilled.with(Optional.empty()));
            case Where.Running running -> throw started(running);
        };
        return new Typed(command.command(), command.environment());
    }

    /** Returns the PATH alone of Kiln's own environment, so that a JDK's folder can be put in front of it. */
    private static Map<String, String> path() {
        Map<String, String> own = new HashMap<>(System.getenv());
        own.keySet().retainAll(List.of("PATH"));
        return own;
    }

    /** Returns the target's own flags, then those that favour its compilers, then {@code more}. */
    List<String> flags(List<String> more) {
        List<String> flags = new ArrayList<>(target.jvmFlags());
        if (favouredByFlags()) {
            flags.addAll(CompilerPriority.FLAGS);
        }
        flags.addAll(more);
        return flags;
    }

    /** Returns the lab's assignment, with no more CPUs for the target than its modifiers allow. */
    public CpuAssignment cpus() {
        CpuAssignment all = lab.cpus();
        return target.modifier(Modifier.Cpus.class)
                .map(some -> new CpuAssignment(
                        all.target().stream().limit(some.cpus()).toList(),
                        all.load(),
                        all.database(),
                        all.pinned(),
                        all.notes()))
                .orElse(all);
    }

    /** Returns the modifiers as they took effect. */
    public List<String> modifiers() {
        List<String> told = new ArrayList<>();
        if (target.virtualThreads()
                && target.modifier(Modifier.VirtualThreads.class).isEmpty()) {
            told.add(Modifier.VirtualThreads.NAME);
        }
        for (Modifier modifier : target.modifiers()) {
            told.add(
                    modifier instanceof CompilerPriority
                            ? CompilerPriority.NAME + ": " + (favouredByFlags() ? "flags" : "renice")
                            : modifier.text());
        }
        return told;
    }

    static Optional<TargetCgroup> cgroup(Lab lab, Target target) {
        CgroupLimits limits = limits(target, OptionalLong.empty());
        return limits.none()
                ? Optional.empty()
                : Optional.of(TargetCgroup.make(ProcFs.ofThisMachine(), lab.registry(), limits));
    }

    /** Returns the limits of the target's modifiers, or else those of its container. */
    private static CgroupLimits limits(Target target, OptionalLong elseBytes) {
        return new CgroupLimits(
                target.cpuQuotaAtLaunch(),
                target.modifier(MemoryLimit.class)
                        .map(memory -> OptionalLong.of(memory.bytes()))
                        .orElse(elseBytes));
    }

    private boolean favouredByFlags() {
        return target.modifier(CompilerPriority.class)
                .filter(priority -> priority.by() != CompilerPriority.ModifiedBy.RENICE)
                // In a container, a JVM has no right to raise priorities. Kiln can do it from outside.
                .filter(priority -> target.where() instanceof Where.Here)
                .filter(priority -> priority.by() == CompilerPriority.ModifiedBy.FLAGS
                        || JvmOptions.isJava(target.command().getFirst()))
                .isPresent();
    }

    Target filled(Placeholders values, List<String> flags) {
        Map<String, String> environment = new HashMap<>();
        target.environment().forEach((name, value) -> environment.put(name, values.fill(value)));
        return new Target(
                new Target.Program(
                        target.workload(),
                        target.virtualThreads(),
                        target.command().stream().map(values::fill).toList(),
                        target.arguments().stream().map(values::fill).toList(),
                        environment,
                        target.workingDirectory(),
                        List.of()),
                new Target.Jvm(target.jdk(), flags.stream().map(values::fill).toList(), List.of(), Optional.empty()),
                target.readiness());
    }

    /** Creates a target's container once without running its program; returns why that cannot be done. */
    Optional<String> refusal(Where.ContainerPlace container) {
        return new InContainer(container).refusal();
    }

    /** Returns values for a launch to which nobody will connect. */
    public static Placeholders nowhere(Path directory) {
        Map<String, String> values = new HashMap<>();
        Placeholders.KNOWN.forEach(name -> values.put(name, ""));
        values.put(Placeholders.BACKEND_PORT, "1");
        values.put(Placeholders.PORT, "1");
        values.put(Placeholders.RUN_DIR, directory.toAbsolutePath().toString());
        return new Placeholders(values);
    }

    /** An InContainer launches a target in a container. Kiln watches the process in it from outside. */
    private final class InContainer {
        private final Where.ContainerPlace where;

        InContainer(Where.ContainerPlace where) {
            this.where = where;
        }

        LaunchedTarget start(Placeholders values, List<String> more, Path log) {
            LaunchCommand command = inside(values, more);
            ContainerSpec spec = spec(command, values);
            List<String> notes = new ArrayList<>();
            String version = Containers.version(spec.engine());
            Containers.imageId(spec.engine(), where.image())
                    .ifPresent(id -> notes.add("the image " + where.image() + " is " + id));
            Container container = Container.prepare(lab.registry(), spec);
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
                        target.modifier(CompilerPriority.class).map(priority -> CompilerFavour.of(process.pid()));
                return new LaunchedTarget(
                        process, command, favour, Optional.empty(), Optional.of(container::close), notes);
            } catch (RuntimeException e) {
                container.close();
                throw e;
            }
        }

        /** Creates the container once without running its program. Returns why that cannot be done, or empty. */
        Optional<String> refusal() {
            Placeholders nowhere = nowhere(Path.of(System.getProperty("java.io.tmpdir")));
            try (Container container = Container.prepare(lab.registry(), spec(inside(nowhere, List.of()), nowhere))) {
                return container.refusal();
            }
        }

        private PinnedProcess front(Container container, ContainerSpec spec, Path log) {
            return lab.launcher().start(new LaunchSpec("target", container.command(), log).on(spec.cpus()));
        }

        private LaunchCommand inside(Placeholders values, List<String> more) {
            return LaunchCommand.elsewhere(filled(values, flags(more)));
        }

        private ContainerSpec spec(LaunchCommand command, Placeholders values) {
            return new ContainerSpec(
                    Containers.engine(where),
                    where.image(),
                    command.command(),
                    command.environment(),
                    target.workingDirectory().map(Path::toString),
                    lab.pinTo(cpus().target()),
                    limits(target, where.memoryBytes()),
                    binds(command, values));
        }

        /** Returns the experiment's mounts, and those of Kiln's folders that the command names. */
        private List<Bind> binds(LaunchCommand command, Placeholders values) {
            List<Bind> binds = new ArrayList<>();
            where.mounts().forEach(mount -> binds.add(new Bind(mount.from(), mount.to(), false)));
            if (target.workload().isPresent()) {
                target.workingDirectory().ifPresent(folder -> binds.add(own(folder, false)));
            }
            target.jdkHome().ifPresent(home -> binds.add(own(home, false)));
            Path run = Path.of(values.fill("${" + Placeholders.RUN_DIR + "}"));
            Path cache = lab.cache().toAbsolutePath();
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

        /** Returns a note if the engine put the target on other CPUs than those of the lab's plan. */
        private static Optional<String> otherCpus(PinnedProcess process, List<Integer> wanted) {
            String status = ProcFs.ofThisMachine()
                    .text("proc/" + process.pid() + "/status")
                    .orElse("");
            List<Integer> got = CpuLists.parse(ProcStatus.field(status, "Cpus_allowed_list"));
            boolean other = !wanted.isEmpty() && !got.isEmpty() && !got.equals(CpuLists.parse(CpuLists.format(wanted)));
            return other
                    ? Optional.of("the container runs on CPUs " + CpuLists.format(got) + " instead of "
                            + CpuLists.format(wanted) + ", which are the target's")
                    : Optional.empty();
        }
    }
}
