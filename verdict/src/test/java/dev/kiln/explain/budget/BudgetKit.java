package dev.kiln.explain.budget;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.util.List;

/** BudgetKit has short ways to say what tests of a budget say often. */
final class BudgetKit {
    private BudgetKit() {}

    static Budget budget(RunEvidence evidence, double from, double to) {
        return new BudgetReader(evidence, new ThreadTimes(evidence.threads(), true))
                .of(new Window(nanos(from), nanos(to)))
                .orElseThrow();
    }

    static double sum(Budget budget) {
        return budget.millis().values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    static double millis(Budget budget, BudgetPart part) {
        return budget.of(part).orElse(Double.NaN);
    }

    static RunEvidence with(RunEvidence evidence, List<BlockedSample> blocked) {
        RunEvidence.JvmEvidence jvm = evidence.jvm();
        return new RunEvidence(
                evidence.info(),
                evidence.sent(),
                new RunEvidence.JvmEvidence(
                        jvm.threads(),
                        jvm.compiler(),
                        jvm.jit(),
                        blocked,
                        jvm.flight(),
                        jvm.collections(),
                        jvm.classes(),
                        List.of()),
                evidence.machine(),
                evidence.gaps());
    }

    static BlockedSample blocked(int second, String pool, int threads, WaitKind kind, String frame) {
        return new BlockedSample(second * SECOND, pool, false, threads, kind, frame, "", "");
    }
}
