package dev.kiln.compare;

import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.Gate;
import dev.kiln.stats.Sessions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where few requests were served, bins were joined, and times are known to those and not to a second. */
class KnownTimesTest {
    private static final int RUNS = 6;
    private static final String T90 = "t90@rare";

    /** The call "rare" has 1 request a second at first and 3 later, "usual" has many: bins of 5 s and of 1 s. */
    private static HandMade run(String variant, int run, int warmAt) {
        return new HandMade(variant, run)
                .load("warmup", 10, then(seconds(warmAt, 400), seconds(90 - warmAt, 800)))
                .pause("pause", 15)
                .load("measure", 115, seconds(30, 800))
                .call("warmup", 10, "rare", 2, then(seconds(warmAt, 1), seconds(90 - warmAt, 3)))
                .call("warmup", 10, "usual", 2, then(seconds(warmAt, 399), seconds(90 - warmAt, 797)))
                .call("measure", 115, "rare", 2, seconds(30, 3))
                .call("measure", 115, "usual", 2, seconds(30, 797));
    }

    private static List<Configuration> sides(int first, int second) {
        ExperimentResult result = HandMade.assess(IntStream.rangeClosed(1, RUNS)
                .boxed()
                .flatMap(n -> Stream.of(run("a", n, first), run("b", n, second)))
                .toArray(HandMade[]::new));
        return result.variants().stream()
                .map(variant -> VariantRuns.of(result, variant, "here"))
                .toList();
    }

    @Test
    void timesOfJoinedBinsAreKnownToThose() {
        List<Configuration> sides = sides(20, 25);

        assertThat(sides.getFirst().asked(T90).orElseThrow().bin()).isEqualTo(5);
        assertThat(sides.getFirst().asked("t90@usual").orElseThrow().bin()).isEqualTo(1);
        assertThat(sides.getFirst().asked("t90").orElseThrow().bin()).isEqualTo(1);
        MetricComparison rare = CallMetricsTest.compared(sides, T90);
        assertThat(rare.verdict()).isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);
        assertThat(rare.change().hi().orElseThrow()).isCloseTo(27.5 / 17.5, within(1e-9));
        assertThat(CallMetricsTest.compared(sides, "t90@usual").verdict()).isEqualTo(Conclusion.HIGHER);
        assertThat(CallMetricsTest.compared(sides(20, 50), T90).verdict()).isEqualTo(Conclusion.HIGHER);
    }

    @Test
    void aGateAllowsForThemToo() {
        List<Configuration> sides = sides(20, 25);
        Tolerance tolerance = new Tolerance(T90, 10, false, "t.yaml:1");

        assertThat(Gates.of(tolerance, sides.get(1), sides.getFirst(), EarlierSessions.NONE, 1, 1)
                        .verdict())
                .isEqualTo(Gate.Verdict.UNDER_POWERED);
    }

    /** Both sides were widened by the coarser bin. */
    @Test
    void eachSideIsKnownToItsOwnBin() {
        Measured coarse = times(20, 5);
        Measured fine = times(25, 1);

        assertThat(MetricEstimate.ratio(coarse, fine, false, Sessions.ONE, 0.95)
                        .size()
                        .hi()
                        .orElseThrow())
                .isCloseTo(25.5 / 17.5, within(1e-9));
        assertThat(MetricEstimate.difference(coarse, fine, false, Sessions.ONE, 0.95)
                        .size()
                        .hi()
                        .orElseThrow())
                .isCloseTo(5 + 3, within(1e-9));
        assertThat(coarse.resolution(fine).words()).isEqualTo("5 s");
    }

    private static Measured times(double seconds, double bin) {
        return new Measured(
                Quantity.of(Metric.T90),
                IntStream.rangeClosed(1, 3)
                        .mapToObj(run -> new Measured.Observation(0, seconds, false))
                        .toList(),
                OptionalDouble.of(90),
                bin,
                Optional.empty());
    }
}
