package dev.kiln.recorder;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.host.proc.TcpSockets;
import dev.kiln.jvm.threads.BlockedRows.SocketRead;
import dev.kiln.jvm.threads.DumpedThread.KernelThread;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * ClientReads tell at which lines of code the threads of a process read of a client, and so wait for its next request. Elsewhere they wait
 * for the answer of another service. Frames tell that only of servers that are known. The kernel knows which file a thread reads:
 * a connection that the process has accepted is a client's.
 */
final class ClientReads {
    /** So many threads at a line tell of all that are there. Of those that serve often most have run since the dump. */
    private static final int ENOUGH = 8;

    /** A line is of clients where over nine of ten threads at it read of one: a library may read of servers there too. A choice. */
    private static final int OTHERS = 9;

    /** No more threads of a line are looked at, which takes a twentieth of a millisecond each. */
    private static final int MOST = 100;

    /** The numbers of read and recvfrom, whose first argument is the file, by {@code os.arch}. */
    private static final Map<String, Set<String>> CALLS =
            Map.of("amd64", Set.of("0", "45"), "aarch64", Set.of("63", "207"));

    private static final String FILE = "0x[0-9a-f]{1,7}";

    private final ProcFs fs;
    private final long pid;
    private final Set<String> calls = CALLS.getOrDefault(System.getProperty("os.arch", ""), Set.of());

    /** By line: each thread that reads of a client counts 1, and any other takes OTHERS off. */
    private final Map<String, Integer> votes = new HashMap<>();

    ClientReads(ProcFs fs, long pid) {
        this.fs = fs;
        this.pid = pid;
    }

    /**
     * Looks at what these threads read still, and returns the lines at which threads read of clients, by this look and those before. There
     * are none where the kernel does not tell, as for another user's process.
     */
    Set<String> lines(List<SocketRead> reads) {
        Optional<Set<Long>> accepted =
                reads.isEmpty() || calls.isEmpty() ? Optional.empty() : TcpSockets.accepted(fs, pid);
        accepted.ifPresent(connections -> vote(reads, connections));
        return votes.entrySet().stream()
                .filter(line -> line.getValue() > 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private void vote(List<SocketRead> reads, Set<Long> connections) {
        Map<Long, Integer> threads = threads();
        Map<String, Integer> looks = new HashMap<>();
        Map<String, Integer> told = new HashMap<>();
        for (SocketRead read : reads) {
            int tid = threads.getOrDefault(read.thread().id(), 0);
            boolean open = told.getOrDefault(read.line(), 0) < ENOUGH;
            if (tid > 0 && open && looks.merge(read.line(), 1, Integer::sum) <= MOST) {
                long socket = socket(tid);
                if (socket > 0 && hasNotRun(tid, read.thread().cpuNanos())) {
                    told.merge(read.line(), 1, Integer::sum);
                    votes.merge(read.line(), connections.contains(socket) ? 1 : -OTHERS, Integer::sum);
                }
            }
        }
    }

    /** Returns the inode of the socket that a thread is reading; -1 where it does something else, and where that cannot be seen. */
    private long socket(int tid) {
        String[] call = fs.taskText(pid, tid, "syscall").orElse("").strip().split(" ", 3);
        return call.length > 1 && calls.contains(call[0]) && call[1].matches(FILE)
                ? TcpSockets.inode(fs, pid, Integer.parseInt(call[1].substring(2), 16))
                : -1;
    }

    /** Tells whether a thread still is where the dump found it: to go on to another read takes CPU. */
    private boolean hasNotRun(int tid, long cpuNanos) {
        String ran = fs.taskText(pid, tid, "schedstat").orElse("").split(" ", 2)[0];
        return ran.matches("\\d{1,18}") && Math.abs(Long.parseLong(ran) - cpuNanos) <= KernelThread.CPU_STEP_NANOS;
    }

    /** Returns the ids of the threads here by those that the JVM has of them: in a container it has others. */
    private Map<Long, Integer> threads() {
        boolean same = inner("proc/" + pid + "/status", (int) pid) == pid;
        Map<Long, Integer> threads = new HashMap<>();
        for (int tid : fs.tids(pid)) {
            threads.put((long) (same ? tid : inner("proc/" + pid + "/task/" + tid + "/status", tid)), tid);
        }
        return threads;
    }

    private int inner(String status, int id) {
        return ProcStatus.innermostPid(fs.text(status).orElse(""), id);
    }
}
