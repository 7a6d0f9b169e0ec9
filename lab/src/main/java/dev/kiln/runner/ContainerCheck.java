package dev.kiln.runner;

import dev.kiln.host.Containers;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Variant;
import dev.kiln.model.Where;
import dev.kiln.model.Where.Engine;
import dev.kiln.model.Where.Image;
import java.util.regex.Pattern;

/** Whether this machine makes a variant's container, found out by making it once before anything runs. */
record ContainerCheck(Lab lab, Variant variant) {
    /** What runc says, and what podman and docker hand on from it. */
    private static final Pattern NO_PROGRAM =
            Pattern.compile("exec: \"(?<program>[^\"]*)\": (executable file not found|stat |.*no such file)");

    private static final Pattern FORBIDDEN =
            Pattern.compile("permission denied|operation not permitted|rootless", Pattern.CASE_INSENSITIVE);

    void check() {
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
        if (container.contents() instanceof Image image
                && Containers.imageId(engine, image.name()).isEmpty()) {
            throw machine(
                    engine.id() + " has no image '" + image.name() + "'",
                    "Kiln pulls nothing by itself: " + engine.id() + " pull " + image.name());
        }
        new ContainerLaunch(new TargetLaunch(lab, variant.target()), container)
                .refusal()
                .ifPresent(why -> {
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
