package dev.kiln.host;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Where.Engine;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the first process of a container among those of this machine.
 *
 * <p>What a runtime says is a number among the processes that its daemon sees. Where that runs on another machine, in a virtual
 * one or in another pid namespace, the number is nobody's here, or a stranger's, who would be watched and killed. So the process
 * must prove that it is the container's.
 */
final class FirstProcess {
    /** For what has just begun or ended; whoever is still told of after that does not run here. */
    static final Duration STRANGER_LIMIT = Duration.ofSeconds(5);

    private final ProcFs fs;
    private final Engine engine;
    private final Supplier<Optional<Told>> runtime;
    private final Duration strangerLimit;
    private long strangerSinceNanos;
    private boolean stranger;

    /**
     * What a runtime says.
     *
     * @param container that the process is to be in, by a name that nothing else bears; empty where the runtime is a child of
     *     Kiln's, so that both see the same processes
     */
    record Told(int pid, Optional<String> container) {
        /** {@code PID ID}, or the pid alone; empty before there is one. */
        static Optional<Told> parse(String text) {
            String[] words = text.strip().split("\\s+", -1);
            try {
                int pid = Integer.parseInt(words[0]);
                return pid > 0
                        ? Optional.of(new Told(pid, Arrays.stream(words).skip(1).findFirst()))
                        : Optional.empty();
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
    }

    /** @param runtime what the runtime says at the moment */
    FirstProcess(ProcFs fs, Engine engine, Supplier<Optional<Told>> runtime, Duration strangerLimit) {
        this.fs = fs;
        this.engine = engine;
        this.runtime = runtime;
        this.strangerLimit = strangerLimit;
    }

    /**
     * The process, or empty while there is none.
     *
     * @throws KilnException when the runtime goes on telling of one that is not the container's
     */
    Optional<ProcStat> find() {
        Optional<Told> told = runtime.get();
        // Before the proof: a later owner of the pid has another start time.
        Optional<ProcStat> process = told.flatMap(at -> fs.stat(at.pid())).filter(stat -> !stat.isDead());
        boolean proved = process.isPresent()
                && told.get()
                        .container()
                        .map(name -> isIn(fs, process.get(), name))
                        .orElse(true);
        if (proved) {
            return process;
        }
        // A file goes on telling of a process that has ended; docker's daemon does not.
        boolean other = told.isPresent() && (process.isPresent() || engine == Engine.DOCKER);
        long now = System.nanoTime();
        if (other && !stranger) {
            strangerSinceNanos = now;
        }
        stranger = other;
        if (stranger && now - strangerSinceNanos >= strangerLimit.toNanos()) {
            throw elsewhere(told.get().pid());
        }
        return Optional.empty();
    }

    private KilnException elsewhere(int pid) {
        return new KilnException(
                Exit.MACHINE,
                engine.id() + "'s containers run on another machine: process " + pid
                        + ", which it says is the container's, is none of the container's here",
                "run Kiln where " + engine.id()
                        + "'s daemon runs, among its processes (without DOCKER_HOST or CONTAINER_HOST;"
                        + " in a container: --pid host)"
                        + (engine == Engine.DOCKER
                                ? ", or name a runtime of this machine: container: {runtime: podman}"
                                : ""));
    }

    /**
     * Whether the process is in the container, by what everyone may read. Its cgroup has the container's id in its path, as
     * {@code docker-ID.scope} or {@code docker/ID}, in every hierarchy and also as seen from another cgroup namespace. A runtime
     * without cgroups leaves a monitor in front of it, which is its parent and has the id (containerd-shim) or the name (conmon)
     * among its arguments.
     *
     * @param container its id or its name
     */
    static boolean isIn(ProcFs fs, ProcStat process, String container) {
        boolean byCgroup = fs.text("proc/" + process.pid() + "/cgroup")
                .orElse("")
                .lines()
                .flatMap(line -> Arrays.stream(line.split("[/.-]", -1)))
                .anyMatch(container::equals);
        return byCgroup
                || Arrays.asList(fs.text("proc/" + process.parent() + "/cmdline")
                                .orElse("")
                                .split("\0", -1))
                        .contains(container);
    }
}
