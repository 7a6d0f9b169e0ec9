package dev.kiln.host.container;

import dev.kiln.host.process.ContainerRemover;
import dev.kiln.host.process.Programs;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.Engine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The container engines of this machine: podman and docker. */
public final class Containers {
    /** A line of runc's log, which both engines pass on. */
    private static final Pattern LOGGED = Pattern.compile("msg=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private static final Pattern PREFIX = Pattern.compile("^(docker: )?(Error response from daemon: |Error: )?");

    private static final Pattern ABSENT =
            Pattern.compile("no such container|container (\\S+ )?does not exist", Pattern.CASE_INSENSITIVE);

    /** Docker's daemon removes a container by itself when it ends, and refuses a second removal meanwhile. */
    private static final String UNDER_WAY = "is already in progress";

    /** Number of waits, of 0.1 s each. */
    private static final int REMOVAL_WAITS = 100;

    private Containers() {}

    /**
     * The engine for a container: the one that it names, or the first one installed.
     *
     * @throws KilnException where there is none
     */
    public static Engine engine(Where.Container container) {
        return found(container).orElseThrow(() -> none(candidates(container)));
    }

    /**
     * Returns what this machine lacks for a container, as an error: an engine that answers, or the image. Empty where it has
     * both.
     */
    public static Optional<KilnException> lacking(Where.Container container) {
        Optional<Engine> found = found(container);
        if (found.isEmpty()) {
            return Optional.of(none(candidates(container)));
        }
        Engine engine = found.get();
        Optional<String> silent = engine == Engine.DOCKER ? unreachable(engine) : Optional.empty();
        if (silent.isPresent()) {
            return Optional.of(KilnException.machine(
                    "docker does not answer: " + silent.get(),
                    "start it (systemctl start docker), let this user use it (group docker), or name another runtime:"
                            + " container: {runtime: podman}"));
        }
        return imageId(engine, container.image()).isPresent()
                ? Optional.empty()
                : Optional.of(KilnException.machine(
                        engine.id() + " has no image '" + container.image() + "'",
                        "Kiln does not pull images. Pull it: " + engine.id() + " pull " + container.image()));
    }

    private static Optional<Engine> found(Where.Container container) {
        return candidates(container).stream()
                .filter(engine -> Programs.find(engine.id()).isPresent())
                .findFirst();
    }

    private static List<Engine> candidates(Where.Container container) {
        return container.engine().map(List::of).orElse(List.of(Engine.PODMAN, Engine.DOCKER));
    }

    private static KilnException none(List<Engine> candidates) {
        return KilnException.machine(
                "no program '" + candidates.stream().map(Engine::id).collect(Collectors.joining("' or '"))
                        + "' in the PATH",
                "install it: apt-get install " + candidates.getFirst().id() + ", or dnf install "
                        + candidates.getFirst().id());
    }

    /** The engine and its version, such as {@code podman 4.3.1}. */
    public static String version(Engine engine) {
        Programs.ProgramAnswer answer = ask(ContainerCommands.version(engine));
        Matcher number = Pattern.compile("\\d+\\.\\d+\\S*").matcher(answer.output());
        return engine.id() + (answer.exit() == 0 && number.find() ? " " + number.group() : "");
    }

    /** Says why an installed engine does not answer; empty if it does. */
    public static Optional<String> unreachable(Engine engine) {
        Programs.ProgramAnswer answer = ask(ContainerCommands.version(engine));
        return answer.exit() == 0 ? Optional.empty() : Optional.of(complaint(answer.output()));
    }

    /** The id of an image; empty if the engine does not have it. */
    public static Optional<String> imageId(Engine engine, String image) {
        Programs.ProgramAnswer answer = ask(ContainerCommands.imageId(engine, image));
        return answer.exit() == 0 ? Optional.of(answer.output().strip()) : Optional.empty();
    }

    /** Removes a container that a dead Kiln left. */
    public static ContainerRemover.Removal removeOrphan(Engine engine, String name) {
        boolean existed = ask(ContainerCommands.exists(engine, name)).exit() == 0;
        return new ContainerRemover.Removal(existed, remove(engine, name));
    }

    /** Ends and removes a container. Returns why it may still be there; empty if it is gone or never existed. */
    static Optional<String> remove(Engine engine, String name) {
        for (int waits = 0; ; waits++) {
            Programs.ProgramAnswer answer = ask(ContainerRemover.command(engine, name));
            // An engine that does not answer may still have the container.
            if (answer.exit() == 0 || ABSENT.matcher(answer.output()).find()) {
                return Optional.empty();
            }
            if (waits >= REMOVAL_WAITS || !answer.output().contains(UNDER_WAY)) {
                return Optional.of(complaint(answer.output()));
            }
            LockSupport.parkNanos(100_000_000);
        }
    }

    static Programs.ProgramAnswer ask(List<String> command) {
        return Programs.run(found(command));
    }

    /** The command with the full path of its program, because the user's PATH may lack it. */
    static List<String> found(List<String> command) {
        return Programs.find(command.getFirst())
                .map(program -> Stream.concat(
                                Stream.of(program.toString()), command.subList(1, command.size()).stream())
                        .toList())
                .orElse(command);
    }

    /** The error message in an engine's output, without the text around it. */
    static String complaint(String output) {
        String last = output.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("Run 'docker") && !line.startsWith("See 'docker"))
                .reduce("", (before, line) -> line);
        Matcher logged = LOGGED.matcher(last);
        String said = logged.find() ? logged.group(1).replace("\\\"", "\"") : last;
        return PREFIX.matcher(said.strip()).replaceFirst("");
    }
}
