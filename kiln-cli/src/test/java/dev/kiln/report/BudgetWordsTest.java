package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.RunResult.Observation;
import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budget.StopCounts;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.budget.Budgets.BudgetCurve;
import dev.kiln.explain.budget.RunningCode;
import dev.kiln.explain.budget.RunningCode.FamilySplit;
import dev.kiln.explain.budget.RunningCode.FamilyTime;
import dev.kiln.explain.budget.RunningCode.TierSplit;
import dev.kiln.explain.window.Window;
import dev.kiln.model.run.CodeFamily;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What is said under a table of where the time of a request goes. */
class BudgetWordsTest {
    /** @param forCollections of 411 stops a second */
    private static Optional<String> below(double stoppedMillis, double forCollections) {
        return below(stoppedMillis, forCollections, RunningCode.NONE);
    }

    private static Optional<String> below(double stoppedMillis, double forCollections, RunningCode running) {
        return below(
                Map.of(
                        BudgetPart.RUNNING,
                        100 - stoppedMillis,
                        BudgetPart.SAFEPOINT,
                        stoppedMillis,
                        BudgetPart.REST,
                        0.0),
                forCollections,
                running);
    }

    private static Optional<String> below(Map<BudgetPart, Double> millis, double forCollections, RunningCode running) {
        Budget end = new Budget(
                new Window(0, 1),
                100,
                100,
                millis,
                running,
                List.of(),
                OptionalDouble.empty(),
                Optional.of(new StopCounts(411, forCollections, OptionalDouble.empty())),
                OptionalDouble.empty());
        RunResult run = SampleRun.FED.run("a", 1);
        return BudgetTable.of(new RunResult(
                        run.id(),
                        run.caveats(),
                        run.throughput(),
                        run.since(),
                        run.served(),
                        new Observation(
                                run.observed(),
                                run.curves(),
                                new Budgets(
                                        Optional.empty(),
                                        Optional.of(end),
                                        Optional.empty(),
                                        new BudgetCurve(List.of())),
                                List.of()),
                        run.explanation()))
                .below();
    }

    private static RunningCode samples(int samples, boolean closing, FamilyTime... times) {
        return new RunningCode(Optional.empty(), Optional.of(new FamilySplit(samples, closing, List.of(times))));
    }

    @Test
    void howWellSamplesTellWhatRunsIsSaid() {
        FamilyTime all = new FamilyTime(CodeFamily.APPLICATION, 100, 96.4, 100);
        assertThat(below(0, 0, samples(1100, false, all)))
                .contains("What the code is for is known within 3.60 ms at the end (1,100 samples), at 95 %.");
        assertThat(below(0, 0, samples(1100, true, all)))
                .contains(
                        "What the code is for is known within 3.60 ms at the end (1,100 samples of the closing recording),"
                                + " at 95 %.");
        assertThat(below(0, 0, samples(45, false)))
                .contains("Not enough samples tell what the code is for at the end (45 samples).");
    }

    /** A recording that has them is not asked for again. */
    @Test
    void tooFewSamplesOfCompiledCodeAreSaid() {
        RunningCode few = new RunningCode(Optional.of(new TierSplit(40, List.of())), Optional.empty());

        assertThat(below(0, 0, few))
                .contains("Not enough samples tell which compiler made the code that ran at the end (40 samples).");
    }

    /** It was recorded who ran, and not for whom. */
    @Test
    void whoRanInThePauseAsWellIsSaidWhereItHidesWhatRequestsRan() {
        assertThat(below(Map.of(BudgetPart.BLOCKED, 2.0, BudgetPart.REST, 98.0), 0, RunningCode.NONE)
                        .orElseThrow())
                .contains(
                        "Threads that are as busy in the pause ran meanwhile, and what of that, and of their wait for a CPU, was"
                                + " for these requests is not known.")
                .contains(
                        "Not recorded, and so in it: stopped by collections, other stops of the JVM, stopped by the CPU limit");
    }

    /** What the collector does not count of its stops is no other cause. */
    @Test
    void ofLargeStopsItSaysThatNearlyAllWereForCollections() {
        assertThat(below(5, 407)).isEmpty();
        assertThat(below(30, 20)).isEmpty();
        assertThat(below(30, 407))
                .contains(
                        "Of 411 stops of the JVM a second, 407 were for collections at the end: other stops are mostly what"
                                + " the collector does not count of these, such as the way out.");
    }
}
