package dev.kiln.explain.budget;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.budget.BudgetKit.budget;
import static dev.kiln.explain.budget.BudgetKit.millis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.RunDigest;
import dev.kiln.explain.Service;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budgets.BudgetCurve;
import dev.kiln.explain.budget.RunningCode.FamilySplit;
import dev.kiln.explain.budget.RunningCode.FamilyTime;
import dev.kiln.explain.budget.RunningCode.TierSplit;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FamilySamples;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What runs, by what it is for. A request runs for 0.8 ms, and the window has 15 s. */
class RunningCodeTest {
    private static FamilySamples row(int second, CodeFamily family, int samples) {
        return new FamilySamples(second * SECOND, Optional.of(family), "", samples);
    }

    private static FlightDigest recorded(List<FamilySamples> rows) {
        return new FlightDigest(
                new FlightDigest.FlightJit(List.of(), List.of(), List.of(), List.of(), List.of()),
                new FlightDigest.FlightCollector(List.of(), List.of()),
                new FlightDigest.FlightSamples(List.of(), List.of(), rows, List.of()),
                List.of());
    }

    /** Of so many samples a second a fifth are of exceptions, and the others of the application. */
    private static FlightDigest recorded(int from, int to, int perSecond) {
        return recorded(IntStream.range(from, to)
                .boxed()
                .flatMap(t -> Stream.of(
                        row(t, CodeFamily.EXCEPTIONS, perSecond / 5),
                        row(t, CodeFamily.APPLICATION, perSecond - perSecond / 5)))
                .toList());
    }

    private static Budget with(FlightDigest flight) {
        Service service = Service.healthy();
        service.made.flight = Optional.of(flight);
        return budget(service.evidence(), 55, 70);
    }

    @Test
    void whatRunsIsSplitByWhatItIsForAndEachFigureHasItsInterval() {
        Budget budget = with(recorded(0, 105, 50));

        FamilySplit split = budget.running().families().orElseThrow();
        double running = millis(budget, BudgetPart.RUNNING);
        assertThat(split.samples()).isEqualTo(15 * 50);
        assertThat(split.closing()).isFalse();
        assertThat(split.times())
                .extracting(FamilyTime::family)
                .as("what no sample found has no figure")
                .containsExactly(CodeFamily.EXCEPTIONS, CodeFamily.APPLICATION);
        assertThat(split.times().stream().mapToDouble(FamilyTime::millis).sum()).isCloseTo(running, within(1e-9));
        FamilyTime exceptions = split.times().getFirst();
        assertThat(exceptions.millis()).isCloseTo(0.2 * running, within(1e-9));
        // Wilson's interval of 150 of 750: 17.3 to 23.0 %.
        assertThat(exceptions.leastMillis()).isCloseTo(0.173 * running, within(0.001));
        assertThat(exceptions.mostMillis()).isCloseTo(0.230 * running, within(0.001));
        assertThat(split.reachMillis()).isCloseTo(0.030 * running, within(0.001));
    }

    /** Of 150 samples a share is known within 6 percentage points, of 300 within 4.5. */
    @Test
    void tooFewSamplesTellNoTime() {
        FamilySplit few = with(recorded(0, 105, 10)).running().families().orElseThrow();

        assertThat(few.samples()).isEqualTo(150);
        assertThat(few.told()).isFalse();
        assertThat(few.times()).isEmpty();
        assertThat(with(recorded(0, 105, 20)).running().families().orElseThrow().told())
                .isTrue();
    }

    /** @param perSecond samples, of which a fifth ran as code of C1, and the others as code of C2 */
    private static TierSplit compiled(int perSecond) {
        List<TierShare> tiers = IntStream.range(0, 105)
                .mapToObj(t -> new TierShare(t * SECOND, 0, perSecond / 5, perSecond - perSecond / 5, 0, 0))
                .toList();
        return with(new FlightDigest(
                        new FlightDigest.FlightJit(List.of(), List.of(), List.of(), List.of(), List.of()),
                        new FlightDigest.FlightCollector(List.of(), List.of()),
                        new FlightDigest.FlightSamples(tiers, List.of(), List.of(), List.of()),
                        List.of()))
                .running()
                .tiers()
                .orElseThrow();
    }

    /** The same rule holds for what the code ran as. */
    @Test
    void tooFewSamplesTellNoTier() {
        assertThat(compiled(10).samples()).isEqualTo(150);
        assertThat(compiled(10).told()).isFalse();
        assertThat(compiled(10).times()).isEmpty();
        assertThat(compiled(20).told()).isTrue();
        assertThat(compiled(20).times()).hasSize(4);
        assertThat(budget(Service.healthy().evidence(), 55, 70).running().tiers())
                .isEmpty();
    }

    @Test
    void whatWasNotRecordedIsNoFamily() {
        assertThat(budget(Service.healthy().evidence(), 55, 70).running().families())
                .isEmpty();
        assertThat(with(recorded(0, 50, 50)).running().families())
                .as("a recording that ended before")
                .isEmpty();
        List<FamilySamples> earlier = IntStream.range(0, 105)
                .boxed()
                .flatMap(t -> Stream.of(
                        row(t, CodeFamily.EXCEPTIONS, 10), new FamilySamples(t * SECOND, Optional.empty(), "", 40)))
                .toList();
        assertThat(with(recorded(earlier)).running().families())
                .as("earlier versions knew four families")
                .isEmpty();
    }

    /** It follows the load after the pause, and is the same load. */
    @Test
    void theClosingRecordingSplitsTheLastLoadAlone() {
        Service service = Service.of(seconds(60, 500), 1000);
        service.made.closing = Optional.of(recorded(110, 115, 200));

        Budgets budgets = RunDigest.of(service.evidence(), AnalysisConfig.defaults())
                .observation()
                .budgets();

        Budget reference = budgets.reference().orElseThrow();
        FamilySplit split = reference.running().families().orElseThrow();
        assertThat(split.closing()).isTrue();
        assertThat(split.samples()).isEqualTo(1000);
        assertThat(split.times().getFirst().millis())
                .isCloseTo(0.2 * millis(reference, BudgetPart.RUNNING), within(1e-9));
        assertThat(budgets.beginning().orElseThrow().running().families()).isEmpty();
        assertThat(budgets.end().orElseThrow().running().families()).isEmpty();
    }

    @Test
    void ofARunWithoutAPauseItSplitsTheEnd() {
        Budget end = budget(Service.healthy().evidence(), 55, 70);
        Budgets budgets = new Budgets(Optional.empty(), Optional.of(end), Optional.empty(), new BudgetCurve(List.of()))
                .closedBy(recorded(110, 115, 200));

        assertThat(budgets.end().orElseThrow().running().families()).isPresent();
    }
}
