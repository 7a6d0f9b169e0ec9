package dev.kiln.explain.study;

import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.CallResult;
import dev.kiln.explain.HandMade;
import dev.kiln.explain.RunResult;
import dev.kiln.stats.series.SeriesAnalysis.WarmupCost;
import dev.kiln.stats.series.TimeToPeak;
import org.junit.jupiter.api.Test;

/** Each call of a mix by itself. */
class CallResultsTest {
    private static final double[] SLOW = then(seconds(30, 50), seconds(60, 200));
    private static final double[] QUICK = then(seconds(5, 100), seconds(85, 400));

    private static double[] sum(double[] a, double[] b) {
        double[] both = a.clone();
        for (int i = 0; i < both.length; i++) {
            both[i] += b[i];
        }
        return both;
    }

    private static HandMade mix() {
        return HandMade.measured("a", 600, sum(SLOW, QUICK))
                .call("warmup", 10, "slow", 8, SLOW)
                .call("warmup", 10, "quick", 2, QUICK)
                .call("measure", 115, "slow", 4, seconds(20, 200))
                .call("measure", 115, "quick", 1, seconds(20, 400));
    }

    private static RunResult run(HandMade made) {
        return HandMade.assess(made).variants().getFirst().runs().getFirst();
    }

    private static double t90(CallResult call) {
        return call.series().time(TimeToPeak.HEADLINE).orElseThrow().seconds().orElseThrow();
    }

    @Test
    void eachCallHasItsOwnPeakTimesAndCost() {
        RunResult run = run(mix());
        assertThat(run.calls().stream().map(CallResult::name)).containsExactly("slow", "quick");
        CallResult slow = run.call("slow").orElseThrow();
        CallResult quick = run.call("quick").orElseThrow();
        assertThat(slow.series().peak().orElseThrow().value()).isCloseTo(200, within(0.5));
        assertThat(quick.series().peak().orElseThrow().value()).isCloseTo(400, within(0.5));
        assertThat(t90(slow)).isEqualTo(30);
        assertThat(t90(quick)).isEqualTo(5);
        assertThat(slow.series()
                        .warmupCost()
                        .map(WarmupCost::seconds)
                        .orElseThrow()
                        .value())
                .isCloseTo(22.5, within(0.1));
        assertThat(slow.load().requests() + quick.load().requests()).isEqualTo(run.requests());
        assertThat(slow.whyNoPeak()).isEmpty();
    }

    @Test
    void responseTimesAreThoseOfTheEndAndOfTheLoadAfterThePause() {
        CallResult slow = run(mix()).call("slow").orElseThrow();
        assertThat(slow.load().endOfWarmup().p50Millis().orElseThrow()).isCloseTo(8, within(1e-9));
        assertThat(slow.load().endOfWarmup().p99Millis().orElseThrow()).isCloseTo(16, within(1e-9));
        assertThat(slow.load().afterPause().p50Millis().orElseThrow()).isCloseTo(4, within(1e-9));
    }

    @Test
    void aSecondOfFewRequestsHasNoP99() {
        HandMade made = HandMade.measured("a", 99, seconds(90, 99)).call("warmup", 10, "rare", 3, seconds(90, 99));
        CallResult rare = run(made).call("rare").orElseThrow();
        assertThat(rare.load().endOfWarmup().p50Millis()).isPresent();
        assertThat(rare.load().endOfWarmup().p99Millis()).isEmpty();
    }

    @Test
    void withoutALoadAfterAPauseACallHasNoPeakEither() {
        HandMade made = new HandMade("a", 1).load("warmup", 10, SLOW).call("warmup", 10, "slow", 1, SLOW);
        RunResult run = run(made);
        assertThat(run.call("slow").orElseThrow().series().peak()).isEmpty();
        assertThat(run.call("slow").orElseThrow().whyNoPeak())
                .contains(run.series().whyNoPeak());
    }

    @Test
    void aLoadWithOneCallHasNone() {
        assertThat(run(HandMade.measured("a", 200, SLOW)).calls()).isEmpty();
    }
}
