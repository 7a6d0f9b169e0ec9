package dev.kiln.explain.budget;

import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
                .filter(row -> !row.task().isEmpty() && future.startsWith(row.task()) && row.kind() != WaitKind.IDLE)
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
        Map<Long, Integer> sizes =
                rows.stream().collect(Collectors.toMap(BlockedSample::timeNanos, BlockedSample::threads, Integer::sum));
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
        return dumped.stream().mapToLong(BlockedSample::timeNanos).distinct().count();
    }
}
