package dev.kiln.jvm;

import dev.kiln.host.proc.PartMeter;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.proc.TcpSockets;
import dev.kiln.host.proc.TcpSockets.Held;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which process of a target serves. What was launched may be a script, a wrapper, or a JVM that starts the JVM that
 * serves, and it may replace that one. A process is the target's if it descends from what was launched, or is of its
 * session. For use by one thread.
 */
public final class Serving {
    /** So many looks pass between two searches for the holder of the sockets, unless something has changed. */
    private static final int SELDOM = 5;

    /** A process that used so much more CPU than another one does the work, where nothing else tells. */
    private static final int TIMES = 2;

    private static final long BUSY_NANOS = 1_000_000_000;

    private final ProcFs fs;
    private final int root;
    private final TcpSockets sockets;
    private final PartMeter.Census census;
    private final Map<Integer, ProcStat> members = new TreeMap<>();
    private Who last = new Nobody();
    private int looks;

    /** What a look finds. */
    public sealed interface Who {
        /** The process, where there is one. */
        default OptionalLong process() {
            return switch (this) {
                case Serves serves -> OptionalLong.of(serves.pid);
                case Guess guess -> OptionalLong.of(guess.pid);
                case Stranger stranger -> OptionalLong.empty();
                case Nobody nobody -> OptionalLong.empty();
            };
        }
    }

    /** It holds the connections of the load, or alone listens for them. */
    public record Serves(long pid) implements Who {}

    /** Nobody listens yet, or it cannot be seen who does: the nearest JVM, or whatever uses the CPU. */
    public record Guess(long pid) implements Who {}

    /** A process listens that is not the target's. */
    public record Stranger() implements Who {}

    /** None lives, or none of it is a JVM yet. */
    public record Nobody() implements Who {}

    /**
     * @param root the process that was launched
     * @param ports to which the load goes; empty where they are not ports of this machine
     */
    public Serving(ProcFs fs, long root, Set<Integer> ports) {
        this.fs = fs;
        this.root = (int) root;
        this.sockets = new TcpSockets(fs, ports);
        this.census = new PartMeter.Census(fs);
    }

    /** Looks once. */
    public static Who now(ProcFs fs, long root, Set<Integer> ports) {
        return new Serving(fs, root, ports).look();
    }

    public Who look() {
        boolean joined = join(census.newcomers());
        boolean changed = forget() || joined;
        boolean settled = last instanceof Serves serves && members.containsKey((int) serves.pid);
        boolean alone = members.size() == 1;
        if (!settled || changed || (!alone && looks % SELDOM == 0)) {
            last = find();
        }
        looks++;
        return last;
    }

    private boolean join(List<ProcStat> newcomers) {
        boolean joined = false;
        boolean grown = true;
        while (grown) {
            grown = false;
            for (ProcStat process : newcomers) {
                boolean ours = process.pid() == root
                        || process.family().session() == root
                        || members.containsKey(process.parent());
                if (ours && !process.isDead() && members.putIfAbsent(process.pid(), process) == null) {
                    grown = true;
                }
            }
            joined |= grown;
        }
        return joined;
    }

    /** Forgets those that have ended, and reads the others again. */
    private boolean forget() {
        int before = members.size();
        members.entrySet().removeIf(member -> {
            Optional<ProcStat> now = fs.stat(member.getKey())
                    .filter(stat -> !stat.isDead()
                            && stat.startTicks() == member.getValue().startTicks());
            now.ifPresent(member::setValue);
            return now.isEmpty();
        });
        return members.size() < before;
    }

    private Who find() {
        if (sockets.ports().isEmpty()) {
            return guess();
        }
        Map<Integer, Held> held = new HashMap<>();
        boolean strangers = false;
        for (int pid : members.keySet()) {
            Map<Long, Boolean> seen = sockets.seenBy(pid);
            Optional<Held> own = sockets.heldBy(pid, seen);
            if (own.isEmpty()) {
                return guess();
            }
            strangers |= seen.containsValue(true);
            held.put(pid, own.get());
        }
        held.values().removeIf(own -> !own.any());
        if (held.isEmpty()) {
            return strangers ? new Stranger() : guess();
        }
        int most = held.values().stream().mapToInt(Held::connections).max().orElseThrow();
        if (most == 0) {
            if (last instanceof Serves serves && held.containsKey((int) serves.pid)) {
                return last;
            }
            return held.size() == 1 ? new Serves(held.keySet().iterator().next()) : guess();
        }
        return new Serves(holder(held, most));
    }

    /** The one that served before, while it still holds about as many connections as another one. */
    private long holder(Map<Integer, Held> held, int most) {
        long before = last.process().orElse(-1);
        Held own = held.get((int) before);
        return own != null && TIMES * own.connections() >= most
                ? before
                : held.entrySet().stream()
                        .filter(one -> one.getValue().connections() == most)
                        .mapToInt(Map.Entry::getKey)
                        .min()
                        .orElseThrow();
    }

    private Who guess() {
        OptionalLong jvm = JvmProbe.inTree(fs, root);
        Optional<ProcStat> nearest = Optional.ofNullable(members.get((int) jvm.orElse(root)));
        Optional<ProcStat> busiest = members.values().stream()
                .max(Comparator.comparingLong(process -> process.cpu().ownNanos()))
                .filter(process -> process.cpu().ownNanos() > BUSY_NANOS)
                .filter(process -> process.cpu().ownNanos()
                        > TIMES * nearest.map(near -> near.cpu().ownNanos()).orElse(0L));
        if (busiest.isPresent()) {
            return new Guess(busiest.get().pid());
        }
        return jvm.isPresent() ? new Guess(jvm.getAsLong()) : new Nobody();
    }
}
