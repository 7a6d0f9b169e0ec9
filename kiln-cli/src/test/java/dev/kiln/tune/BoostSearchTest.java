package dev.kiln.tune;

import static dev.kiln.tune.Simulated.DEFICIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.plan.Changes;
import dev.kiln.tune.Simulated.Truth;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Searches whose cure is more CPU while the service starts: how long it has to last. */
class BoostSearchTest {
    @Test
    void aBoostOfAGivenLengthIsHandedOverAsItIs() {
        Simulated trials = new Simulated(1);
        Candidate plain = Simulated.candidate("boosted");
        Modifier.BoostedStart boost = new Modifier.BoostedStart(2, 1, Optional.of(Duration.ofSeconds(35)));
        trials.truths.put("boosted", new Truth(0.4 * DEFICIT));
        trials.boosts.put("boosted", 35.0);
        trials.candidates.add(plain.with(Changes.of(plain.variant(), "boosted", Change.with(boost))));
        Tuning.Boost found = trials.search().boost().orElseThrow();
        assertThat(found.modifier()).isEqualTo(boost);
        assertThat(found.stage()).contains("5-proof-boosted");
        assertThat(found.enough()).isTrue();
        assertThat(found.steps()).containsExactly(step(35, 98));
    }

    /** Four lengths that suffice do not show that the fifth does not. */
    @Test
    void aBoostIsMadeShorterUntilItsEndCosts() {
        Tuning.Boost boost = new Simulated(1)
                .boosted("cpu-boost-until-warm", new Truth(0.4 * DEFICIT), 2, 75)
                .search()
                .boost()
                .orElseThrow();
        assertThat(boost.modifier().time()).contains(Duration.ofSeconds(35));
        assertThat(boost.stage()).contains("6-boost, 6-boost-2");
        assertThat(boost.steps()).hasSize(8).contains(step(35, 98), step(25, 80));
    }

    @Test
    void theLeastBoostThatSufficesIsFound() {
        Tuning tuning = new Simulated(1)
                .boosted("cpu-boost-until-warm", new Truth(0.4 * DEFICIT), 2, 41.2)
                .search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.IMPROVED);
        Tuning.Boost boost = tuning.boost().orElseThrow();
        assertThat(boost.modifier()).isEqualTo(new Modifier.BoostedStart(2, 1, Optional.of(Duration.ofSeconds(32))));
        assertThat(boost.stage()).contains("6-boost");
        assertThat(boost.enough()).isTrue();
        assertThat(boost.steps()).containsExactly(step(42, 98), step(32, 98), step(22, 80), step(12, 80));
    }

    @Test
    void twoBoostsAreNotOne() {
        Tuning tuning = new Simulated(1)
                .boosted("twice-until-warm", new Truth(0.5 * DEFICIT), 2, 41.2)
                .boosted("four-times-until-warm", new Truth(0.4 * DEFICIT), 4, 41.2)
                .search();
        assertThat(tuning.tried()).extracting(one -> one.candidate().name()).noneMatch(name -> name.contains("-and-"));
    }

    @Test
    void whereNoLengthSufficesItIsNotSaid() {
        Tuning tuning = new Simulated(1)
                .boosted("cpu-boost-until-warm", new Truth(0.4 * DEFICIT), 2, 25)
                .search();
        Tuning.Boost boost = tuning.boost().orElseThrow();
        assertThat(boost.enough()).isFalse();
        assertThat(boost.modifier().time()).contains(Duration.ofSeconds(25));
        assertThat(boost.steps()).containsExactly(step(25, 80), step(15, 80), step(5, 80));
    }

    private static Tuning.Boost.BoostStep step(double seconds, double after) {
        return new Tuning.Boost.BoostStep(seconds, OptionalDouble.of(after));
    }
}
