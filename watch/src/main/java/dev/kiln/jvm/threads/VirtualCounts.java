package dev.kiln.jvm.threads;

import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * VirtualCounts are how many virtual threads do what, as a JVM counts them without looking at any of their stacks.
 *
 * @param reading registered to be woken when a socket can be read, or has a connection to accept
 * @param writing the same for one that can be written, or is connected
 * @param queued ready to run, and not on a carrier
 */
public record VirtualCounts(int reading, int writing, int queued) {
    /** No JVM has more threads, and a sum of some stays an int. */
    private static final String COUNT = "(\\p{Nd}{1,7})";

    /** A {@code ForkJoinPool} says this of itself. Its numbers have the digits of the JVM's locale. */
    private static final Pattern QUEUES =
            Pattern.compile("^\\S+\\[[^\\]]*\\bparallelism = [^\\]]*, tasks = " + COUNT + ", submissions = " + COUNT);

    private static final Pattern HEAD = Pattern.compile("^(Master|Read|Write) I/O pollers?:");
    private static final Pattern REGISTERED = Pattern.compile("^\\[\\p{Nd}+] \\S+ \\[registered = " + COUNT + ",");

    /** Counts virtual threads of a JVM in which none has waited for the network yet. */
    public static VirtualCounts withoutNetwork(int queued) {
        return new VirtualCounts(0, 0, queued);
    }

    /** Parses the answer to {@code Thread.vthread_scheduler}: its first line is the scheduler. */
    public static OptionalInt queued(String scheduler) {
        Matcher queues = QUEUES.matcher(scheduler);
        return queues.find()
                ? OptionalInt.of(Integer.parseInt(queues.group(1)) + Integer.parseInt(queues.group(2)))
                : OptionalInt.empty();
    }

    /**
     * Parses the answer to {@code Thread.vthread_pollers}: a paragraph each for the pollers of reads and of writes, with a line
     * for each poller. At the master poller other pollers are registered, and selectors: they have no request.
     */
    public static Optional<VirtualCounts> parse(int queued, String pollers) {
        String section = "";
        int reading = 0;
        int writing = 0;
        boolean reads = false;
        for (String line : pollers.lines().toList()) {
            Matcher head = HEAD.matcher(line);
            if (head.find()) {
                section = head.group(1);
                reads |= section.equals("Read");
                continue;
            }
            Matcher poller = REGISTERED.matcher(line);
            if (poller.find()) {
                int registered = Integer.parseInt(poller.group(1));
                reading += section.equals("Read") ? registered : 0;
                writing += section.equals("Write") ? registered : 0;
            }
        }
        return reads ? Optional.of(new VirtualCounts(reading, writing, queued)) : Optional.empty();
    }

    /**
     * Returns a row for each count that is not 0, and that of reads in any case: it says that the JVM has counted. No more
     * threads wait for an answer than there are connections to others. The rest wait for the next request, or for a connection to
     * accept: their row is there, if only with 0, where the connections are known.
     *
     * @param outbound connections that the process has opened to others; empty where that is not known
     */
    public List<BlockedSample> rows(long timeNanos, OptionalInt outbound) {
        int answers = Math.min(reading, outbound.orElse(reading));
        List<BlockedSample> rows =
                new ArrayList<>(List.of(row(timeNanos, answers, WaitKind.NETWORK, BlockedSample.TO_READ)));
        if (outbound.isPresent()) {
            rows.add(row(timeNanos, reading - answers, WaitKind.IDLE, BlockedSample.TO_READ));
        }
        if (writing > 0) {
            rows.add(row(timeNanos, writing, WaitKind.NETWORK, "write or connect"));
        }
        if (queued > 0) {
            rows.add(row(timeNanos, queued, WaitKind.RUNNABLE, ""));
        }
        return rows;
    }

    private static BlockedSample row(long timeNanos, int threads, WaitKind kind, String detail) {
        return new BlockedSample(timeNanos, "", true, threads, kind, "", detail, "");
    }
}
