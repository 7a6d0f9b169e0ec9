package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Curves.LoadPoint;
import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.load.Latency.LatencyCounts;
import dev.kiln.model.load.Latency.PhaseLatency;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.report.Samples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HtmlDistributionsTest {
    private static String html(ExperimentResult result) {
        return new HtmlDistributions(result).html().replace('\u00a0', ' ');
    }

    /** 98 requests of 1 ms, and two of 100 ms. */
    private static HandMade timed() {
        HandMade made = HandMade.measured("a", 1000, HandMade.seconds(60, 1000));
        made.phaseLatency.add(times("measure"));
        return made;
    }

    private static PhaseLatency times(String phase) {
        return new PhaseLatency(
                phase,
                new Quantiles(100, 1_000_000, 100_000_000, 100_000_000),
                Optional.of(new PhaseLatency.More(
                        3e6,
                        1_000_000,
                        1_000_000,
                        1_000_000,
                        100_000_000,
                        LatencyCounts.of(new TreeMap<>(Map.of(30, 98L, 50, 2L))))));
    }

    @Test
    void eachVariantHasItsSecondsOfTheMeasuringPhase() {
        String html = html(Samples.platformAgainstVirtual(3));

        assertThat(html)
                .contains("<section id=\"evenness\"><h2>How even it was</h2>")
                .contains("Throughput of each second <small>requests per second, measuring phase</small>")
                .contains("<span class=\"figures\">5,710<span class=\"range\">4,536\u20136,083, 57 seconds</span>")
                .containsSubsequence(">platform threads</span><svg ", ">virtual threads</span><svg ", ">6,500</span>");
        assertThat(html.split("class=\"middle\"", -1)).as("a median each").hasSize(3);
        assertThat(html).as("no histogram was kept").doesNotContain("Latency of each request");
    }

    @Test
    void withoutAMeasuringPhaseTheEndOfTheLoadIsTaken() {
        HandMade made = new HandMade("a", 1).load("warmup", 10, HandMade.seconds(60, 1000));

        assertThat(HtmlDistributions.steady(
                        HandMade.assess(made).variants().getFirst().runs().getFirst()))
                .isNotEmpty()
                .allMatch(point -> point.second() >= 20);
    }

    /** The last load is then the warm-up too, which its end is not. */
    @Test
    void eachFigureSaysWhatItIsOf() {
        HandMade made = new HandMade("b", 1).load("warmup", 10, HandMade.seconds(60, 1000));
        made.phaseLatency.add(times("warmup"));

        assertThat(html(HandMade.assess(made)))
                .contains(
                        "<small>requests per second, end of the load</small>",
                        "<small>ms, logarithmic, the whole last load, warm-up included</small>");
        assertThat(html(HandMade.assess(timed(), made)))
                .contains(
                        "<small>requests per second, measuring phase; of b: end of the load</small>",
                        "<small>ms, logarithmic, measuring phase; of b: the whole last load, warm-up included</small>");
    }

    @Test
    void theFirstSecondOfTheMeasuringPhaseIsLeftOut() {
        List<LoadPoint> steady = HtmlDistributions.steady(
                Samples.platformAgainstVirtual(1).variants().getFirst().runs().getFirst());

        assertThat(steady).hasSize(19);
        assertThat(steady.getFirst().second()).isEqualTo(76);
    }

    @Test
    void requestsStandByTheirResponseTime() {
        ExperimentResult result = HandMade.assess(timed());
        String html = html(result);
        JsonNode run =
                JsonMapper.shared().readTree(ChartData.json(result, false)).at("/variants/0/runs/0");

        assertThat(html)
                .contains("Latency of each request <small>ms, logarithmic, measuring phase</small>")
                .contains("p50 1.00 ms<span class=\"range\">p99 100 ms</span>")
                .contains("the medians of the runs&#39; percentiles.")
                .as("of 100 requests p99.9 is the slowest")
                .doesNotContain("p99.9");
        // Two columns of 21: the second has 2 of 98, and stays visible.
        assertThat(html).contains("viewBox=\"0 0 210 100\"", "M0 0.0h9v100.0h-9zM200 48.0h9v4.0h-9z");
        assertThat(run.get("firstStep").asInt()).isEqualTo(30);
        assertThat(run.get("counts")).hasSize(21);
        assertThat(run.get("counts").get(20).asInt()).isEqualTo(2);
    }

    @Test
    void ofNothingNothingIsShown() {
        assertThat(html(Samples.nothingToSay())).isEmpty();
    }
}
