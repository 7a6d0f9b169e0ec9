package dev.kiln.explain.budget;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.explain.budget.Budget.BusyExecutor;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.WaitKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * BlockedThreads are the threads that thread dumps found blocked with a request in hand. As many threads on average as are
 * blocked in one place, over the throughput, is the time of a request there: Little's law again.
 */
final class BlockedThreads {
    /** A pool with at least this share of the requests in flight serves them, wherever its threads are found. */
    private static final double MOST = 0.5;

    /** The JDK names a thread so, with a counter, if its program does not. */
    private static final String UNNAMED = "Thread";

    /** One thread alone may be half of the requests, and is a timer more often than a pool. */
    private static final int LEAST = 2;

    /**
     * With so many that wait for each worker, most of a wait is for a worker and not for the task itself: of two, one is
     * in the queue.
     */
    private static final int QUEUED = 2;

    /** Pool is the threads of one name, and whether they are virtual. */
    private record Pool(String name, boolean virtual) {
        /** Threads that nobody named, and those that a dump counts together, may be anything. Virtual threads need no name. */
        private boolean isOne() {
            return virtual || !(name.isEmpty() || name.equals(UNNAMED));
        }

        static Pool of(BlockedSample row) {
            return new Pool(row.pool(), row.virtual());
        }

        /** Tells whether a thread has the name of this pool, as far as the kernel keeps it. */
        private boolean has(ThreadTimes.Use use) {
            String own = name.strip();
            return use.last().name().startsWith(own.substring(0, Math.min(KEPT, own.length())));
        }
    }

    /** Place is where a thread was blocked. */
    private record Place(WaitKind kind, String frame, String detail) {
        Place placed() {
            return new Place(kind, frame, kind.placed(detail));
        }

        static Place of(BlockedSample row) {
            return new Place(row.kind(), row.frame(), row.detail());
        }
    }

    /** A Waiting is how many threads of a pool wait in a place with a request, on average. */
    private record Waiting(Pool pool, Place place, double threads) {}

    /** Linux keeps so many characters of a thread's name. */
    private static final int KEPT = 15;

    private final List<BlockedSample> rows;
    private final List<LatencyInterval> latency;
    private final ThreadTimes threads;
    private final Map<Pool, Set<Place>> places = new HashMap<>();
    private final Map<Pool, Integer> largest = new HashMap<>();
    private final boolean withoutVirtual;

    private final NetworkCounts network;
    private final HeldCarriers held;

    BlockedThreads(RunEvidence evidence, ThreadTimes threads) {
        this.threads = threads;
        rows = evidence.blocked();
        latency = evidence.latency().seconds();
        withoutVirtual = evidence.info().gap(NotRecorded.VIRTUAL_DUMPS).isPresent();
        network = new NetworkCounts(evidence);
        held = new HeldCarriers(rows);
        Map<Pool, Map<Long, Integer>> sizes = new HashMap<>();
        for (BlockedSample row : rows) {
            Pool pool = Pool.of(row);
            places.computeIfAbsent(pool, key -> new HashSet<>()).add(new Place(row.kind(), row.frame(), ""));
            sizes.computeIfAbsent(pool, key -> new TreeMap<>()).merge(row.timeNanos(), row.threads(), Integer::sum);
        }
        sizes.forEach((pool, sums) -> largest.put(
                pool, sums.values().stream().mapToInt(Integer::intValue).max().orElse(0)));
    }

    /** Tells whether threads were dumped in the window. */
    boolean seen(Window window) {
        return !window.of(rows, BlockedSample::timeNanos).isEmpty();
    }

    /**
     * Tells whether nothing is known of what requests are blocked in: none of these platform threads have one, and the JVM's
     * virtual threads were not dumped.
     */
    boolean unknown(List<BlockedTime> places) {
        return withoutVirtual && places.isEmpty();
    }

    /**
     * Returns the ms of a request in each place, the longest first.
     *
     * @param inFlight requests on their way at a time
     */
    List<BlockedTime> in(Window window, double perSecond, double inFlight) {
        List<BlockedSample> dumped = window.of(rows, BlockedSample::timeNanos);
        long dumps = times(dumped.stream());
        long counts = times(dumped.stream().filter(row -> row.kind() == WaitKind.NETWORK));
        Set<Pool> timers = timers(dumped, dumps, window);
        List<Waiting> all = new ArrayList<>();
        for (BlockedSample row : dumped) {
            double with = row.kind() == WaitKind.NETWORK
                    ? inNetwork(row, inFlight) / counts
                    : withRequest(row, inFlight) / dumps;
            if (with > 0 && !timers.contains(Pool.of(row))) {
                all.add(new Waiting(Pool.of(row), Place.of(row), with));
            }
        }
        Set<Pool> named = named(dumped, window);
        double others = shareOfOthers(all, named, inFlight);
        Map<Place, Double> waiting = new LinkedHashMap<>();
        all.forEach(
                one -> waiting.merge(one.place, one.threads * (named.contains(one.pool) ? 1 : others), Double::sum));
        return joined(waiting).entrySet().stream()
                .map(entry -> new BlockedTime(
                        entry.getKey().kind(),
                        entry.getKey().frame(),
                        entry.getKey().detail(),
                        1e3 * entry.getValue() / perSecond,
                        behind(entry.getKey(), entry.getValue(), dumped)))
                .sorted(Comparator.comparingDouble(BlockedTime::millis).reversed())
                .toList();
    }

    /**
     * Returns how much counts of a wait for whose thread no name speaks. One thread may wait for what another one of its process does for
     * the same request, such as an answer over the loopback: then more of them wait than there are requests. Those that are named
     * as a server's threads are have the requests, and the others what is left. Those of the first that wait for a task take
     * nothing from the others: what its thread does says as much.
     */
    private static double shareOfOthers(List<Waiting> all, Set<Pool> named, double inFlight) {
        double first = 0;
        double others = 0;
        for (Waiting one : all) {
            if (!named.contains(one.pool)) {
                others += one.threads;
            } else if (one.place.kind() != WaitKind.TASK) {
                first += one.threads;
            }
        }
        return others == 0 || first < MOST * inFlight ? 1 : Math.clamp((inFlight - first) / others, 0, 1);
    }

    /** Returns the pools whose threads serve requests by their names, and the virtual threads. */
    private Set<Pool> named(List<BlockedSample> dumped, Window window) {
        List<ThreadTimes.Use> serve = threads.between(window.fromNanos(), window.toNanos()).stream()
                .filter(use ->
                        use.last().role() == ThreadRole.WORKER || use.last().role() == ThreadRole.IO)
                .toList();
        return dumped.stream()
                .map(Pool::of)
                .distinct()
                .filter(pool ->
                        pool.virtual() || (pool.isOne() && serve.stream().anyMatch(pool::has)))
                .collect(Collectors.toSet());
    }

    /** Joins the waits in one place. Of the owners of a monitor, the one that most waited for stays. */
    private static Map<Place, Double> joined(Map<Place, Double> waiting) {
        Map<Place, Double> joined = new LinkedHashMap<>();
        waiting.entrySet().stream()
                .collect(Collectors.groupingBy(wait -> wait.getKey().placed(), LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(same -> joined.put(
                        same.stream()
                                .max(Comparator.comparing((Map.Entry<Place, Double> wait) ->
                                                !wait.getKey().detail().isEmpty())
                                        .thenComparing(Map.Entry::getValue))
                                .orElseThrow()
                                .getKey(),
                        same.stream().mapToDouble(Map.Entry::getValue).sum()));
        return joined;
    }

    /**
     * Returns the threads alone of their name that wait longer at a time than any request of the window took: they have none in hand.
     * Such a thread began no more waits than it left its CPU, and may have been in one when the window began.
     */
    private Set<Pool> timers(List<BlockedSample> dumped, long dumps, Window window) {
        OptionalLong longest = window.of(latency, LatencyInterval::startNanos).stream()
                .mapToLong(LatencyInterval::maxNanos)
                .max();
        if (longest.isEmpty()) {
            return Set.of();
        }
        List<ThreadTimes.Use> uses = threads.between(window.fromNanos(), window.toNanos());
        return dumped.stream()
                .filter(row -> blocks(row.kind()))
                .collect(Collectors.groupingBy(Pool::of, Collectors.counting()))
                .entrySet()
                .stream()
                .filter(pool -> !pool.getKey().virtual()
                        && pool.getKey().isOne()
                        && largest.getOrDefault(pool.getKey(), 0) == 1)
                .filter(pool -> {
                    OptionalLong waits = waits(pool.getKey(), uses);
                    double waited = 1e9 * window.seconds() * pool.getValue() / dumps;
                    return waits.isPresent() && waited > (double) longest.getAsLong() * (waits.getAsLong() + 1);
                })
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Returns how often the threads of a name left their CPU to wait; empty where none of that name was sampled. */
    private static OptionalLong waits(Pool pool, List<ThreadTimes.Use> uses) {
        return uses.stream()
                .filter(pool::has)
                .mapToLong(ThreadTimes.Use::voluntary)
                .reduce(Long::sum);
    }

    private static long times(Stream<BlockedSample> rows) {
        return rows.mapToLong(BlockedSample::timeNanos).distinct().count();
    }

    /** Returns how many threads of a row are blocked with a request, or wait for a carrier that one of them keeps. */
    private double withRequest(BlockedSample row, double inFlight) {
        boolean waits = blocks(row.kind()) && serves(Pool.of(row), inFlight);
        return Math.max(held.waiting(row), waits ? row.threads() : 0);
    }

    /** What wakes a virtual thread runs on a carrier too: while all are kept, one may have its answer and still count. */
    private double inNetwork(BlockedSample row, double inFlight) {
        return held.at(row.timeNanos()) ? 0 : network.withRequest(row, inFlight);
    }

    /** Returns the executor whose tasks the threads of a place wait for, if they queue for it. */
    private static Optional<BusyExecutor> behind(Place place, double waiting, List<BlockedSample> dumped) {
        if (place.kind() != WaitKind.TASK) {
            return Optional.empty();
        }
        Set<String> own = dumped.stream()
                .filter(row -> Place.of(row).equals(place))
                .map(BlockedSample::pool)
                .collect(Collectors.toSet());
        return BusyExecutor.of(place.detail(), dumped)
                .filter(executor -> !own.contains(executor.pool()) && waiting >= QUEUED * executor.threads());
    }

    private static boolean blocks(WaitKind kind) {
        return kind != WaitKind.RUNNABLE && kind != WaitKind.IDLE;
    }

    /**
     * Tells whether the threads of a pool work for requests. Those of one that were found in one place at all times wait in
     * the background, such as a timer or the writer of a log: a pool that serves has some threads elsewhere.
     */
    private boolean serves(Pool pool, double inFlight) {
        return (pool.isOne() && places.getOrDefault(pool, Set.of()).size() > 1)
                || largest.getOrDefault(pool, 0) >= Math.max(LEAST, MOST * inFlight);
    }
}
