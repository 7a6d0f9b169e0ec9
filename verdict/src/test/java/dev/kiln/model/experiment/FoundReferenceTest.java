package dev.kiln.model.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.FoundReference.End;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FoundReferenceTest {
    /** Levels measured of Spring on platform threads and one CPU; C2 waited in the loads until the sixth round. */
    private static final double[] MEASURED = {1503, 1801, 1791, 1910, 2010, 2082, 2140};

    private static final double WARMED_UP = 755;

    @Test
    void aServiceThatWasAtItsPeakTakesOneRound() {
        assertThat(after(1000, false, 1005)).contains(End.FOUND);
        assertThat(after(1000, false, 1030)).as("3 % are no rise").contains(End.FOUND);
        assertThat(after(1000, false, 960)).as("4 % are no fall").contains(End.FOUND);
    }

    /** Levels measured on a noisy machine: the last alone is a tenth under the level that had been reached. */
    @Test
    void roundsCountFromTheFirstThatNoneExceeds() {
        assertThat(FoundReference.firstAtPeak(new double[] {1057, 1506, 1350, 1356}))
                .isEqualTo(1);
        assertThat(FoundReference.firstAtPeak(new double[] {1431, 1526, 1437, 1583, 1571}))
                .isEqualTo(3);
        assertThat(FoundReference.firstAtPeak(MEASURED)).as("3 % are no rise").isEqualTo(5);
        assertThat(FoundReference.firstAtPeak(new double[] {1563})).isZero();
    }

    @Test
    void aJumpAfterThePauseTakesAnotherRound() {
        assertThat(after(1000, false, 1031)).isEmpty();
        assertThat(after(1000, false, 2000, 2050)).contains(End.FOUND);
    }

    /** Measured of Spring on virtual threads: 3,563 req/s at the end of the load, and 3,124 in a ragged round. */
    @Test
    void oneLoadIsNotEnoughToSayThatAServiceBecameSlower() {
        assertThat(after(3563, false, 3124)).isEmpty();
        assertThat(after(3563, false, 3124, 3500)).contains(End.FOUND);
        assertThat(after(3563, false, 3124, 3110)).as("two agree").contains(End.FOUND);
    }

    @Test
    void whereNothingWasServedBeforeTheFirstRoundIsARise() {
        assertThat(after(0, false, 100)).isEmpty();
        assertThat(after(0, false, 0)).contains(End.FOUND);
    }

    @Test
    void aRoundThatMakesUpForASlowOneIsNoRise() {
        assertThat(after(900, false, 1000, 800, 1010)).contains(End.FOUND);
    }

    @Test
    void aStarvedCompilerTakesAnotherRoundHoweverLevelItIs() {
        assertThat(after(1000, true, 1000)).isEmpty();
        assertThat(after(1000, true, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000))
                .contains(End.C2_STARVED);
    }

    /** Measured with priority for the compilers: C2 took the CPU that requests had before. */
    @Test
    void aRoundInWhichC2TakesTheCpuIsNotAtThePeak() {
        double[] rounds = {371, 371};
        assertThat(FoundReference.after(417, rounds, 0, false, 0.6)).isEmpty();
        assertThat(FoundReference.after(417, rounds, 0, false, 0.02)).contains(End.FOUND);
    }

    @Test
    void aServiceThatCompilesForEverEndsWithTheLastRound() {
        double[] level = new double[FoundReference.MOST_ROUNDS];
        Arrays.fill(level, 1000);
        assertThat(FoundReference.after(1000, level, 0, false, 0.2)).contains(End.FOUND);
    }

    @Test
    void whatStillRisesInTheEighthRoundIsGivenUp() {
        double[] rising = new double[8];
        for (int i = 0; i < rising.length; i++) {
            rising[i] = 1000 * Math.pow(1.1, i + 1);
            Optional<End> end = FoundReference.after(1000, Arrays.copyOf(rising, i + 1), 0, false, 0);
            assertThat(end).isEqualTo(i < 7 ? Optional.empty() : Optional.of(End.STILL_RISING));
        }
        assertThat(End.STILL_RISING.text()).isEqualTo("still rising after 8 rounds");
    }

    @Test
    void aStarvedServiceIsFollowedToItsPeak() {
        for (int rounds = 1; rounds <= MEASURED.length; rounds++) {
            Optional<End> end = FoundReference.after(WARMED_UP, Arrays.copyOf(MEASURED, rounds), 0, rounds < 6, 0);
            assertThat(end)
                    .as("after %d rounds", rounds)
                    .isEqualTo(rounds < 7 ? Optional.empty() : Optional.of(End.FOUND));
        }
    }

    /** What climbs or declines within itself is no level: the analysis would take it for a lower bound, or for none. */
    @Test
    void aRoundThatIsNotLevelTakesAnother() {
        double[] flat = {1000};
        assertThat(FoundReference.after(1000, flat, 1, false, 0)).isEmpty();
        assertThat(FoundReference.after(1000, flat, -1, false, 0)).isEmpty();
        double[] all = new double[FoundReference.MOST_ROUNDS];
        Arrays.fill(all, 1000);
        assertThat(FoundReference.after(1000, all, 1, false, 0)).contains(End.STILL_RISING);
        assertThat(FoundReference.after(1000, all, -1, false, 0)).contains(End.DECLINING);
    }

    @Test
    void roundsAreKnownByTheirNames() {
        assertThat(FoundReference.isRound(FoundReference.load(3))).isTrue();
        assertThat(FoundReference.isRound(FoundReference.pause(3))).isTrue();
        assertThat(FoundReference.isRound("reference")).isFalse();
        assertThat(FoundReference.isRound("measure")).isFalse();
    }

    private static Optional<End> after(double before, boolean starved, double... levels) {
        return FoundReference.after(before, levels, 0, starved, 0);
    }
}
