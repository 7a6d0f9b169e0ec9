package dev.kiln.explain.budget;

import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.util.HashMap;
import java.util.Map;

/**
 * NetworkCounts are how many virtual threads wait for the network, where the JVM only counts them. A thread that waits for the next
 * request of its connection counts there like one that waits for an answer.
 */
final class NetworkCounts {
    /** One thread alone is more often one that accepts connections. */
    private static final int LEAST = 2;

    /** Threads that may have a request, by the time of a dump. */
    private final Map<Long, Integer> counted = new HashMap<>();

    /** Threads that read and have none, because there are more of them than connections to others; where these are known. */
    private final Map<Long, Integer> without = new HashMap<>();

    private final boolean attached;
    private final int connections;

    /** Requests share connections, each of which is read all the time. */
    private final boolean shared;

    NetworkCounts(RunEvidence evidence) {
        attached = evidence.info().attached().isPresent();
        connections = evidence.info().load().connections();
        shared = evidence.info().load().http2().isPresent();
        for (BlockedSample row : evidence.blocked()) {
            if (row.kind() == WaitKind.NETWORK) {
                counted.merge(row.timeNanos(), row.threads(), Integer::sum);
            } else if (row.kind() == WaitKind.IDLE && row.virtual() && reads(row)) {
                without.merge(row.timeNanos(), row.threads(), Integer::sum);
            }
        }
    }

    private static boolean reads(BlockedSample row) {
        return row.detail().equals(BlockedSample.TO_READ);
    }

    private int all(long timeNanos) {
        return counted.getOrDefault(timeNanos, 0) + without.getOrDefault(timeNanos, 0);
    }

    /**
     * Returns how many threads of a row wait with a request. A connection without a request may have a thread that waits for the
     * next one: so many are taken off. Of a live process nobody knows how many, and one that ran before may have connections of
     * others. Threads that read count only where it is known how many connections to others there are.
     *
     * @param inFlight requests on their way at a time; infinite where that is not known
     */
    double withRequest(BlockedSample row, double inFlight) {
        int here = counted.getOrDefault(row.timeNanos(), 0);
        int most = counted.keySet().stream().mapToInt(this::all).max().orElse(0);
        boolean unknown = reads(row) && !without.containsKey(row.timeNanos());
        if (here == 0 || most < LEAST || unknown || attached || Double.isInfinite(inFlight)) {
            return 0;
        }
        double idle = shared ? connections : Math.max(0, connections - inFlight);
        return Math.clamp(all(row.timeNanos()) - idle, 0, here) * row.threads() / here;
    }
}
