package dev.kiln.recorder;

import dev.kiln.host.proc.TcpSockets;
import dev.kiln.jvm.Reply;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import dev.kiln.jvm.ThreadDumps;
import dev.kiln.jvm.threads.DumpedThread;
import dev.kiln.jvm.threads.VirtualCounts;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.BlockedSample;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * VirtualDumps ask a JVM for its virtual threads, beside a dump of its platform threads. Where they cannot be dumped, the JVM
 * is asked how many of them wait for the network. The connections of the process are counted then too: it has one for each thread
 * that waits for the answer of another service.
 */
final class VirtualDumps {
    private final RecorderContext context;
    private boolean dumped = true;
    private boolean counted = true;

    /**
     * A VirtualDump is what a JVM told of its virtual threads.
     *
     * @param counts where the threads are not known
     * @param outbound connections to others at that time; empty where they are not known
     * @param nanos CPU time of the JVM's thread that answered, or else the time until it had; 0 where it was not asked
     */
    record VirtualDump(List<DumpedThread> threads, Optional<VirtualCounts> counts, OptionalInt outbound, long nanos) {
        static final VirtualDump NONE = new VirtualDump(List.of(), Optional.empty(), OptionalInt.empty(), 0);

        /** Returns the rows of what was counted; none where nothing was. */
        List<BlockedSample> counted(long timeNanos) {
            return counts.map(of -> of.rows(timeNanos, outbound)).orElse(List.of());
        }
    }

    VirtualDumps(RecorderContext context) {
        this.context = context;
    }

    VirtualDump of(ThreadDumps jvm, long pid, List<DumpedThread> platform) {
        if (!ThreadDumps.hasVirtual(platform)) {
            return VirtualDump.NONE;
        }
        OptionalLong before = jvm.answerersCpuNanos();
        long begin = System.nanoTime();
        List<DumpedThread> threads = dumped ? all(jvm) : List.of();
        // The first refusal is followed by the other question at once.
        Optional<VirtualCounts> counts = !dumped && counted ? counts(jvm, platform) : Optional.empty();
        OptionalLong after = jvm.answerersCpuNanos();
        // What follows is no work of the JVM's.
        long took = System.nanoTime() - begin;
        return new VirtualDump(
                threads,
                counts,
                counts.isPresent() ? outbound(pid) : OptionalInt.empty(),
                before.isPresent() && after.isPresent() ? after.getAsLong() - before.getAsLong() : took);
    }

    private OptionalInt outbound(long pid) {
        OptionalInt connections = TcpSockets.outbound(context.fs(), pid);
        if (connections.isEmpty()) {
            context.gap(
                    "connections of the target to others",
                    "its sockets could not be read, so threads that wait for an answer and for the next request are not told"
                            + " apart");
        }
        return connections;
    }

    private List<DumpedThread> all(ThreadDumps jvm) {
        Reply<List<DumpedThread>> file = jvm.all();
        file.refusal().ifPresent(why -> {
            // One that takes too long takes as long again, and the JVM writes on meanwhile.
            dumped = false;
            context.gap(NotRecorded.VIRTUAL_DUMPS, why.why());
        });
        return file.told().orElse(List.of());
    }

    private Optional<VirtualCounts> counts(ThreadDumps jvm, List<DumpedThread> platform) {
        Reply<VirtualCounts> counts = jvm.counts(platform);
        counts.refusal().ifPresent(why -> {
            counted = false;
            // A JVM that is too old for it has said enough.
            if (why.reason() != RefusalReason.DISABLED) {
                context.gap("virtual threads that wait for the network", why.why());
            }
        });
        return counts.told();
    }
}
