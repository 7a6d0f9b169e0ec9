package dev.kiln.compare;

import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.Metric;
import dev.kiln.model.Metric.MetricUse;
import dev.kiln.stats.AnalysisConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Loads that end before their time differ in length, and what depends on that is not compared. */
class EarlyEndTest {
    /** Came to 1,000 req/s at this second, in a load of at most 90 s that took so many. */
    private static HandMade run(String variant, int run, int warmAt, int length) {
        HandMade made = new HandMade(variant, run);
        made.untilKnown = Optional.of(Duration.ofSeconds(30));
        made.atLeastPlanned = 90;
        made.load("warmup", 10, then(seconds(warmAt, 500), seconds(length - warmAt, 1000)));
        made.untilKnown = Optional.empty();
        made.atLeastPlanned = 0;
        made.pause("pause", 15).load("measure", 10 + length + 15, seconds(20, 1000));
        return made;
    }

    private static ExperimentResult result(HandMade... runs) {
        return HandMade.assess(runs);
    }

    private static Configuration side(ExperimentResult result, String name) {
        VariantResult variant = result.variants().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        return VariantRuns.of(result, variant, "here");
    }

    @Test
    void sumsOverTheLoadAreNotCompared() {
        ExperimentResult result = result(run("a", 1, 10, 40), run("b", 1, 25, 80));
        List<String> compared = Comparer.of(
                        List.of(side(result, "a"), side(result, "b")), "peak", 0.05, AnalysisConfig.defaults())
                .others()
                .getFirst()
                .metrics()
                .stream()
                .map(one -> one.metric().id())
                .toList();

        assertThat(compared).contains("peak", "t90");
        assertThat(Metric.all(MetricUse.COMPARED))
                .filteredOn(Metric::growsWithTheLoad)
                .extracting(Metric::id)
                .contains("warm-up-cost", "errors")
                .doesNotContainAnyElementsOf(compared);
        assertThat(side(result, "a").notes())
                .anyMatch(note -> note.startsWith("its warm-ups ended when they were known, so what grows"));
    }

    /** The time of a load of several phases is of all of them, and not of the first. */
    @Test
    void aTimeThatWasReachedInALaterLoadIsNotHidden() {
        HandMade made = new HandMade("a", 1);
        made.load("first", 10, seconds(10, 500));
        made.untilKnown = Optional.of(Duration.ofSeconds(30));
        made.atLeastPlanned = 90;
        made.load("second", 20, then(seconds(30, 500), seconds(40, 1000)));
        made.untilKnown = Optional.empty();
        made.atLeastPlanned = 0;
        made.pause("pause", 15).load("measure", 105, seconds(20, 1000));
        Measured times = side(result(made), "a").asked("t90").orElseThrow();

        assertThat(times.values()).containsExactly(40);
        assertThat(times.horizon()).isEqualTo(OptionalDouble.of(100));
    }

    /** The load of 40 s ended because its time was known: it censors nothing. */
    @Test
    void aLoadThatEndedEarlyDoesNotHideALaterTime() {
        ExperimentResult result = result(run("a", 1, 10, 40), run("a", 2, 50, 90));
        Measured times = side(result, "a").asked("t90").orElseThrow();

        assertThat(times.values()).containsExactly(10, 50);
        assertThat(times.horizon()).isEqualTo(OptionalDouble.of(90));
    }
}
