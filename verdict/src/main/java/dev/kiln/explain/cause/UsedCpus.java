package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.load.LoadBin;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A UsedCpus is how much was used of the CPUs that the requests in flight could use.
 *
 * @param share of them that was used, with the time in which the generator had the request; empty where that is not known
 * @param wanted the same with the time for which threads waited for a CPU
 * @param words what was used, in a sentence, or why that is not known
 */
record UsedCpus(OptionalDouble share, double wanted, String words) {
    private static UsedCpus unknown(String why) {
        return new UsedCpus(OptionalDouble.empty(), 0, why);
    }

    /** @param behind in words what a database, or a backend, used; empty without one */
    static UsedCpus of(WindowEvidence s, Budgets budgets, String behind) {
        Optional<CpuUse> target = s.target();
        OptionalDouble inFlight = inFlight(s);
        if (target.isEmpty() || s.targetCpus().isEmpty() || inFlight.isEmpty()) {
            return unknown("the target's CPU time or the requests in flight were not recorded: kiln run records both");
        }
        double cpus = s.targetCpus().getAsDouble();
        boolean generatorCounts = most(s) <= cpus;
        if (generatorCounts && s.part("load").isEmpty()) {
            return unknown("the CPU time of the load generator was not recorded, and while it handles a request"
                    + " the target has none");
        }
        // With no more requests in flight than CPUs, the generator's time for a request is time in which the target has
        // none to answer.
        double away = generatorCounts ? s.cpuOf("load") / cpus : 0;
        String text = String.format(
                        Locale.ROOT,
                        "the target used %.0f %% of its CPUs with %.0f requests in flight over %d connections",
                        100 * target.get().cpu() / cpus,
                        inFlight.getAsDouble(),
                        s.evidence().info().load().connections())
                + (behind.isEmpty() ? "" : "; " + behind)
                + (away > 0
                        ? String.format(
                                Locale.ROOT,
                                "; the generator used CPU time worth %.0f %% of the target's CPUs, and the target had"
                                        + " no work meanwhile",
                                100 * away)
                        : "");
        return most(s) < cpus
                ? withFew(s, budgets.end(), text)
                : new UsedCpus(
                        OptionalDouble.of(target.get().cpu() / cpus + away),
                        target.get().demand() / cpus + away,
                        text);
    }

    /**
     * Returns what was used where fewer requests are in flight than there are CPUs: some of these are idle whatever a request waits
     * for, and others may run the compilers. So it counts for how much of its time a request has a CPU.
     */
    private static UsedCpus withFew(WindowEvidence s, Optional<Budget> end, String text) {
        OptionalDouble ran = end.map(budget -> budget.sum(BudgetPart.RUNNING, BudgetPart.KERNEL))
                .orElse(OptionalDouble.empty());
        if (ran.isEmpty()) {
            return unknown(text + ": fewer requests than it has CPUs, and how long one of them ran is not known");
        }
        double response = end.orElseThrow().responseMillis();
        double generator = s.cpuOf("load") / most(s);
        double waited = end.orElseThrow().of(BudgetPart.CPU_WAIT).orElse(0) / response;
        double running = ran.getAsDouble() / response;
        return new UsedCpus(
                OptionalDouble.of(running + generator),
                running + waited + generator,
                String.format(
                        Locale.ROOT,
                        "%s; so few cannot use all of them, and a request ran for %.0f %% of its time",
                        text,
                        100 * running));
    }

    /** Returns how many requests can be in flight. */
    static int most(WindowEvidence s) {
        return s.evidence().info().load().inFlight();
    }

    /**
     * Returns the mean of requests in flight over the window; empty where bins have no backlog, as those of imported
     * load.
     */
    static OptionalDouble inFlight(WindowEvidence s) {
        double mean = s.within(s.evidence().load(), LoadBin::startNanos).stream()
                .mapToDouble(LoadBin::backlog)
                .average()
                .orElse(0);
        return mean > 0 ? OptionalDouble.of(mean) : OptionalDouble.empty();
    }
}
