package dev.kiln.explain.window;

import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.FlightDigest.FamilySamples;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import dev.kiln.stats.ObservedShare;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** A FamilyUse is how much of the code that ran was of one family, and the frame that called most of it. */
public record FamilyUse(Source source, ObservedShare share, String frame) {
    /** A Source is where samples of running code come from. */
    public enum Source {
        /** The source is a flight recording, or a profiler. The JDK's does not see a thread that is inside the JVM. */
        RECORDING("samples"),
        /** The source is thread dumps: each running thread is a sample. */
        DUMPS("running threads in thread dumps");

        private final String words;

        Source(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** The names of pools of carriers begin so, from JDK 26 on with two dots behind it. */
    private static final String CARRIERS = "ForkJoi";

    /** Threads of one dump may stand alike by chance. So many dumps show how much those of a dump do. A choice. */
    private static final int ENOUGH_DUMPS = 3;

    /** Of fewer dumps, each is worth so many independent samples at most, however many threads it finds. A choice. */
    private static final int WORTH_OF_A_DUMP = 7;

    /** The interval of fewer samples can be over 40 percentage points wide. */
    private static final int LEAST_SAMPLES = 20;

    /** Returns what the samples of a recording in a window say; empty where they are too few. */
    public static Optional<FamilyUse> recorded(WindowEvidence s, Window window, CodeFamily family) {
        // A row counts the second that begins at its time.
        return recorded(
                family,
                s.evidence().flight().stream()
                        .flatMap(flight -> flight.families().stream())
                        .filter(row -> row.timeNanos() >= window.fromNanos() && row.timeNanos() < window.toNanos())
                        .toList());
    }

    /** Returns what the recording says that was made when all else was measured; empty where its samples are too few. */
    public static Optional<FamilyUse> closing(WindowEvidence s, CodeFamily family) {
        return recorded(
                family,
                s.evidence().closing().stream()
                        .flatMap(flight -> flight.families().stream())
                        .toList());
    }

    private static Optional<FamilyUse> recorded(CodeFamily family, List<FamilySamples> rows) {
        return of(
                Source.RECORDING,
                Integer.MAX_VALUE,
                rows,
                row -> row.family().equals(Optional.of(family)),
                FamilySamples::samples,
                FamilySamples::frame);
    }

    /** Returns what the thread dumps in a window say; empty where they are too few, or found too few running threads. */
    public static Optional<FamilyUse> dumped(WindowEvidence s, Window window, CodeFamily family) {
        List<BlockedSample> all = window.of(s.evidence().blocked(), BlockedSample::timeNanos);
        long dumps = all.stream().mapToLong(BlockedSample::timeNanos).distinct().count();
        Set<String> pools = pools(s.evidence().blocked());
        // A virtual thread that runs is on a carrier, which has a row of its own.
        List<BlockedSample> running = all.stream()
                .filter(row -> row.kind() == WaitKind.RUNNABLE && !row.virtual() && !isUnseen(row))
                .filter(row -> row.pool().isEmpty() || pools.contains(row.pool()))
                .toList();
        return of(
                Source.DUMPS,
                dumps >= ENOUGH_DUMPS ? worth(running, family) : WORTH_OF_A_DUMP * dumps,
                running,
                row -> row.detail().equals(family.id()),
                BlockedSample::threads,
                BlockedSample::frame);
    }

    /**
     * Returns how many independent samples the threads of some dumps are worth: those of one dump stand alike where the share differs
     * from dump to dump by more than chance (the design effect of samples that are drawn in clusters; Kish, Survey Sampling, 1965).
     */
    private static double worth(List<BlockedSample> running, CodeFamily family) {
        Map<Long, List<BlockedSample>> dumps =
                running.stream().collect(Collectors.groupingBy(BlockedSample::timeNanos));
        double all = count(running, row -> true);
        double share = all > 0 ? count(running, row -> row.detail().equals(family.id())) / all : 0;
        double chance = all * share * (1 - share);
        if (dumps.size() < 2 || chance == 0) {
            return all;
        }
        double differed = dumps.values().stream()
                .mapToDouble(dump ->
                        count(dump, row -> row.detail().equals(family.id())) - share * count(dump, row -> true))
                .map(off -> off * off)
                .sum();
        return all / Math.max(1, differed * dumps.size() / (dumps.size() - 1) / chance);
    }

    private static double count(List<BlockedSample> rows, Predicate<BlockedSample> which) {
        return rows.stream().filter(which).mapToInt(BlockedSample::threads).sum();
    }

    /** Tells whether it can be held against that of another window: a dump or two, or such that agree in nothing, say too little. */
    public boolean isComparable() {
        return source == Source.RECORDING || share.worth() > WORTH_OF_A_DUMP * (ENOUGH_DUMPS - 1);
    }

    /** Tells whether a row is of carriers whose virtual threads the dump did not show: nothing is known of what they ran. */
    private static boolean isUnseen(BlockedSample row) {
        return row.frame().isEmpty() && row.detail().isEmpty() && row.pool().startsWith(CARRIERS);
    }

    /**
     * Returns the pools that work: one thread that is always found at the same place works in the background. Threads that a
     * dump sums up without a pool count as well, because they may be of any.
     */
    private static Set<String> pools(List<BlockedSample> rows) {
        Map<String, Set<String>> places = new HashMap<>();
        Set<String> pools = new HashSet<>();
        for (BlockedSample row : rows) {
            Set<String> known = places.computeIfAbsent(row.pool(), pool -> new HashSet<>());
            known.add(row.kind() + row.frame());
            if (!row.pool().isEmpty() && (row.threads() > 1 || known.size() > 1)) {
                pools.add(row.pool());
            }
        }
        return pools;
    }

    private static <T> Optional<FamilyUse> of(
            Source source,
            double mostWorth,
            List<T> rows,
            Predicate<T> mine,
            ToIntFunction<T> count,
            Function<T, String> frame) {
        int all = rows.stream().mapToInt(count).sum();
        if (all < LEAST_SAMPLES) {
            return Optional.empty();
        }
        Map<String, Integer> frames =
                rows.stream().filter(mine).collect(Collectors.groupingBy(frame, Collectors.summingInt(count)));
        return Optional.of(new FamilyUse(
                source,
                new ObservedShare(
                        frames.values().stream().mapToInt(Integer::intValue).sum(), all, Math.min(all, mostWorth)),
                frames.entrySet().stream()
                        .filter(entry -> !entry.getKey().isEmpty())
                        .max(Map.Entry.<String, Integer>comparingByValue()
                                .thenComparing(Map.Entry.<String, Integer>comparingByKey()
                                        .reversed()))
                        .map(Map.Entry::getKey)
                        .orElse("")));
    }
}
