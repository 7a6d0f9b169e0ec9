package dev.kiln.explain.budget;

import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * HeldCarriers are the dumps in which virtual threads were ready to run, and each carrier was kept by one that was blocked on it. Then
 * all of them waited for what those on the carriers waited for.
 */
final class HeldCarriers {
    /** The map has how many virtual threads wait for each pinned carrier, with the one that is on it; by the time of a dump. */
    private final Map<Long, Double> behindEach = new HashMap<>();

    HeldCarriers(List<BlockedSample> rows) {
        rows.stream().collect(Collectors.groupingBy(BlockedSample::timeNanos)).forEach((time, dump) -> {
            int pinned = sum(dump.stream().filter(HeldCarriers::holds).toList());
            int ready = sum(dump.stream()
                    .filter(row -> row.virtual() && row.kind() == WaitKind.RUNNABLE)
                    .toList());
            if (pinned > 0 && ready > 0 && allHeld(dump)) {
                behindEach.put(time, 1 + (double) ready / pinned);
            }
        });
    }

    private static int sum(List<BlockedSample> rows) {
        return rows.stream().mapToInt(BlockedSample::threads).sum();
    }

    /** A dump finds a thread in a call of the system more often than it is there, and a file is mostly written at once. */
    private static boolean holds(BlockedSample row) {
        return row.kind() == WaitKind.PINNED && !row.detail().contains(WaitKind.FILE.name());
    }

    /** Carriers that run or are idle have the same name. */
    private static boolean allHeld(List<BlockedSample> dump) {
        Set<String> carriers = dump.stream()
                .filter(row -> row.kind() == WaitKind.PINNED)
                .map(BlockedSample::pool)
                .collect(Collectors.toSet());
        return dump.stream()
                .filter(row -> !row.virtual() && carriers.contains(row.pool()))
                .allMatch(HeldCarriers::holds);
    }

    /** Tells whether all virtual threads waited for carriers at the time of a dump: those that wake others as well. */
    boolean at(long timeNanos) {
        return behindEach.containsKey(timeNanos);
    }

    /** Returns how many virtual threads wait for what a row waits for: on their carriers, and for a carrier. It is 0 for any other row. */
    double waiting(BlockedSample row) {
        return holds(row) ? row.threads() * behindEach.getOrDefault(row.timeNanos(), 0.0) : 0;
    }
}
