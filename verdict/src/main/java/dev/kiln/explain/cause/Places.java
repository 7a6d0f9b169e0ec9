package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.explain.budget.BudgetPart;
import dev.kiln.explain.budget.Budgets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Places are where threads were blocked at the beginning of a load, held against where they are later on. */
final class Places {
    private Places() {}

    /** Returns in words where a request was blocked for less time than at the beginning, by the most. */
    static String words(Budgets budgets) {
        Optional<Budget> first = budgets.beginning().filter(Places::dumped);
        Optional<Budget> last = budgets.reference()
                .filter(Places::dumped)
                .or(() -> budgets.end().filter(Places::dumped));
        if (first.isEmpty() || last.isEmpty()) {
            return "where they waited is not known: it takes thread dumps in the first seconds of the load (they are on"
                    + " unless --no-thread-dumps is given)";
        }
        return first.get().blocked().stream()
                .max(Comparator.comparingDouble(place -> fell(place, last.get().blocked())))
                .filter(place -> fell(place, last.get().blocked()) > 0)
                .map(place -> String.format(
                        Locale.ROOT,
                        "what fell most: %s ms in the first seconds, later %s ms %s",
                        Explained.ms(place.millis()),
                        Explained.ms(same(place, last.get().blocked())),
                        WaitCause.at(place)))
                .orElse(
                        "thread dumps found no place where threads were blocked for less time later: requests waited in a"
                                + " queue, or without a thread");
    }

    private static boolean dumped(Budget budget) {
        return budget.of(BudgetPart.BLOCKED).isPresent();
    }

    private static double fell(BlockedTime place, List<BlockedTime> later) {
        return place.millis() - same(place, later);
    }

    private static double same(BlockedTime place, List<BlockedTime> later) {
        return later.stream()
                .filter(other -> other.kind() == place.kind()
                        && other.frame().equals(place.frame())
                        && other.detail().equals(place.detail()))
                .mapToDouble(BlockedTime::millis)
                .sum();
    }
}
