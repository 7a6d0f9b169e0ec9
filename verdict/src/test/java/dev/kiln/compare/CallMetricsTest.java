package dev.kiln.compare;

import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.compare.Gates.GateResult.GateRow;
import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.Metric;
import dev.kiln.model.Metric.MetricUse;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.Gate;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Metrics of one call of a mix: what the whole load hides, of calls whose warm-up is known. */
class CallMetricsTest {
    private static final int RUNS = 6;

    /** The call "list" climbs for so many seconds, "GET /<x>" is at its peak from the first one. */
    private static HandMade run(String variant, int run, int climbs, double p50) {
        double[] slow = then(seconds(climbs + run % 3, 50), seconds(90 - climbs - run % 3, 200 + run));
        double[] whole = then(seconds(climbs + run % 3, 450), seconds(90 - climbs - run % 3, 600 + run));
        return new HandMade(variant, run)
                .load("warmup", 10, whole)
                .pause("pause", 15)
                .load("measure", 115, seconds(20, 600 + run))
                .call("warmup", 10, "list", 2 * p50, slow)
                .call("warmup", 10, "GET /<x>", 2, seconds(90, 400))
                .call("measure", 115, "list", p50 + 0.01 * run, seconds(20, 200 + run))
                .call("measure", 115, "GET /<x>", 1 + 0.001 * run, seconds(20, 400));
    }

    private static List<Configuration> configurations(int climbsA, int climbsB, double p50B) {
        ExperimentResult result = HandMade.assess(IntStream.rangeClosed(1, RUNS)
                .boxed()
                .flatMap(n -> List.of(run("a", n, climbsA, 4), run("b", n, climbsB, p50B)).stream())
                .toArray(HandMade[]::new));
        return result.variants().stream()
                .map(variant -> VariantRuns.of(result, variant, "here"))
                .toList();
    }

    private static double[] values(Configuration configuration, String id) {
        return configuration.asked(id).orElseThrow().values();
    }

    static MetricComparison compared(List<Configuration> sides, String id) {
        return Comparer.of(
                        sides.stream().map(one -> one.showing(metric -> true)).toList(),
                        "peak",
                        0.05,
                        AnalysisConfig.defaults())
                .others()
                .getFirst()
                .metrics()
                .stream()
                .filter(m -> m.metric().id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Tolerance tolerance(String metric, double percent) {
        return new Tolerance(metric, percent, false, "t.yaml:1");
    }

    @Test
    void eachCallHasTheMetricsThatAreToldOfCalls() {
        Configuration a = configurations(30, 30, 4).getFirst();
        assertThat(a.calls()).containsExactly("list", "GET /<x>");
        for (Metric metric : Metric.all(MetricUse.OF_CALLS)) {
            for (String call : a.calls()) {
                assertThat(a.metric(metric.id() + "@" + call))
                        .as(metric.id() + " of " + call)
                        .isPresent();
            }
        }
        assertThat(a.metrics()).noneMatch(one -> one.metric().id().contains("@"));
    }

    @Test
    void theFiguresAreThoseOfTheCall() {
        Configuration a = configurations(30, 30, 4).getFirst();
        assertThat(values(a, "t90@list")).contains(30, 31, 32);
        assertThat(values(a, "t90@GET /<x>")).containsOnly(0);
        assertThat(values(a, "peak@list")[0]).isCloseTo(201, within(0.1));
        assertThat(values(a, "throughput@list")[0]).isCloseTo(201, within(0.1));
        assertThat(values(a, "p50@list")[0]).isCloseTo(4.01, within(1e-9));
        assertThat(values(a, "P99@list")[0]).isCloseTo(8.02, within(1e-9));
        assertThat(values(a, "errors@list")).containsOnly(0);
        assertThat(values(a, "deficit@list")[0]).isCloseTo(31 * 0.75, within(0.2));
    }

    @Test
    void oneCallThatGotSlowerIsShownWhateverTheOthersDo() {
        List<Configuration> sides = configurations(30, 30, 4.4);
        MetricComparison slower = compared(sides, "p50@list");
        assertThat(slower.change().estimate().orElseThrow()).isCloseTo(1.1, within(0.001));
        assertThat(slower.verdict()).isEqualTo(Conclusion.HIGHER);
        assertThat(slower.meaning()).isEqualTo(MetricComparison.Meaning.WORSE);
        assertThat(compared(sides, "p50@GET /<x>").verdict()).isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);
    }

    @Test
    void aTimeThatNoRunReachedIsHeldAtTheLoadsLength() {
        // Only the last 1 to 3 s serve what the call serves after the pause. The end as a whole is below 90 % of it.
        Configuration never = configurations(30, 87, 4).get(1);
        Measured time = never.metric("t90@list").orElseThrow();
        assertThat(time.horizon()).hasValue(90);
        assertThat(time.values()).containsOnly(90);
        assertThat(time.runs()).allMatch(Measured.Observation::censored);
        assertThat(compared(configurations(10, 40, 4), "t90@list").verdict()).isEqualTo(Conclusion.HIGHER);
    }

    @Test
    void aGateHoldsACallAgainstItsTolerance() {
        List<Configuration> sides = configurations(30, 30, 4.4);
        GateRow failed = Gates.of(tolerance("p50@list", 5), sides.get(1), sides.get(0), EarlierSessions.NONE, 1, 1);
        assertThat(failed.verdict()).isEqualTo(Gate.Verdict.FAIL);
        assertThat(failed.label()).isEqualTo("p50 latency of list, ms");
        assertThat(Gates.of(tolerance("p50@GET /<x>", 5), sides.get(1), sides.get(0), EarlierSessions.NONE, 1, 1)
                        .verdict())
                .isEqualTo(Gate.Verdict.PASS);
    }

    @Test
    void anUnknownCallIsAnErrorThatNamesTheCalls() {
        Configuration a = configurations(30, 30, 4).getFirst();
        assertThat(refused(() -> Gates.requireKnown(List.of(tolerance("p99@lists", 5)), a, a)))
                .isEqualTo("t.yaml:1: unknown call 'lists'; known: list, GET /<x>");
        Gates.requireCalls(List.of(tolerance("p99@list", 5)), List.of("list"));
        assertThat(refused(() -> Gates.requireCalls(List.of(tolerance("p99@list", 5)), List.of())))
                .endsWith("the load has one call, so there are no metrics of calls");
        assertThat(refused(() -> Gates.requireKnown(List.of(tolerance("rss@list", 5)), a, a)))
                .isEqualTo(
                        "t.yaml:1: unknown metric 'rss@list'; a call has peak, t90, warm-up-cost, throughput, warm-up-requests,"
                                + " errors, p50, p99");
    }

    private static String refused(ThrowingCallable gate) {
        KilnException e = catchThrowableOfType(KilnException.class, gate);
        return e.getMessage() + "; " + e.remedy();
    }
}
