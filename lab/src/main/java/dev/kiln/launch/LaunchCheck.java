package dev.kiln.launch;

import dev.kiln.host.Containers;
import dev.kiln.host.LaunchSpec;
import dev.kiln.host.LimitedCgroup;
import dev.kiln.host.LogTail;
import dev.kiln.host.Niceness;
import dev.kiln.host.PinnedProcess;
import dev.kiln.jvm.AotFlags;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.jvm.LaunchCommand;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.Modifier;
import dev.kiln.model.Modifier.CompilerPriority;
import dev.kiln.model.Modifier.CpuQuota;
import dev.kiln.model.Modifier.MemoryLimit;
import dev.kiln.model.Modifier.NoAotReplay;
import dev.kiln.model.Target;
import dev.kiln.model.Variant;
import dev.kiln.model.Where;
import dev.kiln.model.Where.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Whether this machine lets a variant be changed as it asks, found out by doing each thing once before anything runs. */
public record LaunchCheck(Lab lab, Variant variant) {
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
            throw new KilnException(
                    Exit.MACHINE,
                    of() + "compiler-priority: not permitted to favour threads",
                    "run Kiln as root, give it CAP_SYS_NICE, or let the user favour its own:"
                            + " '- nice -20' in /etc/security/limits.conf");
        }
    }

    private void requireCpus(int asked) {
        if (!lab.cpus().pinned()) {
            throw new KilnException(
                    Exit.MACHINE,
                    of() + "cpus: this machine does not let processes be pinned",
                    "leave it out, or use cpu-quota");
        }
        if (asked > lab.cpus().target().size()) {
            throw new KilnException(
                    Exit.MACHINE,
                    of() + "cpus: asks for " + asked + " CPUs, and the target has "
                            + lab.cpus().target().size(),
                    "give the target more: cpus: {target: 0-3}");
        }
    }

    private void requireAot(String what) {
        jdk().filter(jdk -> jdk.feature() > 0 && jdk.feature() < AotFlags.SINCE).ifPresent(jdk -> {
            throw new KilnException(
                    Exit.USAGE,
                    of() + what + " JDK " + AotFlags.SINCE + " or later; " + jdk.home() + " is " + jdk.version(),
                    "name another: jdk: HOME");
        });
    }

    /** The one that will be launched; unknown for a start script. */
    private Optional<Jdk> jdk() {
        Target target = variant.target();
        String program = target.command().getFirst();
        if (target.jdkHome().isPresent()) {
            return Optional.of(JdkFinder.at(target.jdkHome().get()));
        }
        if (!LaunchCommand.isJava(program) || !(target.where() instanceof Where.Here)) {
            return Optional.empty();
        }
        return program.contains("/") ? JdkFinder.of(Path.of(program)) : Optional.of(JdkFinder.current());
    }

    private void enterCgroup(Target target) {
        Optional<LimitedCgroup> cgroup = TargetLaunch.cgroup(lab, target);
        try {
            Path said = Files.createTempFile("kiln-cgroup-", ".log");
            try {
                enter(cgroup.map(LimitedCgroup::directories).orElse(List.of()), said);
            } finally {
                Files.deleteIfExists(said);
            }
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot make a file in " + System.getProperty("java.io.tmpdir") + ": " + IoReason.of(e),
                    "make room there, or name another folder: JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR",
                    e);
        } finally {
            cgroup.ifPresent(LimitedCgroup::close);
        }
    }

    private void enter(List<Path> directories, Path said) {
        PinnedProcess entered = lab.launcher()
                .start(new LaunchSpec(
                        "probe",
                        List.of("/bin/sh", "-c", ":"),
                        Map.of(),
                        Optional.empty(),
                        List.of(),
                        said,
                        Optional.empty(),
                        directories));
        int exit = entered.onExit().join();
        entered.stop(Duration.ZERO);
        if (exit != 0) {
            throw new KilnException(
                    Exit.MACHINE,
                    of() + "a process could not be moved into a cgroup: " + LogTail.lastLines(said, 1),
                    "run Kiln as root, or in a cgroup that its user may divide (Delegate=yes of systemd)");
        }
    }

    private String of() {
        return "variant " + variant.name() + ": ";
    }

    /** Whether this machine makes a variant's container, found out by making it once before anything runs. */
    public record ContainerCheck(Lab lab, Variant variant) {
        /** What runc says, and what podman and docker hand on from it. */
        private static final Pattern NO_PROGRAM =
                Pattern.compile("exec: \"(?<program>[^\"]*)\": (executable file not found|stat |.*no such file)");

        private static final Pattern FORBIDDEN =
                Pattern.compile("permission denied|operation not permitted|rootless", Pattern.CASE_INSENSITIVE);

        public void check() {
            if (variant.target().where() instanceof Where.Container container) {
                check(container);
            }
        }

        private void check(Where.Container container) {
            Engine engine = engine(container);
            if (engine == Engine.DOCKER) {
                Containers.unreachable(engine).ifPresent(why -> {
                    throw machine(
                            "docker does not answer: " + why,
                            "start it (systemctl start docker), let this user use it (group docker), or name another runtime:"
                                    + " container: {runtime: podman}");
                });
            }
            if (Containers.imageId(engine, container.image()).isEmpty()) {
                throw machine(
                        engine.id() + " has no image '" + container.image() + "'",
                        "Kiln pulls nothing by itself: " + engine.id() + " pull " + container.image());
            }
            new TargetLaunch(lab, variant.target()).refusal(container).ifPresent(why -> {
                throw refused(engine, why);
            });
        }

        private Engine engine(Where.Container container) {
            try {
                return Containers.engine(container);
            } catch (KilnException e) {
                throw machine(String.valueOf(e.getMessage()), e.remedy());
            }
        }

        private KilnException refused(Engine engine, String why) {
            var program = NO_PROGRAM.matcher(why);
            if (program.find()) {
                return new KilnException(
                        Exit.USAGE,
                        of() + "no program '" + program.group("program") + "' in the container",
                        "the command is looked up among the container's files: name a program that is there, or lend it a JDK"
                                + " of this machine (jdk: 25)");
            }
            if (FORBIDDEN.matcher(why).find()) {
                return machine(
                        "not permitted to make one with " + engine.id() + ": " + why,
                        engine == Engine.PODMAN
                                ? "run Kiln as root, or take away what podman may not limit (cpus, memory)"
                                : "run Kiln as root, or name a runtime that needs no root: container: {runtime: podman}");
            }
            return machine(engine.id() + " cannot make it: " + why, "see docs/reference/targets.md");
        }

        private KilnException machine(String what, String remedy) {
            return new KilnException(Exit.MACHINE, of() + what, remedy);
        }

        private String of() {
            return "variant " + variant.name() + ": container: ";
        }
    }
}
