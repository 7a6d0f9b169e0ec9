package dev.kiln.compare;

import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.explain.HandMade;
import dev.kiln.explain.Service;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.Metric;
import dev.kiln.model.Metric.MetricUse;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Parts of a request's time as metrics: 1,000 requests a second on 100 connections, so that a request takes 100 ms. */
class BudgetMetricsTest {
    private static final int RUNS = 6;

    /** @param wait seconds in a second that all threads together wait for a CPU, which are ms of a request */
    private static HandMade run(String variant, int run, double wait) {
        HandMade made = new HandMade(variant, run);
        made.backlog = 100;
        made.load("warmup", 10, seconds(60, 1000)).pause("pause", 15).load("measure", 85, seconds(20, 1000));
        Service service = new Service(made);
        service.workerWait = wait + 0.1 * run;
        service.evidence();
        return made;
    }

    private static List<Configuration> sides() {
        ExperimentResult result = HandMade.assess(IntStream.rangeClosed(1, RUNS)
                .boxed()
                .flatMap(n -> Stream.of(run("a", n, 20), run("b", n, 50 + n % 3)))
                .toArray(HandMade[]::new));
        return result.variants().stream()
                .map(variant -> VariantRuns.of(result, variant, "here"))
                .toList();
    }

    private static List<String> compared(List<Configuration> sides) {
        return Comparer.of(sides, "peak", 0.05, AnalysisConfig.defaults()).others().getFirst().metrics().stream()
                .map(one -> one.metric().id())
                .toList();
    }

    @Test
    void theyAreComparedOnlyWhereTheyAreAskedFor() {
        List<Configuration> sides = sides();

        assertThat(compared(sides)).contains("peak").doesNotContainAnyElementsOf(Metric.ids(MetricUse.ASKED));
        assertThat(compared(sides.stream()
                        .map(side -> side.showing(metric -> metric.id().equals("cpu-wait-per-request")))
                        .toList()))
                .contains("cpu-wait-per-request")
                .doesNotContain("blocked-per-request", "stopped-per-request");
    }

    @Test
    void theyAreMillisecondsOfARequestAtTheEndOfTheLoad() {
        List<Configuration> sides =
                sides().stream().map(side -> side.showing(metric -> true)).toList();
        MetricComparison wait = Comparer.of(sides, "cpu-wait-per-request", 0.05, AnalysisConfig.defaults())
                .others()
                .getFirst()
                .metrics()
                .stream()
                .filter(one -> one.metric().id().equals("cpu-wait-per-request"))
                .findFirst()
                .orElseThrow();

        assertThat(values(sides.getFirst(), "cpu-wait-per-request")).hasSize(RUNS);
        assertThat(values(sides.getFirst(), "cpu-wait-per-request")[0]).isCloseTo(20.1, within(0.1));
        // All threads stand for 1 % of the time.
        assertThat(values(sides.getFirst(), "stopped-per-request")[0]).isCloseTo(1, within(0.1));
        // All but these, and 0.8 ms that it runs.
        assertThat(values(sides.getFirst(), "blocked-per-request")[0]).isCloseTo(78.1, within(0.2));
        assertThat(wait.meaning()).isEqualTo(MetricComparison.Meaning.WORSE);
    }

    @Test
    void aGateMayNameThem() {
        Tolerance tolerance = new Tolerance("blocked-per-request", 10, false, "t.yaml:1");
        List<Configuration> sides = sides();

        Gates.requireKnown(List.of(tolerance));
        assertThat(sides.getLast().asked("blockedPerRequest")).isPresent();
    }

    private static double[] values(Configuration side, String id) {
        return side.asked(id).orElseThrow().values();
    }
}
