package dev.kiln.host.container;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where.ContainerEngine;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A FirstProcess is the first process of a container, found among those of this machine.
 *
 * <p>A runtime names the process by a pid that its daemon sees. If the daemon runs on another machine, in a virtual
 * machine or in another pid namespace, that pid here belongs to nobody, or to a stranger that Kiln would watch and
 * kill. So Kiln checks that the process belongs to the container.
 */
final class FirstProcess {
    /** A process may have just begun or ended. A runtime that names a stranger for longer runs elsewhere. */
    static final Duration STRANGER_LIMIT = Duration.ofSeconds(5);

    private final ProcFs fs;
    private final ContainerEngine engine;
    private final Supplier<Optional<RuntimeProcess>> runtime;
    private final Duration strangerLimit;
    private long strangerSinceNanos;
    private boolean stranger;

    /**
     * A RuntimeProcess is what a runtime says of a container's first process.
     *
     * @param container unique name of the container that the process must belong to; empty if the runtime is a child of
     *     Kiln, because then both see the same processes
     */
    record RuntimeProcess(int pid, Optional<String> container) {
        /** {@code PID ID}, or the pid alone; empty before there is one. */
        static Optional<RuntimeProcess> parse(String text) {
            String[] words = text.strip().split("\\s+", -1);
            try {
                int pid = Integer.parseInt(words[0]);
                return pid > 0
                        ? Optional.of(new RuntimeProcess(
                                pid, Arrays.stream(words).skip(1).findFirst()))
                        : Optional.empty();
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
    }

    /** @param runtime asks the runtime */
    FirstProcess(
            ProcFs fs, ContainerEngine engine, Supplier<Optional<RuntimeProcess>> runtime, Duration strangerLimit) {
        this.fs = fs;
        this.engine = engine;
        this.runtime = runtime;
        this.strangerLimit = strangerLimit;
    }

    /** Returns the process, or empty while there is none; fails if it stays none of the container's. */
    Optional<ProcStat> find() {
        Optional<RuntimeProcess> told = runtime.get();
        // Read before the check: a later owner of the pid has another start time.
        Optional<ProcStat> process = told.flatMap(at -> fs.stat(at.pid())).filter(stat -> !stat.isDead());
        boolean proved = process.isPresent()
                && told.get()
                        .container()
                        .map(name -> isIn(fs, process.get(), name))
                        .orElse(true);
        if (proved) {
            return process;
        }
        // A pid file still names a process that has ended. Docker's daemon does not.
        boolean other = told.isPresent() && (process.isPresent() || engine == ContainerEngine.DOCKER);
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
        return KilnException.machine(
                engine.id() + "'s containers run on another machine: process " + pid
                        + ", which the runtime names as the container's, does not belong to the container on this machine",
                "run Kiln on the machine of " + engine.id()
                        + "'s daemon, where it sees that machine's processes (without DOCKER_HOST or CONTAINER_HOST;"
                        + " in a container: --pid host)"
                        + (engine == ContainerEngine.DOCKER
                                ? ", or use a runtime of this machine: container: {runtime: podman}"
                                : ""));
    }

    /**
     * Tells whether the process is in the container, judged by files that every user may read. The path of its cgroup
     * contains the container's id, as {@code docker-ID.scope} or {@code docker/ID}, in every hierarchy and in every
     * cgroup namespace. Without cgroups, the parent of the process is the runtime's monitor, which has the container's
     * id (containerd-shim) or name (conmon) among its arguments.
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
