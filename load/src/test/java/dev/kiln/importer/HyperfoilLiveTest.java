package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.importer.hyperfoil.HyperfoilLive;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Answers of {@code stats/recent}, as a controller of Hyperfoil 0.30 gave them. */
class HyperfoilLiveTest {
    private static final String NOTHING_YET = "{\"status\":\"INITIALIZING\",\"statistics\":[]}";

    private static final String ONE =
            "{\"phase\":\"load\",\"stepId\":0,\"metric\":\"%s\",\"summary\":{\"startTime\":%d,\"endTime\":%d,"
                    + "\"minResponseTime\":481280,\"meanResponseTime\":4464319,\"stdDevResponseTime\":5403212,"
                    + "\"maxResponseTime\":61603839,\"percentileResponseTime\":{\"50.0\":2605055,\"90.0\":8355839,"
                    + "\"99.0\":24117247,\"99.9\":61603839,\"99.99\":61603839},\"requestCount\":%d,\"responseCount\":%d,"
                    + "\"invalid\":0,\"connectionErrors\":0,\"requestTimeouts\":0,\"internalErrors\":0,\"blockedTime\":0,"
                    + "\"extensions\":{\"http\":{\"@type\":\"http\",\"status_2xx\":%d,\"status_3xx\":0,\"status_4xx\":0,"
                    + "\"status_5xx\":3,\"status_other\":0,\"cacheHits\":0}}},\"failedSLAs\":[],\"isWarmup\":false}";

    private static String metric(String name, long start, int good) {
        return ONE.formatted(name, start, start + 1000, good + 3, good + 3, good);
    }

    private static String answer(String... metrics) {
        return "{\"status\":\"RUNNING\",\"statistics\":[" + String.join(",", metrics) + "]}";
    }

    @Test
    void eachSecondIsToldOnceWhenTheNextOneIsThere() {
        HyperfoilLive live = new HyperfoilLive();
        assertThat(live.take(NOTHING_YET)).isEmpty();
        assertThat(live.series()).isEmpty();
        assertThat(live.take(answer(metric("request", 1_795_337_569_693L, 873))))
                .isEmpty();
        assertThat(live.take(answer(metric("request", 1_795_337_569_693L, 873))))
                .isEmpty();
        HyperfoilLive.HyperfoilSecond second =
                live.take(answer(metric("request", 1_795_337_570_693L, 904))).orElseThrow();
        assertThat(second.requestsPerSecond()).isCloseTo(873, within(1e-9));
        assertThat(second.p99Nanos()).isEqualTo(24_117_247);
        assertThat(second.errors()).isEqualTo(3);
        assertThat(live.take(NOTHING_YET).orElseThrow().requestsPerSecond()).isCloseTo(904, within(1e-9));
        assertThat(live.take(answer(metric("request", 1_795_337_570_693L, 904))))
                .isEmpty();
        assertThat(live.take(NOTHING_YET)).isEmpty();
    }

    /** The sum over agents begins with the first of those that have reported, here the one that began later. */
    @Test
    void anAgentThatReportsLateIsCountedOnce() {
        HyperfoilLive live = new HyperfoilLive();
        live.take(answer(metric("request", 5_040, 10)));
        live.take(answer(ONE.formatted("request", 5_000, 6_040, 107, 107, 104)));
        HyperfoilLive.HyperfoilSecond second =
                live.take(answer(metric("request", 6_040, 20))).orElseThrow();
        live.take(answer(ONE.formatted("request", 6_000, 7_040, 211, 211, 208)));
        assertThat(second.requestsPerSecond()).isCloseTo(104 / 1.04, within(1e-9));
        assertThat(second.errors()).isEqualTo(3);
        assertThat(live.take(NOTHING_YET).orElseThrow().requestsPerSecond()).isCloseTo(208 / 1.04, within(1e-9));
        assertThat(ToolOutput.of(List.of(live.series().orElseThrow()), "warm", 0, 2)
                        .bins())
                .extracting(LoadBin::completed)
                .containsExactly(104L, 208L);
    }

    /** A metric that is not sent any more stays at its last second but one. */
    @Test
    void aMetricThatEndsDoesNotHoldTheOthersUp() {
        HyperfoilLive live = new HyperfoilLive();
        live.take(answer(metric("a", 5_000, 10), metric("b", 5_000, 20)));
        assertThat(live.take(answer(metric("a", 6_000, 11), metric("b", 5_000, 20)))
                        .orElseThrow()
                        .requestsPerSecond())
                .isCloseTo(30, within(1e-9));
        assertThat(live.take(answer(metric("a", 7_000, 12), metric("b", 5_000, 20)))
                        .orElseThrow()
                        .requestsPerSecond())
                .isCloseTo(11, within(1e-9));
    }

    @Test
    void metricsOfASecondAreAddedUpAndALateAgentCounts() {
        HyperfoilLive live = new HyperfoilLive();
        assertThat(live.take(answer(metric("a", 5_000, 10), metric("b", 5_000, 20))))
                .isEmpty();
        assertThat(live.take(answer(metric("a", 5_000, 15), metric("b", 5_000, 20))))
                .isEmpty();
        assertThat(live.take(NOTHING_YET).orElseThrow().requestsPerSecond()).isCloseTo(35, within(1e-9));
        ToolOutput.ToolPhase phase = ToolOutput.of(List.of(live.series().orElseThrow()), "warm", 4_000_000_000L, 2);
        assertThat(phase.bins()).singleElement().satisfies(bin -> {
            assertThat(bin.phase()).isEqualTo("warm");
            assertThat(bin.startNanos()).isEqualTo(1_000_000_000L);
            assertThat(bin.endNanos()).isEqualTo(2_000_000_000L);
            assertThat(bin.completed()).isEqualTo(35);
            assertThat(bin.errors().non2xx()).isEqualTo(6);
            assertThat(bin.backlog()).isEqualTo(2);
        });
        assertThat(phase.quantiles())
                .as("those of two metrics cannot be joined")
                .isEmpty();
        assertThat(phase.total()).isEqualTo(Optional.empty());
    }

    /** Sums over agents that began 50 ms apart, and a metric of one that began later. */
    @Test
    void secondsOfSeveralAgentsEndWhereTheNextOnesBegin() {
        HyperfoilLive live = new HyperfoilLive();
        live.take(answer(ONE.formatted("a", 5_000, 6_050, 103, 103, 100), metric("b", 5_040, 10)));
        live.take(answer(ONE.formatted("a", 6_000, 7_050, 103, 103, 100), metric("b", 6_040, 10)));
        ToolOutput.ToolPhase phase = ToolOutput.of(List.of(live.series().orElseThrow()), "warm", 0, 2);
        assertThat(phase.bins()).extracting(LoadBin::startNanos).containsExactly(5_000_000_000L, 6_000_000_000L);
        assertThat(phase.bins()).extracting(LoadBin::endNanos).containsExactly(6_000_000_000L, 7_050_000_000L);
        assertThat(phase.bins()).extracting(LoadBin::completed).containsExactly(110L, 110L);
    }

    @Test
    void whatIsNoAnswerIsToldAsSuch() {
        assertThatThrownBy(() -> new HyperfoilLive().take("<html>"))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("stats/recent");
    }
}
