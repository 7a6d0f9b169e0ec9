package dev.kiln.launch;

import dev.kiln.host.container.Containers;
import dev.kiln.host.process.Launcher.LaunchSpec;
import dev.kiln.host.process.LogTail;
import dev.kiln.host.process.Niceness;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Scratch;
import dev.kiln.host.process.TargetCgroup;
import dev.kiln.jvm.AotFlags;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Modifier.BoostedStart;
import dev.kiln.model.experiment.Modifier.CompilerPriority;
import dev.kiln.model.experiment.Modifier.CpuQuota;
import dev.kiln.model.experiment.Modifier.MemoryLimit;
import dev.kiln.model.experiment.Modifier.NoAotReplay;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.ContainerEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A LaunchCheck finds out, by doing each thing once, whether this machine can launch a variant. */
public record LaunchCheck(Lab lab, Variant variant) {
    /** Tries each thing that the launch needs, and throws at the first that this machine lacks. */
    public void check() {
        Target target = variant.target();
        target.modifiers().forEach(this::check);
        if (target.aot().isPresent()) {
            requireAot("AOT caches need");
        }
        // A container's runtime makes the cgroup.
        if (!(target.where() instanceof Where.Here)) {
            return;
        }
        if (target.modifier(CpuQuota.class).isPresent()
                || target.modifier(BoostedStart.class).isPresent()
                || target.modifier(MemoryLimit.class).isPresent()) {
            enterCgroup(target);
        }
    }

    private void check(Modifier modifier) {
        if (modifier instanceof Modifier.Cpus some) {
            requireCpus(some.cpus());
        }
        if (modifier instanceof NoAotReplay) {
            requireAot(modifier.name() + " needs");
        }
        if (modifier instanceof CompilerPriority && !Niceness.mayFavour()) {
            throw KilnException.machine(
                    prefix() + "compiler-priority: not permitted to raise the priority of threads",
                    "run Kiln as root, give it CAP_SYS_NICE, or let its user raise priorities:"
                            + " '- nice -20' in /etc/security/limits.conf");
        }
    }

    private void requireCpus(int asked) {
        if (!lab.cpus().pinned()) {
            throw KilnException.machine(
                    prefix() + "cpus: this machine does not let Kiln pin processes", "leave it out, or use cpu-quota");
        }
        if (asked > lab.cpus().target().size()) {
            throw KilnException.machine(
                    prefix() + "cpus: asks for " + asked + " CPUs, but the target has only "
                            + lab.cpus().target().size(),
                    "give the target more: cpus: {target: 0-3}");
        }
    }

    private void requireAot(String what) {
        jdk().filter(jdk -> jdk.feature() > 0 && jdk.feature() < AotFlags.SINCE).ifPresent(jdk -> {
            throw KilnException.usage(
                    prefix() + what + " JDK " + AotFlags.SINCE + " or later; " + jdk.home() + " is " + jdk.version(),
                    "name another: --jdk HOME, or jdk: HOME in the experiment file; kiln jdks lists those of this machine");
        });
    }

    /** Returns the JDK that the launch will use; unknown for a start script. */
    private Optional<Jdk> jdk() {
        return variant.target().where() instanceof Where.Here
                ? JdkFinder.launching(variant.target())
                : variant.target().jdkHome().map(JdkFinder::at);
    }

    private void enterCgroup(Target target) {
        Optional<TargetCgroup> cgroup = TargetLaunch.cgroup(lab, target);
        try {
            try (Scratch scratch = Scratch.make("cgroup")) {
                enter(
                        cgroup.map(TargetCgroup::directories).orElse(List.of()),
                        scratch.folder().resolve("said.log"));
            }
        } catch (IOException e) {
            throw KilnException.machine(
                    e,
                    "cannot make a file in " + System.getProperty("java.io.tmpdir"),
                    "make room there, or name another folder: JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR");
        } finally {
            cgroup.ifPresent(TargetCgroup::close);
        }
    }

    private void enter(List<Path> directories, Path log) {
        PinnedProcess entered = lab.launcher()
                .start(new LaunchSpec("probe", List.of("/bin/sh", "-c", ":"), log).withCgroups(directories));
        int exit = entered.onExit().join();
        entered.stop(Duration.ZERO);
        if (exit != 0) {
            throw KilnException.machine(
                    prefix() + "a process could not be moved into a cgroup: " + LogTail.lastLines(log, 1),
                    "run Kiln as root, or in a cgroup that its user may divide (Delegate=yes of systemd)");
        }
    }

    private String prefix() {
        return "variant " + variant.name() + ": ";
    }

    /** A ContainerCheck finds out whether this machine can create a variant's container: it creates one. */
    public record ContainerCheck(Lab lab, Variant variant) {
        /** The pattern matches an error of runc, as podman and docker pass it on. */
        private static final Pattern NO_PROGRAM =
                Pattern.compile("exec: \"(?<program>[^\"]*)\": (executable file not found|stat |.*no such file)");

        private static final Pattern FORBIDDEN =
                Pattern.compile("permission denied|operation not permitted|rootless", Pattern.CASE_INSENSITIVE);

        public void check() {
            if (variant.target().where() instanceof Where.ContainerPlace container) {
                check(container);
            }
        }

        private void check(Where.ContainerPlace container) {
            Containers.lacking(container).ifPresent(lack -> {
                throw machine(String.valueOf(lack.getMessage()), lack.remedy());
            });
            new TargetLaunch(lab, variant.target()).refusal(container).ifPresent(why -> {
                throw refused(Containers.engine(container), why);
            });
        }

        private KilnException refused(ContainerEngine engine, String why) {
            var program = NO_PROGRAM.matcher(why);
            if (program.find()) {
                return KilnException.usage(
                        prefix() + "no program '" + program.group("program") + "' in the container",
                        "the command must be a program in the container: name one that is there, or give the container a JDK"
                                + " of this machine (jdk: 25)");
            }
            if (FORBIDDEN.matcher(why).find()) {
                return machine(
                        "no permission to create it with " + engine.id() + ": " + why,
                        engine == ContainerEngine.PODMAN
                                ? "run Kiln as root, or remove the limits that podman may not set (cpus, memory)"
                                : "run Kiln as root, or name a runtime that needs no root: container: {runtime: podman}");
            }
            return machine(engine.id() + " cannot create it: " + why, "kiln help targets says what Kiln needs for it");
        }

        private KilnException machine(String what, String remedy) {
            return KilnException.machine(prefix() + what, remedy);
        }

        private String prefix() {
            return "variant " + variant.name() + ": container: ";
        }
    }
}
