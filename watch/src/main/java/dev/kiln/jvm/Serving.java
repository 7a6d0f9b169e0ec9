package dev.kiln.jvm;

import dev.kiln.host.proc.PartMeter;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.proc.TcpSockets;
import dev.kiln.host.proc.TcpSockets.HeldSockets;
import dev.kiln.host.proc.TcpSockets.Listener;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Serving says which process of a target serves. What was launched may be a script, a wrapper, or a JVM that starts the JVM that
 * serves, and it may replace that one. A process is the target's if it descends from what was launched, or is of its
 * session. For use by one thread.
 */
public final class Serving {
    /** This many looks pass between two searches for the holder of the sockets, unless something has changed. */
    private static final int SELDOM = 5;

    /** A search costs much: after this many looks without an answer only one look in {@link #SELDOM} searches on. */
    private static final int PATIENCE = 30;

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

    /** The process that was seen with connections of the load, and is it as long as it listens or holds one. */
    private int proven = -1;

    /** The tables of sockets need no reading as long as this socket of the process listens there. */
    private Optional<Listener> listener = Optional.empty();

    /** This many looks pass until the tables are read again, for another process that serves too: each time twice as many. */
    private int wait = SELDOM;

    private int again;
    private OptionalLong served = OptionalLong.empty();
    private int most;

    /** A Who is what a look finds. */
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
        if (changed) {
            wait = SELDOM;
            again = looks + wait;
        }
        if (changed || isDue()) {
            last = find();
        }
        looks++;
        return last;
    }

    /** Looks, and gives the process that serves as far as is known: no guess takes the place of one that was seen. */
    public OptionalLong follow() {
        OptionalLong found = look().process();
        if (last instanceof Serves) {
            served = found;
        }
        return served.isPresent() ? served : found;
    }

    /** The most processes of the target that were seen with connections of their own at once. */
    public int most() {
        return most;
    }

    private boolean isDue() {
        boolean seldom = looks % SELDOM == 0;
        boolean living = last.process().stream().anyMatch(pid -> members.containsKey((int) pid));
        boolean settled = living && (last instanceof Serves || sockets.ports().isEmpty());
        if (!settled) {
            return looks < PATIENCE || seldom;
        }
        if (members.size() == 1 || !seldom) {
            return false;
        }
        if (listener.isEmpty() || !listener.get().lives()) {
            return true;
        }
        boolean due = looks >= again;
        if (due) {
            wait *= 2;
            again = looks + wait;
        }
        return due;
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
        listener = Optional.empty();
        if (sockets.ports().isEmpty()) {
            return guess();
        }
        Map<Integer, HeldSockets> held = new HashMap<>();
        Map<String, Map<Long, Boolean>> networks = new HashMap<>();
        boolean strangers = false;
        boolean unreadable = false;
        for (int pid : members.keySet()) {
            Map<Long, Boolean> seen = networks.computeIfAbsent(
                    fs.link("proc/" + pid + "/ns/net").orElse("of " + pid), network -> sockets.seenBy(pid));
            Optional<HeldSockets> own = sockets.heldBy(pid, seen);
            unreadable |= own.isEmpty();
            strangers |= seen.containsValue(true);
            own.filter(HeldSockets::any).ifPresent(some -> held.put(pid, some));
        }
        if (held.isEmpty()) {
            return strangers && !unreadable ? new Stranger() : guess();
        }
        return holder(held);
    }

    /** The one that served before as long as it holds a socket: of several that serve at once, one is enough. */
    private Who holder(Map<Integer, HeldSockets> held) {
        if (!held.containsKey(proven)) {
            proven = held.entrySet().stream()
                    .filter(one -> !one.getValue().connections().isEmpty())
                    .max(Comparator.<Map.Entry<Integer, HeldSockets>>comparingInt(
                                    one -> one.getValue().connections().size())
                            .thenComparingInt(one -> -one.getKey()))
                    .map(Map.Entry::getKey)
                    .orElse(-1);
        }
        most = Math.max(most, serving(held.values()));
        HeldSockets one = held.get(proven);
        if (one != null) {
            listener = one.listeners().stream().findFirst();
            return new Serves(proven);
        }
        return held.size() == 1 ? new Serves(held.keySet().iterator().next()) : guess();
    }

    /** A connection that a process has from its parent is counted once. */
    private static int serving(Collection<HeldSockets> held) {
        Set<Long> counted = new HashSet<>();
        int processes = 0;
        for (HeldSockets each : held) {
            boolean own = !each.connections().isEmpty() && Collections.disjoint(counted, each.connections());
            counted.addAll(each.connections());
            processes += own ? 1 : 0;
        }
        return processes;
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
