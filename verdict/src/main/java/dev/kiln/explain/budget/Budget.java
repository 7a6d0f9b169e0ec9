package dev.kiln.explain.budget;

import dev.kiln.explain.budget.RunningCode.CodeTime;
import dev.kiln.explain.budget.RunningCode.TierSplit;
import dev.kiln.explain.window.Window;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A Budget is where the mean response time of a window went: its parts sum to it. A part that is missing was not
 * recorded, and its time is in the rest.
 *
 * @param requestsPerSecond completed in the window
 * @param responseMillis mean response time
 * @param millis of each part that is known; the rest is always there
 * @param running what ran in the running part, if samples tell
 * @param blocked where threads were blocked, the longest first; they sum to that part
 * @param cpusUsed share of the target's CPUs that it used, 0 to 1; empty where it is not known
 * @param stops of the JVM; empty where they were not counted
 * @param uninterruptibleMillis of whatever part, in an uninterruptible sleep; empty where it was not recorded
 */
public record Budget(
        Window window,
        double requestsPerSecond,
        double responseMillis,
        Map<BudgetPart, Double> millis,
        RunningCode running,
        List<BlockedTime> blocked,
        OptionalDouble cpusUsed,
        Optional<StopCounts> stops,
        OptionalDouble uninterruptibleMillis) {

    /** A rest over this share of the response time is told, with what would split it. */
    public static final double LARGE_REST = 0.1;

    /** CPUs of which so much is used are full: what is ready to run waits for them. */
    private static final double FULL = 0.9;

    /** Stops are mostly for collections from this share of them on. */
    private static final double MOST_STOPS = 0.9;

    /**
     * StopCounts are how often the JVM let all threads stand.
     *
     * @param forCollections of those {@code perSecond}
     * @param toSafepointMillis of the part of safepoints, until all threads stood; empty where it was not recorded
     */
    public record StopCounts(double perSecond, double forCollections, OptionalDouble toSafepointMillis) {
        /** Tells whether nearly all were for collections: then other stops are what the collector did not count of these. */
        public boolean areMostlyForCollections() {
            return forCollections > 0 && forCollections >= MOST_STOPS * perSecond;
        }
    }

    /**
     * A BlockedTime is the time of a request blocked in one place.
     *
     * @param kind what it waits for, such as a monitor
     * @param frame the first frame that is not the JDK's; empty where there is none
     * @param detail such as the owner of the monitor; empty where nothing is known
     * @param behind whose worker is waited for; empty where that is not known, and where it is something else
     */
    public record BlockedTime(
            WaitKind kind, String frame, String detail, double millis, Optional<BusyExecutor> behind) {
        public BlockedTime(WaitKind kind, String frame, String detail, double millis) {
            this(kind, frame, detail, millis, Optional.empty());
        }

        /** Returns the same place with another time. */
        BlockedTime lasting(double other) {
            return new BlockedTime(kind, frame, detail, other, behind);
        }

        /** Returns the name of the kind that files and scripts use. */
        public String id() {
            return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public Budget {
        Map<BudgetPart, Double> ordered = new EnumMap<>(BudgetPart.class);
        ordered.putAll(millis);
        millis = Collections.unmodifiableMap(ordered);
        blocked = List.copyOf(blocked);
    }

    /** Returns what the running part ran as, if enough samples tell; the times sum to that part. */
    public List<CodeTime> code() {
        return running.tiers().map(TierSplit::times).orElse(List.of());
    }

    /** Returns this budget with the families of the closing recording, unless it has its own. */
    Budget orClosing(FlightDigest closing) {
        OptionalDouble ran = of(BudgetPart.RUNNING);
        return new Budget(
                window,
                requestsPerSecond,
                responseMillis,
                millis,
                ran.isPresent() ? running.orClosing(closing, ran.getAsDouble()) : running,
                blocked,
                cpusUsed,
                stops,
                uninterruptibleMillis);
    }

    /** Returns the milliseconds until all threads stood, of the part of safepoints; empty where it was not recorded. */
    public OptionalDouble toSafepointMillis() {
        return stops.map(StopCounts::toSafepointMillis).orElse(OptionalDouble.empty());
    }

    /** Returns the milliseconds of a part; empty where it was not recorded. */
    public OptionalDouble of(BudgetPart part) {
        Double value = millis.get(part);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Returns the milliseconds of several parts; empty where the first was not recorded, and others count where they were. */
    public OptionalDouble sum(BudgetPart first, BudgetPart... others) {
        return of(first).stream()
                .map(known -> known
                        + Arrays.stream(others)
                                .mapToDouble(part -> of(part).orElse(0))
                                .sum())
                .findFirst();
    }

    /** Returns the parts that were not recorded: the rest has their time. */
    public Set<BudgetPart> missing() {
        Set<BudgetPart> missing = EnumSet.allOf(BudgetPart.class);
        missing.removeAll(millis.keySet());
        return missing;
    }

    /** Returns the share of the response time that a part takes, 0 to 1; empty where it was not recorded. */
    public OptionalDouble share(BudgetPart part) {
        return of(part).stream()
                .map(known -> responseMillis > 0 ? known / responseMillis : 0)
                .findFirst();
    }

    /** Tells whether the target used all of its CPUs: then requests that no thread has wait for a CPU as well. */
    public boolean cpusAreFull() {
        return cpusUsed.orElse(0) >= FULL;
    }

    /** Tells whether the rest is so large that what would split it must be said. */
    public boolean restIsLarge() {
        return share(BudgetPart.REST).orElse(0) > LARGE_REST;
    }

    /**
     * A BudgetPart is one of the things that the time of a request goes into. A request is in one of them at a time, so the
     * parts add up.
     */
    public enum BudgetPart {
        /** A thread runs the request's code. */
        RUNNING("running", "running"),
        /** A thread runs in the kernel for the request. */
        KERNEL("kernel", "running in the kernel"),
        /** A thread is ready to run and has no CPU. */
        CPU_WAIT("cpu-wait", "waiting for a CPU"),
        /** A garbage collection stops all threads. */
        COLLECTION("collection", "stopped by collections"),
        /** The JVM stops all threads and does not count that as a collection, or asks them to stop and waits until they do. */
        SAFEPOINT("safepoint", "other stops of the JVM"),
        /** A CPU limit of the cgroup stops all threads. */
        CPU_LIMIT("cpu-limit", "stopped by the CPU limit"),
        /** A thread has taken the request up and is blocked: thread dumps say where. */
        BLOCKED("blocked", "blocked"),
        /** No other part has it: no thread has taken the request up yet, or what it waits for was not recorded. */
        REST("rest", "the rest");

        private final String id;
        private final String words;

        BudgetPart(String id, String words) {
            this.id = id;
            this.words = words;
        }

        /** Returns the name that files and scripts use. */
        public String id() {
            return id;
        }

        public String words() {
            return words;
        }
    }

    /**
     * A BusyExecutor is an executor whose workers had tasks in all dumps.
     *
     * @param pool the name of its threads without a counter
     */
    public record BusyExecutor(String pool, int threads) {
        private static final String COMPLETABLE = "java.util.concurrent.CompletableFuture";

        /** One dump may hit a pool just when each of its workers has a task. */
        private static final int DUMPS = 2;

        /**
         * Returns the one executor that runs tasks of a future of this class, if none of its workers was idle in any dump. With two that
         * run such tasks, busy or not, nothing says whose is awaited. Neither is it known where there are virtual threads, any of
         * which may run a task; and one thread that runs a CompletableFuture may do so for ever, while an event loop completes others.
         *
         * @param future the class of what is waited for, or one inside it
         */
        static Optional<BusyExecutor> of(String future, List<BlockedSample> dumped) {
            List<BlockedSample> platform =
                    dumped.stream().filter(row -> !row.virtual()).toList();
            Set<String> pools = platform.stream()
                    .filter(row ->
                            !row.task().isEmpty() && future.startsWith(row.task()) && row.kind() != WaitKind.IDLE)
                    .map(BlockedSample::pool)
                    .collect(Collectors.toSet());
            // Small rows of a dump are counted together, without a name: such a worker may be of any pool.
            boolean unknown = platform.size() < dumped.size()
                    || platform.stream()
                            .anyMatch(row -> row.pool().isEmpty() && row.frame().isEmpty());
            return unknown || pools.size() != 1
                    ? Optional.empty()
                    : busy(pools.iterator().next(), platform, dumps(dumped))
                            .filter(executor -> executor.threads() > 1 || !future.startsWith(COMPLETABLE));
        }

        private static Optional<BusyExecutor> busy(String pool, List<BlockedSample> platform, long dumps) {
            List<BlockedSample> rows =
                    platform.stream().filter(row -> row.pool().equals(pool)).toList();
            Map<Long, Integer> sizes = rows.stream()
                    .collect(Collectors.toMap(BlockedSample::timeNanos, BlockedSample::threads, Integer::sum));
            boolean always = rows.stream().noneMatch(row -> row.kind() == WaitKind.IDLE) && sizes.size() == dumps;
            return always && dumps >= DUMPS
                    ? Optional.of(new BusyExecutor(
                            pool,
                            sizes.values().stream()
                                    .mapToInt(Integer::intValue)
                                    .max()
                                    .orElseThrow()))
                    : Optional.empty();
        }

        private static long dumps(List<BlockedSample> dumped) {
            return dumped.stream()
                    .mapToLong(BlockedSample::timeNanos)
                    .distinct()
                    .count();
        }
    }
}
