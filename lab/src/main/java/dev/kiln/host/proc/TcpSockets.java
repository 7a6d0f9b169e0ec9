package dev.kiln.host.proc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The TCP sockets of some ports, and which process holds them: {@code /proc/PID/net/tcp} of proc(5) names each socket by
 * an inode, and {@code /proc/PID/fd} has the inodes of a process.
 *
 * @param ports local ports, on which a server listens and accepts
 */
public record TcpSockets(ProcFs fs, Set<Integer> ports) {
    /** States of include/net/tcp_states.h. */
    private static final String ESTABLISHED = "01";

    private static final String LISTEN = "0A";

    public TcpSockets {
        ports = Set.copyOf(ports);
    }

    /**
     * How many sockets of the ports a process holds.
     *
     * @param listening on which it accepts
     * @param connections that are open
     */
    public record Held(int listening, int connections) {
        public boolean any() {
            return listening + connections > 0;
        }
    }

    /** Inodes of the sockets of the ports, with whether each one listens, as a process sees them in its network. */
    public Map<Long, Boolean> seenBy(long pid) {
        Map<Long, Boolean> sockets = new HashMap<>();
        for (String table : new String[] {"tcp", "tcp6"}) {
            fs.text("proc/" + pid + "/net/" + table)
                    .orElse("")
                    .lines()
                    .skip(1)
                    // A busy machine has tens of thousands of lines, and few of these ports.
                    .filter(line ->
                            ports.stream().anyMatch(port -> line.contains(String.format(Locale.ROOT, ":%04X ", port))))
                    .forEach(line -> add(line.strip().split("\\s+", 11), sockets));
        }
        return sockets;
    }

    /** Fields: number, local address, remote address, state, queues, timer, retransmits, user, timeout, inode. */
    private void add(String[] fields, Map<Long, Boolean> sockets) {
        boolean listens = fields.length > 9 && fields[3].equals(LISTEN);
        if (fields.length > 9
                && (listens || fields[3].equals(ESTABLISHED))
                && ports.contains(Integer.parseInt(fields[1].substring(fields[1].lastIndexOf(':') + 1), 16))) {
            sockets.put(Long.parseLong(fields[9]), listens);
        }
    }

    /**
     * What of these sockets a process holds.
     *
     * @param sockets from {@link #seenBy}, read before
     * @return empty where its files may not be read
     */
    public Optional<Held> heldBy(long pid, Map<Long, Boolean> sockets) {
        int listening = 0;
        int connections = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(fs.path("proc/" + pid + "/fd"))) {
            for (Path file : files) {
                Boolean listens = sockets.get(inode(file));
                listening += Boolean.TRUE.equals(listens) ? 1 : 0;
                connections += Boolean.FALSE.equals(listens) ? 1 : 0;
            }
            return Optional.of(new Held(listening, connections));
        } catch (IOException | UncheckedIOException | DirectoryIteratorException e) {
            return Optional.empty();
        }
    }

    /** Of a link such as {@code socket:[12345]}; -1 for another file, or one that was closed meanwhile. */
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
