package dev.kiln.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.Metric.MetricUse;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricTest {
    @Test
    void caseAndHyphensMakeNoDifference() {
        assertThat(Metric.known("c2-wait", MetricUse.CLAIMED)).contains(Metric.C2_WAIT);
        assertThat(Metric.known("First-Response", MetricUse.COMPARED)).contains(Metric.FIRST_RESPONSE);
        assertThat(Metric.same("P99", "p99")).isTrue();
        assertThat(Metric.same("p99", "p95")).isFalse();
    }

    @Test
    void olderNamesGoOnWorking() {
        assertThat(Metric.known("start", MetricUse.CLAIMED)).contains(Metric.START);
        assertThat(Metric.known("maxRss", MetricUse.FOLLOWED)).contains(Metric.RSS);
        assertThat(Metric.known("maximum", MetricUse.COMPARED)).contains(Metric.MAX);
    }

    /** In files, on command lines, in claims, gates, exports and pages. */
    @Test
    void eachMetricHasOneIdAndItsOlderNamesAreUnderstood() {
        Map<String, Metric> older = Map.of(
                "deficit", Metric.WARMUP_COST,
                "requests", Metric.REQUESTS,
                "firstResponse", Metric.FIRST_RESPONSE,
                "endOfWarmup", Metric.END_OF_WARMUP,
                "c2Wait", Metric.C2_WAIT,
                "compileTime", Metric.COMPILE_TIME);
        assertThat(older.values())
                .extracting(Metric::id)
                .containsExactlyInAnyOrder(
                        "warm-up-cost",
                        "warm-up-requests",
                        "first-response",
                        "end-of-warmup",
                        "c2-wait",
                        "compile-time");
        older.forEach((name, metric) ->
                assertThat(Metric.same(name, metric.id())).as(name).isTrue());
        assertThat(Metric.values()).allSatisfy(metric -> assertThat(metric.id()).matches("[a-z0-9]+(-[a-z0-9]+)*"));
    }

    /** Two sides have ids; only people use the older names. */
    @Test
    void idsOfTwoSidesHaveNoOlderNames() {
        assertThat(Metric.sameId("requests", Metric.REQUESTS.id())).isFalse();
        assertThat(Metric.sameId("My column", "my-column")).isTrue();
        assertThat(Metric.sameId("p99@GET /a", "P99@GET /a")).isTrue();
    }

    @Test
    void aMetricIsKnownOnlyWhereItIsTold() {
        assertThat(Metric.known("requests", MetricUse.CLAIMED)).isEmpty();
        assertThat(Metric.known("speed", MetricUse.COMPARED)).isEmpty();
    }

    @Test
    void idsAreUniqueHoweverTheyAreSpelt() {
        for (Metric metric : Metric.values()) {
            assertThat(Metric.values())
                    .filteredOn(other -> Metric.same(other.id(), metric.id()))
                    .containsExactly(metric);
        }
    }
}
