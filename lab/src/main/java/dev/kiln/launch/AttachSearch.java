package dev.kiln.launch;

import dev.kiln.host.container.Containers;
import dev.kiln.host.container.Containers.ContainerLook;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.host.proc.TcpSockets;
import dev.kiln.host.proc.TcpSockets.ListeningSocket;
import dev.kiln.jvm.LiveJvms;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where.AttachPoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** An AttachSearch finds the process that an {@link AttachPoint} names, among those of this machine. It only reads. */
public record AttachSearch(ProcFs fs) {
    private static final String LISTS = "kiln doctor alone lists the JVMs with their pids; ss -ltnp lists who listens";

    /** These hold the ports that podman and docker publish, and serve nothing themselves. */
    private static final Set<String> FORWARDERS =
            Set.of("docker-proxy", "conmon", "rootlessport", "slirp4netns", "pasta", "pasta.avx2");

    /** A shorter beginning of a container's id may be a word. */
    private static final int LEAST_OF_AN_ID = 6;

    /** A NothingThere says that no process has the name yet: time may cure that. */
    public static final class NothingThere extends KilnException {
        private static final long serialVersionUID = 1L;

        NothingThere(String message, String remedy) {
            this(Exit.USAGE, message, remedy);
        }

        public NothingThere(Exit exit, String message, String remedy) {
            super(exit, message, remedy);
        }
    }

    /**
     * Returns the process as it is now.
     *
     * @throws NothingThere where there is none
     * @throws KilnException where Kiln may not see which one it is, or could not watch it
     */
    public ProcStat find(AttachPoint point) {
        return switch (point) {
            case AttachPoint.ProcessId id -> byId(id.pid());
            case AttachPoint.ListeningPort port -> byPort(port.port());
            case AttachPoint.ContainerName container -> byContainer(container.name());
            case AttachPoint.KubePod pod -> throw new IllegalArgumentException("found by kubectl: " + pod.text());
        };
    }

    private ProcStat byId(long pid) {
        if (pid == ProcessHandle.current().pid()) {
            throw KilnException.usage("attach: process " + pid + " is this Kiln", "give the PID of the service");
        }
        ProcStat found = fs.stat(pid)
                .filter(stat -> !stat.isDead())
                .orElseThrow(
                        () -> KilnException.usage("attach: there is no process " + pid + " on this machine", LISTS));
        String process = ProcStatus.field(fs.text("proc/" + pid + "/status").orElse(""), "Tgid");
        if (!process.isEmpty() && !process.equals(Long.toString(pid))) {
            throw KilnException.usage(
                    "attach: " + pid + " is a thread of process " + process, "give the process: --attach " + process);
        }
        return found;
    }

    /** Finds the process that listens, as this machine's network has it: in a container's own, the port is another. */
    private ProcStat byPort(int port) {
        TcpSockets sockets = new TcpSockets(fs, Set.of(port));
        List<ListeningSocket> listening =
                sockets.listening(ProcessHandle.current().pid());
        if (listening.isEmpty()) {
            throw new NothingThere(
                    "attach: nothing listens on port " + port + " of this machine",
                    "start the service first, or give its PID: " + LISTS);
        }
        List<ProcStat> apart = holders(sockets, listening);
        ProcStat holder = apart.stream()
                // A forwarder may listen once for each family of addresses.
                .min(Comparator.comparing(stat -> !FORWARDERS.contains(stat.name())))
                .orElseThrow(() -> KilnException.machine(
                        "attach: port " + port + " is held by a process of user "
                                + LiveJvms.userName(
                                        fs, Long.toString(listening.getFirst().uid()))
                                + ", and this user may not see which one",
                        "run Kiln as root or as that user, or give the PID: sudo ss -ltnp 'sport = :" + port + "'"));
        if (FORWARDERS.contains(holder.name())) {
            throw KilnException.usage(
                    "attach: on port " + port + " listens " + holder.name() + " (process " + holder.pid()
                            + "), which only passes requests on to a container",
                    "attach to the container by its name: podman ps and docker ps list them with their ports");
        }
        if (apart.size() > 1) {
            throw KilnException.usage(
                    "attach: several processes listen on port " + port + ": "
                            + apart.stream()
                                    .map(stat -> Integer.toString(stat.pid()))
                                    .collect(Collectors.joining(", ")),
                    "give the PID of the one that the URL reaches");
        }
        return holder;
    }

    /** Returns the processes that hold one of these sockets, but for children of others that do. */
    private List<ProcStat> holders(TcpSockets sockets, List<ListeningSocket> listening) {
        Map<Long, Boolean> inodes =
                listening.stream().collect(Collectors.toMap(ListeningSocket::inode, each -> true, (a, b) -> a));
        List<ProcStat> holders = new ArrayList<>();
        for (int pid : sorted(fs.pids())) {
            sockets.heldBy(pid, inodes)
                    .filter(held -> !held.listeners().isEmpty())
                    .flatMap(held -> fs.stat(pid))
                    .filter(stat -> !stat.isDead())
                    .ifPresent(holders::add);
        }
        // A server that forks has its socket from its parent.
        return holders.stream()
                .filter(stat -> holders.stream().noneMatch(other -> other.pid() == stat.parent()))
                .toList();
    }

    private ProcStat byContainer(String name) {
        return switch (Containers.look(fs, name)) {
            case ContainerLook.Runs runs -> runs.first();
            case ContainerLook.Stands stands ->
                throw new NothingThere(
                        "attach: the container " + name + " has no process: "
                                + stands.engine().id() + " says that it is " + stands.state(),
                        "start it first: " + stands.engine().id() + " start " + name);
            case ContainerLook.RunsElsewhere elsewhere ->
                throw KilnException.machine(
                        "attach: " + elsewhere.engine().id() + "'s containers run on another machine: process "
                                + elsewhere.pid() + ", which it names for " + name
                                + ", does not belong to the container on this machine",
                        "run Kiln where the containers run, and where it sees that machine's processes");
            case ContainerLook.NotKnown unknown -> byCgroup(name).orElseThrow(() -> noContainer(name, unknown));
        };
    }

    /** Finds the first process of a container by the beginning of its id, which every engine writes into its cgroup. */
    private Optional<ProcStat> byCgroup(String id) {
        if (!id.matches("[0-9a-f]{" + LEAST_OF_AN_ID + ",64}")) {
            return Optional.empty();
        }
        List<ProcStat> inside = new ArrayList<>();
        for (int pid : sorted(fs.pids())) {
            fs.text("proc/" + pid + "/cgroup")
                    .flatMap(LiveJvms::containerId)
                    .filter(full -> full.startsWith(id))
                    .flatMap(full -> fs.stat(pid))
                    .filter(stat -> !stat.isDead())
                    .ifPresent(inside::add);
        }
        return inside.stream()
                .filter(stat -> innermostPid(stat) == 1)
                .findFirst()
                .or(() -> inside.stream()
                        .filter(stat -> inside.stream().noneMatch(other -> other.pid() == stat.parent()))
                        .findFirst());
    }

    private long innermostPid(ProcStat stat) {
        return ProcStatus.innermostPid(fs.text("proc/" + stat.pid() + "/status").orElse(""), stat.pid());
    }

    private static NothingThere noContainer(String name, ContainerLook.NotKnown unknown) {
        return unknown.asked().isEmpty()
                ? new NothingThere(
                        "attach: no container '" + name
                                + "' can be found: neither podman nor docker is in the PATH, and no"
                                + " process is in a container whose id begins so",
                        "give the PID of the service or the container's id: " + LISTS)
                : new NothingThere(
                        "attach: there is no container '" + name + "': "
                                + unknown.asked().entrySet().stream()
                                        .map(each -> each.getKey().id() + " says: " + each.getValue())
                                        .sorted()
                                        .collect(Collectors.joining("; ")),
                        "podman ps and docker ps list those that run; or give the PID of the service: " + LISTS);
    }

    private static int[] sorted(int[] pids) {
        int[] all = pids.clone();
        Arrays.sort(all);
        return all;
    }
}
