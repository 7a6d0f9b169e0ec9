package dev.kiln.host.container;

import dev.kiln.files.InputFile;
import dev.kiln.host.container.ContainerCommands.ProcessLimits;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Programs;
import dev.kiln.host.process.Trees;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.Secrets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A Container is one that Kiln makes. Closing this removes it; if Kiln is killed, the next Kiln does. */
public final class Container implements AutoCloseable {
    /** This is enough for an image of gigabytes on a slow disk. */
    private static final Duration BEGIN_LIMIT = Duration.ofMinutes(2);

    /** The runtime's first process in a container has one of these names, before that process becomes the program. */
    private static final List<String> NOT_YET = List.of("runc", "crun", "exe", "conmon", "3");

    /** Kiln tries so many waits of 2 ms each. After them, the program itself has one of those names. */
    private static final int WAITS = 1000;

    private final OrphanRegistry registry;
    private final ProcFs fs = ProcFs.ofThisMachine();
    private final ContainerSpec spec;
    private final String name;
    private final Path folder;

    private Container(OrphanRegistry registry, ContainerSpec spec, String name, Path folder) {
        this.registry = registry;
        this.spec = spec;
        this.name = name;
        this.folder = folder;
    }

    /** Makes its folder and its name. Nothing runs yet. */
    public static Container prepare(OrphanRegistry registry, ContainerSpec spec) {
        try {
            Path folder = registry.temporaryDirectory("container");
            return new Container(registry, spec, registry.newContainer(spec.engine()), folder);
        } catch (IOException e) {
            throw KilnException.machine(
                    e,
                    "cannot make the files of a container in " + System.getProperty("java.io.tmpdir"),
                    "make room there, or name another folder: JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR");
        }
    }

    /** Returns the command that runs it. The command ends when the container does. */
    public List<String> command() {
        return Containers.found(ContainerCommands.run(spec, name, folder, ProcessLimits.ofKiln(fs)));
    }

    /** Creates it once without running its program; returns why that cannot be done, or empty. */
    public Optional<String> refusal() {
        for (List<String> command : ContainerCommands.rehearsal(spec, name, ProcessLimits.ofKiln(fs))) {
            Programs.ProgramAnswer answer = Programs.run(Containers.found(command), folder.resolve("said"));
            if (answer.exit() != 0) {
                return Optional.of(Containers.complaint(answer.output()));
            }
        }
        return Optional.empty();
    }

    /** Returns the container's first process, to watch and stop; the front has its exit code, or is it. */
    public PinnedProcess inside(PinnedProcess front) {
        long deadline = System.nanoTime() + BEGIN_LIMIT.toNanos();
        FirstProcess first = new FirstProcess(fs, spec.engine(), this::told, FirstProcess.STRANGER_LIMIT);
        Optional<ProcStat> found = Optional.empty();
        long waits = 0;
        try {
            while (front.isAlive() && System.nanoTime() - deadline < 0) {
                found = found.isPresent() ? found : first.find();
                if (found.isPresent() && (isProgram(found.get().pid()) || ++waits > WAITS)) {
                    return front.standingFor(found.get());
                }
                LockSupport.parkNanos(2_000_000);
            }
        } catch (KilnException e) {
            front.stop(Duration.ZERO);
            throw e;
        }
        if (front.isAlive()) {
            front.stop(Duration.ZERO);
            throw KilnException.machine(
                    "the container did not start within " + BEGIN_LIMIT.toSeconds() + " s",
                    "run it by hand: " + String.join(" ", Secrets.HIDDEN.command(front.command())));
        }
        return front;
    }

    private Optional<FirstProcess.RuntimeProcess> told() {
        return switch (spec.engine()) {
            case DOCKER ->
                FirstProcess.RuntimeProcess.parse(
                        Containers.ask(ContainerCommands.pidOf(name)).output());
            case PODMAN -> FirstProcess.RuntimeProcess.parse(read(ContainerCommands.pidFile(folder)) + " " + name);
        };
    }

    private static String read(Path file) {
        try {
            return InputFile.text(file, InputFile.DOCUMENT);
        } catch (IOException e) {
            return ""; // not there yet
        }
    }

    private boolean isProgram(int pid) {
        String comm = fs.text("proc/" + pid + "/comm").orElse("gone").strip();
        return NOT_YET.stream().noneMatch(name -> comm.equals(name) || comm.startsWith(name + ":"));
    }

    /** Ends its processes and removes it. */
    @Override
    public void close() {
        Containers.remove(spec.engine(), name)
                .ifPresentOrElse(why -> registry.kept(name, why), () -> registry.containerGone(name));
        try {
            Trees.delete(folder);
            registry.removed(folder);
        } catch (IOException e) {
            // It stays in the book, and the next Kiln tries again.
            registry.kept(folder.toString(), IoReason.of(e));
        }
    }
}
