package dev.kiln.host;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Where;
import dev.kiln.model.Where.Engine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What this machine has to make containers with. */
public final class Containers {
    /** A line of the log of runc, which both hand on. */
    private static final Pattern LOGGED = Pattern.compile("msg=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private static final Pattern PREFIX = Pattern.compile("^(docker: )?(Error response from daemon: |Error: )?");

    private static final Pattern ABSENT =
            Pattern.compile("no such container|container (\\S+ )?does not exist", Pattern.CASE_INSENSITIVE);

    /** Docker's daemon removes by itself what has ended, and refuses to do so twice at a time. */
    private static final String UNDER_WAY = "is already in progress";

    /** Of 0.1 s each. */
    private static final int REMOVAL_WAITS = 100;

    private Containers() {}

    /**
     * What makes this container: the runtime that it names, or the first that is found.
     *
     * @throws KilnException where there is none
     */
    public static Engine engine(Where.Container container) {
        List<Engine> candidates = container.engine().map(List::of).orElse(List.of(Engine.PODMAN, Engine.DOCKER));
        return candidates.stream()
                .filter(engine -> Programs.find(engine.id()).isPresent())
                .findFirst()
                .orElseThrow(() -> none(candidates));
    }

    private static KilnException none(List<Engine> candidates) {
        return new KilnException(
                Exit.MACHINE,
                "no program '" + candidates.stream().map(Engine::id).collect(Collectors.joining("' or '"))
                        + "' in the PATH",
                "install it: apt-get install " + candidates.getFirst().id() + ", or dnf install "
                        + candidates.getFirst().id());
    }

    /** The runtime and its version, such as {@code podman 4.3.1}. */
    public static String version(Engine engine) {
        Programs.Answer answer = ask(ContainerCommands.version(engine));
        Matcher number = Pattern.compile("\\d+\\.\\d+\\S*").matcher(answer.output());
        return engine.id() + (answer.exit() == 0 && number.find() ? " " + number.group() : "");
    }

    /** Why a runtime that is installed answers nothing, or empty. */
    public static Optional<String> unreachable(Engine engine) {
        Programs.Answer answer = ask(ContainerCommands.version(engine));
        return answer.exit() == 0 ? Optional.empty() : Optional.of(complaint(answer.output()));
    }

    /** The id of an image that the runtime has. */
    public static Optional<String> imageId(Engine engine, String image) {
        Programs.Answer answer = ask(ContainerCommands.imageId(engine, image));
        return answer.exit() == 0 ? Optional.of(answer.output().strip()) : Optional.empty();
    }

    /** Removes a container that a dead Kiln left. */
    public static ContainerRemover.Removal removeOrphan(Engine engine, String name) {
        boolean existed = ask(ContainerCommands.exists(engine, name)).exit() == 0;
        return new ContainerRemover.Removal(existed, remove(engine, name));
    }

    /** Ends and removes it; why it may still be there, or empty, also where there is none. */
    static Optional<String> remove(Engine engine, String name) {
        for (int waits = 0; ; waits++) {
            Programs.Answer answer = ask(ContainerRemover.command(engine, name));
            // What does not answer tells nothing of its containers.
            if (answer.exit() == 0 || ABSENT.matcher(answer.output()).find()) {
                return Optional.empty();
            }
            if (waits >= REMOVAL_WAITS || !answer.output().contains(UNDER_WAY)) {
                return Optional.of(complaint(answer.output()));
            }
            LockSupport.parkNanos(100_000_000);
        }
    }

    static Programs.Answer ask(List<String> command) {
        return Programs.run(found(command));
    }

    /** With the place of its program, which a user's PATH may leave out. */
    static List<String> found(List<String> command) {
        return Programs.find(command.getFirst())
                .map(program -> Stream.concat(
                                Stream.of(program.toString()), command.subList(1, command.size()).stream())
                        .toList())
                .orElse(command);
    }

    /** The error in what a runtime said, without what stands around it. */
    static String complaint(String output) {
        String last = output.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("Run 'docker") && !line.startsWith("See 'docker"))
                .reduce("", (before, line) -> line);
        Matcher logged = LOGGED.matcher(last);
        String said = logged.find() ? logged.group(1).replace("\\\"", "\"") : last;
        return PREFIX.matcher(said.strip()).replaceFirst("");
    }
}
