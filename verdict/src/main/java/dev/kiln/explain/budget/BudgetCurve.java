package dev.kiln.explain.budget;

import dev.kiln.explain.window.Window;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo.PhaseTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A BudgetCurve is where the response time went, second by second.
 *
 * @param seconds those in which it is known, in order
 */
public record BudgetCurve(List<BudgetSecond> seconds) {
    private static final long SECOND = 1_000_000_000L;

    public BudgetCurve {
        seconds = List.copyOf(seconds);
    }

    /**
     * A BudgetSecond is one second of a load.
     *
     * @param second since the first request
     */
    public record BudgetSecond(String phase, double second, Budget budget) {}

    /**
     * Reads each second of each load of a run.
     *
     * @param zeroNanos the first request
     */
    public static BudgetCurve of(RunEvidence evidence, BudgetReader reader, long zeroNanos) {
        List<BudgetSecond> seconds = new ArrayList<>();
        for (PhaseTime phase : evidence.info().phases()) {
            long end = phase.endNanos().orElse(phase.startNanos());
            for (long at = phase.startNanos(); phase.load() && at + SECOND <= end; at += SECOND) {
                double second = (at - zeroNanos) / 1e9;
                Optional<Budget> budget = reader.of(new Window(at, at + SECOND));
                budget.ifPresent(known -> seconds.add(new BudgetSecond(phase.name(), second, known)));
            }
        }
        return new BudgetCurve(seconds);
    }
}
