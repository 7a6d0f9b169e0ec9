package dev.kiln.host.proc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * TcpSockets are those of some ports, with the process that holds them: {@code /proc/PID/net/tcp} of proc(5) names each
 * socket by an inode, and {@code /proc/PID/fd} has the inodes of a process.
 *
 * @param ports local ports, on which a server listens and accepts
 */
public record TcpSockets(ProcFs fs, Set<Integer> ports) {
    /** States of include/net/tcp_states.h. */
    private static final String ESTABLISHED = "01";

    /** The connection is being made. */
    private static final String SYN_SENT = "02";

    private static final String LISTEN = "0A";

    public TcpSockets {
        ports = Set.copyOf(ports);
    }

    /** HeldSockets are a process's sockets of the ports: listeners, and open connections by their inodes. */
    public record HeldSockets(List<Listener> listeners, Set<Long> connections) {
        public HeldSockets {
            listeners = List.copyOf(listeners);
            connections = Set.copyOf(connections);
        }

        public boolean any() {
            return !listeners.isEmpty() || !connections.isEmpty();
        }
    }

    /** A ListeningSocket is one on which somebody accepts, with the number of the user whose it is. */
    public record ListeningSocket(long inode, long uid) {}

    /** A Listener is a file of a process that is a listening socket. */
    public record Listener(Path file, long inode) {
        /** Tells whether the file still is that socket. Nothing but the one link is read. */
        public boolean lives() {
            return TcpSockets.inode(file) == inode;
        }
    }

    /** Inodes of the sockets of the ports, with whether each one listens, as a process sees them in its network. */
    public Map<Long, Boolean> seenBy(long pid) {
        Map<Long, Boolean> sockets = new HashMap<>();
        rows(pid).forEach(fields -> add(fields, sockets));
        return sockets;
    }

    /** Returns those on which somebody accepts, as a process sees them in its network. */
    public List<ListeningSocket> listening(long pid) {
        return rows(pid)
                .filter(fields -> fields.length > 9 && fields[3].equals(LISTEN) && isLocal(fields))
                .map(fields -> new ListeningSocket(Long.parseLong(fields[9]), Long.parseLong(fields[7])))
                .toList();
    }

    /** Returns how many connections a process has to ports not its own; empty where it may not be read. */
    public static OptionalInt outbound(ProcFs fs, long pid) {
        return own(fs, pid).stream()
                .mapToInt(own -> own.held.connections().size() - own.accepted().size())
                .findFirst();
    }

    /** Returns the inodes of the connections that a process has accepted; empty where it may not be read. */
    public static Optional<Set<Long>> accepted(ProcFs fs, long pid) {
        return own(fs, pid).map(OwnSockets::accepted);
    }

    private static Optional<OwnSockets> own(ProcFs fs, long pid) {
        TcpSockets all = new TcpSockets(fs, Set.of());
        Map<Long, Integer> ports = new HashMap<>();
        Map<Long, Boolean> sockets = new HashMap<>();
        lines(fs, pid)
                .map(TcpSockets::fields)
                .filter(fields -> fields.length > 9)
                .forEach(fields -> {
                    boolean listens = fields[3].equals(LISTEN);
                    if (listens || fields[3].equals(ESTABLISHED) || fields[3].equals(SYN_SENT)) {
                        ports.put(Long.parseLong(fields[9]), localPort(fields));
                        sockets.put(Long.parseLong(fields[9]), listens);
                    }
                });
        // A service has at least the socket on which it listens.
        return sockets.isEmpty()
                ? Optional.empty()
                : all.heldBy(pid, sockets).filter(HeldSockets::any).map(held -> new OwnSockets(held, ports));
    }

    /**
     * OwnSockets are all TCP sockets of a process.
     *
     * @param ports local port by inode
     */
    private record OwnSockets(HeldSockets held, Map<Long, Integer> ports) {
        /** Returns the inodes of the connections to a port on which the process listens. */
        Set<Long> accepted() {
            Set<Integer> served = held.listeners().stream()
                    .map(listener -> ports.getOrDefault(listener.inode(), 0))
                    .collect(Collectors.toSet());
            return held.connections().stream()
                    .filter(connection -> served.contains(ports.getOrDefault(connection, 0)))
                    .collect(Collectors.toSet());
        }
    }

    private Stream<String[]> rows(long pid) {
        return lines(fs, pid)
                // A busy machine has tens of thousands of lines, and few of these ports.
                .filter(line ->
                        ports.stream().anyMatch(port -> line.contains(String.format(Locale.ROOT, ":%04X ", port))))
                .map(TcpSockets::fields);
    }

    private static Stream<String> lines(ProcFs fs, long pid) {
        return Stream.of("tcp", "tcp6")
                .flatMap(table -> fs.text("proc/" + pid + "/net/" + table)
                        .orElse("")
                        .lines()
                        .skip(1));
    }

    private static String[] fields(String line) {
        return line.strip().split("\\s+", 11);
    }

    private boolean isLocal(String[] fields) {
        return ports.contains(localPort(fields));
    }

    private static int localPort(String[] fields) {
        return Integer.parseInt(fields[1].substring(fields[1].lastIndexOf(':') + 1), 16);
    }

    /** Adds a line's socket: number, local, remote, state, queues, timer, retransmits, user, timeout, inode. */
    private void add(String[] fields, Map<Long, Boolean> sockets) {
        boolean listens = fields.length > 9 && fields[3].equals(LISTEN);
        if (fields.length > 9 && (listens || fields[3].equals(ESTABLISHED)) && isLocal(fields)) {
            sockets.put(Long.parseLong(fields[9]), listens);
        }
    }

    /** Returns those of {@link #seenBy}'s sockets that a process holds; empty where it may not be read. */
    public Optional<HeldSockets> heldBy(long pid, Map<Long, Boolean> sockets) {
        List<Listener> listeners = new ArrayList<>();
        Set<Long> connections = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(fs.path("proc/" + pid + "/fd"))) {
            for (Path file : files) {
                long inode = inode(file);
                Boolean listens = sockets.get(inode);
                if (Boolean.TRUE.equals(listens)) {
                    listeners.add(new Listener(file, inode));
                } else if (listens != null) {
                    connections.add(inode);
                }
            }
            return Optional.of(new HeldSockets(listeners, connections));
        } catch (IOException | UncheckedIOException | DirectoryIteratorException e) {
            return Optional.empty();
        }
    }

    /** Returns the inode of the socket that is a file of a process by this number; -1 for any other file. */
    public static long inode(ProcFs fs, long pid, int file) {
        return inode(fs.path("proc/" + pid + "/fd/" + file));
    }

    /** Returns the inode in a link such as {@code socket:[12345]}; -1 for another file, or one that was closed meanwhile. */
    private static long inode(Path file) {
        try {
            String target = Files.readSymbolicLink(file).toString();
            return target.startsWith("socket:[")
                    ? Long.parseLong(target.substring("socket:[".length(), target.length() - 1))
                    : -1;
        } catch (IOException e) {
            return -1;
        }
    }
}
