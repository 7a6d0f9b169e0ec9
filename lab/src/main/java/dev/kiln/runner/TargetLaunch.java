package dev.kiln.runner;

import dev.kiln.host.LaunchSpec;
import dev.kiln.host.LimitedCgroup;
import dev.kiln.host.PinnedProcess;
import dev.kiln.host.ProcFs;
import dev.kiln.jvm.LaunchCommand;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.Modifier;
import dev.kiln.model.Modifier.CompilerPriority;
import dev.kiln.model.Placeholders;
import dev.kiln.model.Target;
import dev.kiln.model.Where;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Launches a target the way its modifiers want it: on fewer CPUs, in a cgroup of its own, with its compilers favoured. */
record TargetLaunch(Lab lab, Target target) {
    /** The policy makes the JVM hand priorities to the kernel at all. */
    private static final List<String> FAVOUR_FLAGS =
            List.of("-XX:ThreadPriorityPolicy=1", "-XX:CompilerThreadPriority=-20");

    /**
     * Starts it.
     *
     * @param more flags for the JVM, behind the target's own
     */
    LaunchedTarget start(Placeholders values, List<String> more, Path log) {
        return switch (target.where()) {
            case Where.Here here -> here(values, more, log);
            case Where.Container container -> new ContainerLaunch(this, container).start(values, more, log);
            case Where.Host host -> throw new IllegalArgumentException("started by the Kiln on " + host.name());
        };
    }

    private LaunchedTarget here(Placeholders values, List<String> more, Path log) {
        LaunchCommand command = command(values, more);
        Optional<LimitedCgroup> cgroup = cgroup(lab, target);
        try {
            PinnedProcess process = lab.launcher()
                    .start(new LaunchSpec(
                            "target",
                            command.command(),
                            command.environment(),
                            target.workingDirectory(),
                            lab.pinTo(cpus().target()),
                            log,
                            Optional.empty(),
                            cgroup.map(LimitedCgroup::directories).orElse(List.of())));
            Optional<CompilerFavour> favour =
                    target.modifier(CompilerPriority.class).map(priority -> CompilerFavour.of(process.pid()));
            return new LaunchedTarget(process, command, favour, cgroup.map(group -> group::close));
        } catch (RuntimeException e) {
            cgroup.ifPresent(LimitedCgroup::close);
            throw e;
        }
    }

    LaunchCommand command(Placeholders values, List<String> more) {
        return LaunchCommand.of(filled(values, flags(more)), Path.of(System.getProperty("java.home")), System.getenv());
    }

    /** The target's own, and those behind them. */
    List<String> flags(List<String> more) {
        List<String> flags = new ArrayList<>(target.jvmFlags());
        if (favouredByFlags()) {
            flags.addAll(FAVOUR_FLAGS);
        }
        flags.addAll(more);
        return flags;
    }

    /** The lab's, with no more CPUs for the target than it may have. */
    CpuAssignment cpus() {
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

    /** The modifiers as they took effect. */
    List<String> modifiers() {
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

    static Optional<LimitedCgroup> cgroup(Lab lab, Target target) {
        Optional<Modifier.CpuQuota> quota = target.modifier(Modifier.CpuQuota.class);
        Optional<Modifier.MemoryLimit> memory = target.modifier(Modifier.MemoryLimit.class);
        LimitedCgroup.Limits limits = new LimitedCgroup.Limits(
                quota.isPresent() ? OptionalDouble.of(quota.get().cpus()) : OptionalDouble.empty(),
                memory.isPresent() ? OptionalLong.of(memory.get().bytes()) : OptionalLong.empty());
        return limits.none()
                ? Optional.empty()
                : Optional.of(LimitedCgroup.make(ProcFs.ofThisMachine(), lab.registry(), limits));
    }

    private boolean favouredByFlags() {
        return target.modifier(CompilerPriority.class)
                .filter(priority -> priority.by() != CompilerPriority.By.RENICE)
                // In a container a JVM lacks the right to favour its threads; from outside they can be.
                .filter(priority -> target.where() instanceof Where.Here)
                .filter(priority -> priority.by() == CompilerPriority.By.FLAGS
                        || LaunchCommand.isJava(target.command().getFirst()))
                .isPresent();
    }

    Target filled(Placeholders values, List<String> flags) {
        Map<String, String> environment = new HashMap<>();
        target.environment().forEach((name, value) -> environment.put(name, values.fill(value)));
        return new Target(
                target.command().stream().map(values::fill).toList(),
                target.workload(),
                target.virtualThreads(),
                environment,
                target.workingDirectory(),
                target.jdk(),
                flags.stream().map(values::fill).toList(),
                target.arguments().stream().map(values::fill).toList(),
                target.readiness());
    }
}
