package dev.kiln.runner;

import dev.kiln.model.experiment.Experiment.PlannedRun;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Tries says which run is next. Kiln repeats a run that the machine disturbed at the end of its block, so that
 * the variants stay interleaved. A variant has at most twice as many tries as runs, so that a crowded machine costs
 * a bounded time.
 */
final class Tries {
    private final Deque<PlannedRun> planned;
    private final Deque<PlannedRun> again = new ArrayDeque<>();
    private final Map<String, Integer> made = new HashMap<>();
    private final Map<String, Integer> spare = new HashMap<>();
    private int total;

    Tries(List<PlannedRun> runs, boolean repeat) {
        planned = new ArrayDeque<>(runs);
        total = runs.size();
        runs.forEach(run -> {
            // A soak goes on with the number after its last.
            made.merge(run.variant().name(), run.run() - 1, Math::min);
            spare.merge(run.variant().name(), repeat ? 1 : 0, Integer::sum);
        });
    }

    /** Returns the number of all tries, with the repeats that are known so far. */
    int total() {
        return total;
    }

    /** Returns the next run; empty when all are made. A repeat gets the next number of its variant. */
    Optional<PlannedRun> next(int block) {
        boolean blockOver = planned.isEmpty() || planned.getFirst().block() != block;
        Optional<PlannedRun> next = blockOver && !again.isEmpty()
                ? Optional.of(again.removeFirst())
                : Optional.ofNullable(planned.pollFirst());
        return next.map(
                run -> new PlannedRun(run.block(), made.merge(run.variant().name(), 1, Integer::sum), run.variant()));
    }

    /** Tells whether a run of the variant may be made again. */
    boolean left(String variant) {
        return spare.getOrDefault(variant, 0) > 0;
    }

    /** Has the run made again at the end of its block. */
    void repeat(PlannedRun spoiled) {
        spare.merge(spoiled.variant().name(), -1, Integer::sum);
        again.addLast(spoiled);
        total++;
    }
}
