package dev.kiln.host.container;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.process.ContainerRemover;
import dev.kiln.host.process.Programs;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.ContainerEngine;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Containers are made by the engines of this machine: podman and docker. */
public final class Containers {
    /** A line of runc's log, which both engines pass on. */
    private static final Pattern LOGGED = Pattern.compile("msg=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private static final Pattern PREFIX = Pattern.compile("^(docker: )?(Error response from daemon: |Error: )?");

    private static final Pattern ABSENT =
            Pattern.compile("no such container|container (\\S+ )?does not exist", Pattern.CASE_INSENSITIVE);

    /** Docker's daemon removes a container by itself when it ends, and refuses a second removal meanwhile. */
    private static final String UNDER_WAY = "is already in progress";

    /** Kiln tries so many waits of 0.1 s each. */
    private static final int REMOVAL_WAITS = 100;

    private Containers() {}

    /** Returns the engine that a container names, or the first one installed; fails without any. */
    public static ContainerEngine engine(Where.ContainerPlace container) {
        return found(container).orElseThrow(() -> none(candidates(container)));
    }

    /** Returns the error that a container's engine or image is lacking here; empty where both are there. */
    public static Optional<KilnException> lacking(Where.ContainerPlace container) {
        Optional<ContainerEngine> found = found(container);
        if (found.isEmpty()) {
            return Optional.of(none(candidates(container)));
        }
        ContainerEngine engine = found.get();
        Optional<String> silent = engine == ContainerEngine.DOCKER ? unreachable(engine) : Optional.empty();
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

    private static Optional<ContainerEngine> found(Where.ContainerPlace container) {
        return candidates(container).stream()
                .filter(engine -> Programs.find(engine.id()).isPresent())
                .findFirst();
    }

    private static List<ContainerEngine> candidates(Where.ContainerPlace container) {
        return container.engine().map(List::of).orElse(List.of(ContainerEngine.PODMAN, ContainerEngine.DOCKER));
    }

    private static KilnException none(List<ContainerEngine> candidates) {
        return KilnException.machine(
                "no program '" + candidates.stream().map(ContainerEngine::id).collect(Collectors.joining("' or '"))
                        + "' in the PATH",
                "install it: apt-get install " + candidates.getFirst().id() + ", or dnf install "
                        + candidates.getFirst().id());
    }

    /** A ContainerLook is what the engines of this machine say of a container's name. */
    public sealed interface ContainerLook {
        /** The container runs, and this is its first process. */
        record Runs(ProcStat first) implements ContainerLook {}

        /** The container is there and has no process. */
        record Stands(ContainerEngine engine, String state) implements ContainerLook {}

        /** The engine names a process that is not of the container on this machine. */
        record RunsElsewhere(ContainerEngine engine, int pid) implements ContainerLook {}

        /** @param asked the engines that were asked, and what each said */
        record NotKnown(Map<ContainerEngine, String> asked) implements ContainerLook {
            public NotKnown {
                asked = Map.copyOf(asked);
            }
        }
    }

    /** Asks the engines that are installed for a container that somebody else started. */
    public static ContainerLook look(ProcFs fs, String name) {
        Map<ContainerEngine, String> asked = new EnumMap<>(ContainerEngine.class);
        for (ContainerEngine engine : ContainerEngine.values()) {
            if (Programs.find(engine.id()).isPresent()) {
                Programs.ProgramAnswer answer = ask(ContainerCommands.stateOf(engine, name));
                String[] words = answer.output()
                        .lines()
                        // Warnings may stand before it.
                        .reduce("", (before, line) -> line)
                        .strip()
                        .split("\\s+", 3);
                if (answer.exit() == 0 && words.length == 3 && words[0].matches("\\d{1,9}")) {
                    return look(fs, engine, Integer.parseInt(words[0]), words[1], words[2]);
                }
                asked.put(engine, complaint(answer.output()));
            }
        }
        return new ContainerLook.NotKnown(asked);
    }

    private static ContainerLook look(ProcFs fs, ContainerEngine engine, int pid, String id, String state) {
        if (pid == 0) {
            return new ContainerLook.Stands(engine, state);
        }
        return fs.stat(pid)
                .filter(stat -> !stat.isDead() && FirstProcess.isIn(fs, stat, id))
                .<ContainerLook>map(ContainerLook.Runs::new)
                .orElseGet(() -> new ContainerLook.RunsElsewhere(engine, pid));
    }

    /** Returns the engine and its version, such as {@code podman 4.3.1}. */
    public static String version(ContainerEngine engine) {
        Programs.ProgramAnswer answer = ask(ContainerCommands.version(engine));
        Matcher number = Pattern.compile("\\d+\\.\\d+\\S*").matcher(answer.output());
        return engine.id() + (answer.exit() == 0 && number.find() ? " " + number.group() : "");
    }

    /** Says why an installed engine does not answer; empty if it does. */
    public static Optional<String> unreachable(ContainerEngine engine) {
        Programs.ProgramAnswer answer = ask(ContainerCommands.version(engine));
        return answer.exit() == 0 ? Optional.empty() : Optional.of(complaint(answer.output()));
    }

    /** Returns the id of an image; empty if the engine does not have it. */
    public static Optional<String> imageId(ContainerEngine engine, String image) {
        Programs.ProgramAnswer answer = ask(ContainerCommands.imageId(engine, image));
        return answer.exit() == 0 ? Optional.of(answer.output().strip()) : Optional.empty();
    }

    /** Removes a container that a dead Kiln left. */
    public static ContainerRemover.Removal removeOrphan(ContainerEngine engine, String name) {
        boolean existed = ask(ContainerCommands.exists(engine, name)).exit() == 0;
        return new ContainerRemover.Removal(existed, remove(engine, name));
    }

    /** Ends and removes a container. Returns why it may still be there; empty if it is gone or never existed. */
    static Optional<String> remove(ContainerEngine engine, String name) {
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

    /** Returns the command with the full path of its program, because the user's PATH may lack it. */
    static List<String> found(List<String> command) {
        return Programs.find(command.getFirst())
                .map(program -> Stream.concat(
                                Stream.of(program.toString()), command.subList(1, command.size()).stream())
                        .toList())
                .orElse(command);
    }

    /** Returns the error message in an engine's output, without the text around it. */
    static String complaint(String output) {
        String last = output.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("Run 'docker") && !line.startsWith("See 'docker"))
                .reduce("", (before, line) -> line);
        Matcher logged = LOGGED.matcher(last);
        String said = logged.find() ? logged.group(1).replace("\\\"", "\"") : last;
        return PREFIX.matcher(said.strip()).replaceFirst("");
    }
}
