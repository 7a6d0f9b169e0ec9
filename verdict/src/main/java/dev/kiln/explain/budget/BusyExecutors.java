package dev.kiln.explain.budget;

import dev.kiln.explain.budget.Budget.BusyExecutor;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** BusyExecutors are the executors of which no worker was without a task in any dump. */
final class BusyExecutors {
    /** One dump may hit a pool just when each of its workers has a task. */
    private static final int DUMPS = 2;

    private BusyExecutors() {}

    /** Returns them by the dumps of a window; none if the dumps do not tell which threads are workers. */
    static List<BusyExecutor> in(List<BlockedSample> dumped) {
        long dumps =
                dumped.stream().mapToLong(BlockedSample::timeNanos).distinct().count();
        List<BlockedSample> platform =
                dumped.stream().filter(row -> !row.virtual()).toList();
        // Small rows of a dump are counted together, without a name: such a worker may be of any pool.
        boolean unknown = platform.stream()
                .anyMatch(row -> row.pool().isEmpty() && row.frame().isEmpty() && row.kind() == WaitKind.IDLE);
        if (dumps < DUMPS || unknown) {
            return List.of();
        }
        Map<String, List<BlockedSample>> pools =
                platform.stream().collect(Collectors.groupingBy(BlockedSample::pool, TreeMap::new, Collectors.toList()));
        List<BusyExecutor> busy = new ArrayList<>();
        pools.forEach((pool, rows) -> {
            Map<Long, Integer> sizes = rows.stream()
                    .collect(Collectors.toMap(BlockedSample::timeNanos, BlockedSample::threads, Integer::sum));
            boolean always = rows.stream()
                    .allMatch(row -> row.executor().orElse(false) && row.kind() != WaitKind.IDLE);
            if (always && !pool.isEmpty() && sizes.size() == dumps) {
                busy.add(new BusyExecutor(
                        pool,
                        sizes.values().stream().mapToInt(Integer::intValue).max().orElseThrow()));
            }
        });
        return busy;
    }
}
