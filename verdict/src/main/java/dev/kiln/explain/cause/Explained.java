package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Explained holds a cause against the time of a request: how much of it the parts took that the cause makes longer, and how
 * much more than in the load after the pause. Causes are ordered by what they explain.
 */
final class Explained {
    /** Causes that explain as much to a tenth of what is missing keep their order: the parts are not known better. */
    private static final double STEPS = 10;

    /** A request took longer if the difference is over this share of its time: the noise of a mean over ten seconds. */
    static final double LONGER = 0.05;

    private final Budget end;
    private final Optional<Budget> reference;
    private final Function<Finding, Set<BudgetPart>> takes;

    private Explained(Budget end, Optional<Budget> reference, Function<Finding, Set<BudgetPart>> takes) {
        this.takes = takes;
        this.end = end;
        this.reference = reference;
    }

    /**
     * Returns the findings with what each confirmed one takes, ordered by what they explain.
     *
     * @param takes the parts of a request's time that the cause of a finding makes longer
     */
    static List<Finding> of(List<Finding> findings, Budgets budgets, Function<Finding, Set<BudgetPart>> takes) {
        if (budgets.end().isEmpty()) {
            return findings;
        }
        Explained explained = new Explained(
                budgets.end().get(),
                budgets.reference(),
                finding -> withQueue(takes.apply(finding), budgets.end().get()));
        List<Finding> confirmed = findings.stream()
                .filter(finding -> finding.state() == FindingState.CONFIRMED)
                .sorted(Comparator.comparingLong(explained::rank).reversed())
                .toList();
        return Stream.concat(
                        confirmed.stream().map(finding -> explained.told(finding, confirmed)),
                        findings.stream().filter(finding -> finding.state() != FindingState.CONFIRMED))
                .toList();
    }

    /** Where the CPUs are full, requests that no thread has yet wait for them too, in a socket or a queue. */
    private static Set<BudgetPart> withQueue(Set<BudgetPart> parts, Budget end) {
        if (!parts.contains(BudgetPart.CPU_WAIT) || !end.cpusAreFull()) {
            return parts;
        }
        Set<BudgetPart> more = EnumSet.copyOf(parts);
        more.add(BudgetPart.REST);
        return more;
    }

    /** Returns how many tenths of what is missing a finding explains; 0 where nothing is, or nothing is known. */
    private long rank(Finding finding) {
        Set<BudgetPart> parts = takes.apply(finding);
        double missing = missing();
        return missing <= 0 || parts.isEmpty() || finding.explains().isEmpty()
                ? 0
                : Math.round(STEPS * Math.clamp(more(parts) / missing, 0, 1));
    }

    /** Returns how many ms longer a request took than after the pause; 0 where that is noise, or not known. */
    private double missing() {
        double longer =
                end.responseMillis() - reference.map(Budget::responseMillis).orElse(end.responseMillis());
        return longer > LONGER * end.responseMillis() ? longer : 0;
    }

    private double more(Set<BudgetPart> parts) {
        return millis(end, parts) - millis(reference.orElse(end), parts);
    }

    private static double millis(Budget budget, Set<BudgetPart> parts) {
        return parts.stream().mapToDouble(part -> budget.of(part).orElse(0)).sum();
    }

    private Finding told(Finding finding, List<Finding> ordered) {
        if (!tells(finding)) {
            return finding;
        }
        Set<BudgetPart> parts = takes.apply(finding);
        return finding.with(List.of(CauseId.proof(words(parts) + shared(parts, before(finding, ordered)))));
    }

    private boolean tells(Finding finding) {
        Set<BudgetPart> parts = takes.apply(finding);
        boolean known = !parts.isEmpty()
                && parts.stream().noneMatch(end.missing()::contains)
                && reference.stream().noneMatch(after -> parts.stream().anyMatch(after.missing()::contains));
        // What explains nothing has said so itself.
        return known && !finding.explains().isEmpty() && (reference.isEmpty() || missing() > 0);
    }

    /** Returns the causes that come before a finding and have told their parts. */
    private List<Finding> before(Finding finding, List<Finding> ordered) {
        return ordered.stream()
                .takeWhile(other -> !other.equals(finding))
                .filter(this::tells)
                .toList();
    }

    /** Returns in words that the same ms were told of another cause already: they do not add up. */
    private String shared(Set<BudgetPart> parts, List<Finding> before) {
        return before.stream()
                .filter(other -> takes.apply(other).stream().anyMatch(parts::contains))
                .findFirst()
                .map(other -> ", together with \"" + other.title() + "\", which has "
                        + (takes.apply(other).containsAll(parts) ? "the same ms" : "some of the same ms"))
                .orElse("");
    }

    private String words(Set<BudgetPart> parts) {
        String names = Stream.of(BudgetPart.values())
                .filter(parts::contains)
                .map(BudgetPart::words)
                .collect(Collectors.joining(" and "));
        String now = String.format(
                Locale.ROOT,
                "of the %s ms of a request, %s ms were %s%s",
                ms(end.responseMillis()),
                ms(millis(end, parts)),
                names,
                parts.contains(BudgetPart.REST) && parts.contains(BudgetPart.CPU_WAIT)
                        ? " (the CPUs were full, so requests without a thread waited for them too)"
                        : "");
        if (reference.isEmpty()) {
            return now;
        }
        return String.format(
                Locale.ROOT,
                "%s; after the pause %s of %s ms: that can explain %s of the %s ms that it took longer",
                now,
                ms(millis(reference.get(), parts)),
                ms(reference.get().responseMillis()),
                ms(Math.clamp(more(parts), 0, missing())),
                ms(missing()));
    }

    /** Returns milliseconds with about three digits. */
    static String ms(double millis) {
        return String.format(Locale.ROOT, millis >= 100 ? "%,.0f" : millis >= 10 ? "%.1f" : "%.2f", millis);
    }
}
