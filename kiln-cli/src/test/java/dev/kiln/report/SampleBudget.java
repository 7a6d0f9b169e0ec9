package dev.kiln.report;

import dev.kiln.explain.Curves.LoadPoint;
import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budget.StopCounts;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.budget.Budgets.BudgetCurve;
import dev.kiln.explain.budget.Budgets.BudgetCurve.BudgetSecond;
import dev.kiln.explain.budget.RunningCode;
import dev.kiln.explain.budget.RunningCode.CodeTime;
import dev.kiln.explain.budget.RunningCode.FamilySplit;
import dev.kiln.explain.budget.RunningCode.FamilyTime;
import dev.kiln.explain.budget.RunningCode.TierSplit;
import dev.kiln.explain.window.Window;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.WaitKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Budgets of a closed loop of 40 connections: one whose threads wait for a CPU, and one whose requests wait in a pool. */
public final class SampleBudget {
    private static final double CONNECTIONS = 40;

    private SampleBudget() {}

    static Budgets of(boolean starved, List<LoadPoint> load) {
        return new Budgets(
                Optional.of(of(starved, mean(load, 0, 10), List.of())),
                Optional.of(of(starved, mean(load, 45, 60), blocked(starved, mean(load, 45, 60)))),
                Optional.of(of(starved, mean(load, 75, 95), List.of())),
                new BudgetCurve(load.stream()
                        .map(point ->
                                new BudgetSecond(point.second(), of(starved, point.requestsPerSecond(), List.of())))
                        .toList()));
    }

    private static double mean(List<LoadPoint> load, double from, double to) {
        return load.stream()
                .filter(point -> point.second() >= from && point.second() < to)
                .mapToDouble(LoadPoint::requestsPerSecond)
                .average()
                .orElseThrow();
    }

    private static Budget of(boolean starved, double perSecond, List<BlockedTime> blocked) {
        double response = 1e3 * CONNECTIONS / perSecond;
        double held = blocked.stream().mapToDouble(BlockedTime::millis).sum();
        Map<BudgetPart, Double> millis = new EnumMap<>(BudgetPart.class);
        millis.put(BudgetPart.RUNNING, response * (starved ? 0.24 : 0.3));
        millis.put(BudgetPart.KERNEL, response * 0.08);
        millis.put(BudgetPart.CPU_WAIT, response * (starved ? 0.6 : 0.1));
        millis.put(BudgetPart.COLLECTION, response * 0.03);
        millis.put(BudgetPart.SAFEPOINT, response * 0.01);
        millis.put(BudgetPart.CPU_LIMIT, 0.0);
        if (!blocked.isEmpty()) {
            millis.put(BudgetPart.BLOCKED, held);
        }
        double known = millis.values().stream().mapToDouble(Double::doubleValue).sum();
        millis.put(BudgetPart.REST, Math.max(0, response - known));
        double running = millis.get(BudgetPart.RUNNING);
        List<CodeTime> code = List.of(
                new CodeTime("interpreted", running * (starved ? 0.1 : 0)),
                new CodeTime("c1", running * (starved ? 0.7 : 0.2)),
                new CodeTime("c2", running * (starved ? 0.15 : 0.75)),
                new CodeTime("native", running * 0.05));
        return new Budget(
                new Window(0, 1),
                perSecond,
                response,
                millis,
                new RunningCode(Optional.of(new TierSplit(1200, code)), families(starved, running)),
                blocked,
                OptionalDouble.empty(),
                Optional.of(new StopCounts(12, 3, OptionalDouble.of(response * 0.006))),
                OptionalDouble.empty());
    }

    /** Of the one that is not starved a profile tells what the code was for. */
    private static Optional<FamilySplit> families(boolean starved, double running) {
        return starved
                ? Optional.empty()
                : Optional.of(new FamilySplit(
                        1200,
                        false,
                        List.of(
                                family(CodeFamily.EXCEPTIONS, running, 0.05),
                                family(CodeFamily.SERIALISATION, running, 0.2),
                                family(CodeFamily.APPLICATION, running, 0.5),
                                family(CodeFamily.OTHER, running, 0.25))));
    }

    private static FamilyTime family(CodeFamily family, double running, double share) {
        return new FamilyTime(family, running * share, running * (share - 0.02), running * (share + 0.02));
    }

    private static List<BlockedTime> blocked(boolean starved, double perSecond) {
        double response = 1e3 * CONNECTIONS / perSecond;
        return starved
                ? List.of()
                : List.of(
                        new BlockedTime(
                                WaitKind.PARK,
                                "com.zaxxer.hikari.util.ConcurrentBag.borrow:151",
                                "java.util.concurrent.SynchronousQueue$Transferer",
                                response * 0.3),
                        new BlockedTime(
                                WaitKind.SOCKET,
                                "org.postgresql.core.VisibleBufferedInputStream.read:191",
                                "read",
                                response * 0.15),
                        new BlockedTime(WaitKind.SLEEP, "demo.Retry.pause:12", "", response * 0.009));
    }
}
