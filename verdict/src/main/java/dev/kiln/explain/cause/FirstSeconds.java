package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budgets.BudgetCurve;
import dev.kiln.explain.budget.Budgets.BudgetCurve.BudgetSecond;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * FirstSeconds are those in which requests waited as at the beginning of the load: until half of what was to fall had
 * fallen. Where they did not wait so from the first second on, they are the first three.
 *
 * @param lasted seconds from the first request on in which they waited so
 * @param stage the mean request in the window
 */
record FirstSeconds(double lasted, Window window, Stage stage) {
    /** So many seconds say how the load began: one alone may be that of the first request of all. */
    private static final int BEGINNING = 3;

    /**
     * Finds them; empty where the first seconds are not known.
     *
     * @param endSecond of the load before the pause
     * @param last what a request took when it had fallen
     */
    static Optional<FirstSeconds> of(BudgetCurve curve, double endSecond, Stage last) {
        List<BudgetSecond> load = curve.seconds().stream()
                .filter(second -> second.second() < endSecond)
                .toList();
        if (load.size() < BEGINNING || !follow(load.subList(0, BEGINNING))) {
            return Optional.empty();
        }
        List<BudgetSecond> beginning = load.subList(0, BEGINNING);
        double high =
                beginning.stream().mapToDouble(FirstSeconds::waits).average().orElse(0);
        double half = (high + last.waits()) / 2;
        List<BudgetSecond> waited =
                load.stream().takeWhile(second -> waits(second) >= half).toList();
        double lasted = waited.isEmpty() ? 0 : waited.getLast().second() + 1;
        List<BudgetSecond> first = waited.isEmpty() ? beginning : waited;
        if (!follow(first) || !first.stream().map(BudgetSecond::budget).allMatch(Stage::isKnown)) {
            return Optional.empty();
        }
        Window window = new Window(
                first.getFirst().budget().window().fromNanos(),
                first.getLast().budget().window().toNanos());
        Stage stage = new Stage(mean(first, Stage::millis), mean(first, Stage::waits), mean(first, Stage::cpu));
        return Optional.of(new FirstSeconds(lasted, window, stage));
    }

    /** Tells whether they are the first of the load, without a gap: in a second in which nothing was served much may happen. */
    private static boolean follow(List<BudgetSecond> seconds) {
        return IntStream.range(0, seconds.size())
                .allMatch(i -> Math.round(seconds.get(i).second()) == i);
    }

    private static double waits(BudgetSecond second) {
        return Stage.of(second.budget()).waits();
    }

    /** Returns the mean over requests: a second counts as often as it served one. */
    private static double mean(List<BudgetSecond> seconds, ToDoubleFunction<Stage> figure) {
        double requests = 0;
        double sum = 0;
        for (BudgetSecond second : seconds) {
            Budget budget = second.budget();
            requests += budget.requestsPerSecond();
            sum += budget.requestsPerSecond() * figure.applyAsDouble(Stage.of(budget));
        }
        return requests > 0 ? sum / requests : 0;
    }

    /** Returns the share of the time in which the busiest thread that is not the JVM's ran or waited for a CPU. */
    double busiestThread(ThreadTimes threads) {
        return threads.busiest(window, use -> use.demand(window.seconds()))
                .map(use -> use.demand(window.seconds()))
                .orElse(0.0);
    }
}
