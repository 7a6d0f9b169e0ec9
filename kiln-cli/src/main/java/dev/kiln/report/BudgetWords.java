package dev.kiln.report;

import dev.kiln.explain.RunNotes;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budget.StopCounts;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.budget.RunningCode.FamilySplit;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** BudgetWords are the sentences under a {@link BudgetTable}: what its figures cannot say. */
final class BudgetWords {
    private BudgetWords() {}

    /** A Column is one stretch of the run; {@code when} ends a sentence. */
    record Column(String head, String when, Budget budget) {
        /** Returns those that are known, in the order of time. */
        static List<Column> all(Budgets budgets) {
            return Stream.of(beginning(budgets), end(budgets), reference(budgets))
                    .flatMap(Optional::stream)
                    .toList();
        }

        private static Optional<Column> beginning(Budgets budgets) {
            return budgets.beginning().map(known -> new Column("first\n10 s", "in the first 10 s", known));
        }

        private static Optional<Column> end(Budgets budgets) {
            return budgets.end().map(known -> new Column("at the\nend", "at the end", known));
        }

        private static Optional<Column> reference(Budgets budgets) {
            return budgets.reference().map(known -> new Column("after the\npause", "after the pause", known));
        }
    }

    /** Returns sentences on what ran, on large stops and on a large rest; empty where there is nothing to say. */
    static Optional<String> of(RunResult run) {
        return Stream.of(
                        told(run.budgets()),
                        tooFew(run.budgets()),
                        tooFewOfTiers(run.budgets()),
                        stops(run.budgets()),
                        rest(run))
                .flatMap(Optional::stream)
                .reduce((first, second) -> first + " " + second);
    }

    /** Returns the columns, those first of which most is said. */
    private static Stream<Column> byWeight(Budgets budgets) {
        return Stream.of(Column.end(budgets), Column.reference(budgets), Column.beginning(budgets))
                .flatMap(Optional::stream);
    }

    /** Returns a sentence on what the figures of what the code is for rest on; empty where no samples were taken. */
    private static Optional<String> told(Budgets budgets) {
        return families(
                        budgets,
                        true,
                        (column, split) -> "within " + Show.three(split.reachMillis()) + " ms " + column.when() + " ("
                                + samples(split) + ")")
                .map(clauses -> "What the code is for is known " + clauses + ", at 95 %.");
    }

    private static Optional<String> tooFew(Budgets budgets) {
        return families(budgets, false, (column, split) -> column.when() + " (" + samples(split) + ")")
                .map(clauses -> "Not enough samples tell what the code is for " + clauses + ".");
    }

    private static Optional<String> tooFewOfTiers(Budgets budgets) {
        return Column.all(budgets).stream()
                .flatMap(column -> column.budget().running().tiers().stream()
                        .filter(split -> !split.told())
                        .map(split -> column.when() + " (" + samples(split.samples()) + ")"))
                .reduce((first, second) -> first + ", " + second)
                .map(clauses -> "Not enough samples tell which compiler made the code that ran " + clauses + ".");
    }

    private static String samples(FamilySplit split) {
        return samples(split.samples()) + (split.closing() ? " of the closing recording" : "");
    }

    private static String samples(int count) {
        return Show.whole(count) + (count == 1 ? " sample" : " samples");
    }

    private static Optional<String> families(
            Budgets budgets, boolean told, BiFunction<Column, FamilySplit, String> clause) {
        return Column.all(budgets).stream()
                .flatMap(column -> column.budget().running().families().stream()
                        .filter(split -> split.told() == told)
                        .map(split -> clause.apply(column, split)))
                .reduce((first, second) -> first + ", " + second);
    }

    /** Returns a sentence on other stops of the JVM, where they are large and nearly all stops were for collections. */
    private static Optional<String> stops(Budgets budgets) {
        return byWeight(budgets)
                .filter(column -> column.budget().share(BudgetPart.SAFEPOINT).orElse(0) > Budget.LARGE_REST)
                .findFirst()
                .flatMap(column -> column.budget().stops().stream()
                        .filter(StopCounts::areMostlyForCollections)
                        .findFirst()
                        .map(stops -> "Of " + Show.three(stops.perSecond()) + " stops of the JVM a second, "
                                + Show.three(stops.forCollections()) + " were for collections " + column.when()
                                + ": other stops are mostly what the collector does not count of these, such as the way"
                                + " out."));
    }

    /** Returns sentences on a large rest, that of the end first: what would split it, and what was not recorded. */
    private static Optional<String> rest(RunResult run) {
        return byWeight(run.budgets())
                .filter(column -> column.budget().restIsLarge())
                .findFirst()
                .map(column -> "The rest is "
                        + Show.percent(column.budget().share(BudgetPart.REST).orElse(0)) + " % " + column.when() + ": "
                        + split(column.budget(), RunNotes.notRecorded(run.notes())) + ".");
    }

    private static String split(Budget budget, List<String> notRecorded) {
        List<String> clauses = new ArrayList<>();
        if (budget.cpusAreFull()) {
            clauses.add("the target used " + Show.percent(budget.cpusUsed().orElseThrow())
                    + " % of its CPUs, so requests waited for one in sockets and queues, before a thread had them"
                    + (budget.of(BudgetPart.BLOCKED).isEmpty() ? ", or they were blocked" : ""));
        }
        if (budget.of(BudgetPart.BLOCKED).isEmpty()) {
            clauses.add(undumped(notRecorded)
                    .orElseGet(() -> "thread dumps would split it, and none was taken then"
                            + reasons(notRecorded, NotRecorded.THREAD_DUMPS)));
        } else if (!budget.cpusAreFull()) {
            clauses.add(undumped(notRecorded)
                    .orElse("by the thread dumps, no thread stood with these requests: they were in a queue, or waited"
                            + " without a thread (asynchronous code)"));
        }
        if (isUntold(budget)) {
            clauses.add(
                    "threads that are as busy in the pause ran meanwhile, and what of that, and of their wait for a CPU, was"
                            + " for these requests is not known");
        }
        missing(budget, notRecorded).ifPresent(clauses::add);
        if (budget.running().tiers().isEmpty()) {
            clauses.add("--flight-recorder would split the time in which it runs");
        }
        return clauses.getFirst()
                + clauses.stream()
                        .skip(1)
                        .map(clause -> ". " + Show.sentence(clause))
                        .collect(Collectors.joining());
    }

    /** Tells whether threads ran of which it is not known whether they did so for requests. */
    private static boolean isUntold(Budget budget) {
        return budget.of(BudgetPart.RUNNING).isEmpty();
    }

    /** Returns in words which parts were not recorded; what is blocked, and what is untold, has words of its own. */
    private static Optional<String> missing(Budget budget, List<String> notRecorded) {
        // Where the kernel's time is not known, it is a part of what runs.
        Set<BudgetPart> said = isUntold(budget)
                ? EnumSet.of(BudgetPart.BLOCKED, BudgetPart.KERNEL, BudgetPart.RUNNING, BudgetPart.CPU_WAIT)
                : EnumSet.of(BudgetPart.BLOCKED, BudgetPart.KERNEL);
        List<String> parts = budget.missing().stream()
                .filter(part -> !said.contains(part))
                .map(BudgetPart::words)
                .toList();
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of("not recorded, and so in it: " + String.join(", ", parts)
                        + reasons(notRecorded.stream()
                                .filter(note -> !note.startsWith(NotRecorded.THREAD_DUMPS)
                                        && !note.startsWith(NotRecorded.VIRTUAL_DUMPS))
                                .toList()));
    }

    private static Optional<String> undumped(List<String> notRecorded) {
        String why = reasons(notRecorded, NotRecorded.VIRTUAL_DUMPS);
        return why.isEmpty()
                ? Optional.empty()
                : Optional.of("virtual threads may have had these requests, and were not dumped" + why);
    }

    private static String reasons(List<String> notes, String what) {
        return reasons(notes.stream().filter(note -> note.startsWith(what)).toList());
    }

    private static String reasons(List<String> notes) {
        return notes.isEmpty() ? "" : " (" + String.join("; ", notes) + ")";
    }
}
