package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.tune.Screening.Screened;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ScreeningTest {
    private static double[] run(int seconds, double rate) {
        double[] run = new double[seconds];
        Arrays.fill(run, rate);
        return run;
    }

    @Test
    void theSameSecondsOfBothCount() {
        Screened now = Screening.of(List.of(run(60, 100))).look(run(60, 100), run(15, 120), 15);
        assertThat(now.gain()).isCloseTo(0.2, within(1e-9));
        assertThat(now.seconds()).isEqualTo(15);
        assertThat(now.lo()).isNegative();
        assertThat(now.hi()).isGreaterThan(0.2);
    }

    /** One run of the baseline shows no spread; three that differ widen the interval. */
    @Test
    void theSpreadOfTheBaselineCounts() {
        Screening alike = Screening.of(List.of(run(30, 100)));
        assertThat(alike.spread()).isCloseTo(0.05, within(1e-9));
        assertThat(alike.degrees()).isEqualTo(4);
        Screening apart = Screening.of(List.of(run(30, 100), run(30, 130), run(30, 160)));
        assertThat(apart.spread()).isGreaterThan(0.1);
        assertThat(apart.degrees()).isEqualTo(6);
        assertThat(Screening.of(List.of()).spread()).isCloseTo(0.05, within(1e-9));
    }

    @Test
    void aLossEndsARunSoonerThanAGain() {
        Screening screening = Screening.of(List.of(run(30, 100), run(30, 100), run(30, 100)));
        double[] base = run(30, 100);
        assertThat(screening.isDecided(base, run(9, 10))).isFalse();
        assertThat(screening.isDecided(base, run(10, 10))).isTrue();
        assertThat(screening.isDecided(base, run(10, 300))).isFalse();
        assertThat(screening.isDecided(base, run(20, 300))).isTrue();
        assertThat(screening.isDecided(base, run(21, 300))).as("no look then").isFalse();
        assertThat(screening.isDecided(base, run(25, 105))).isFalse();
    }

    /** Runs of one service that differ by 8 %: of one in twenty at most, and of some, it seems that one has gained or lost. */
    @Test
    void equalsAreSeldomDecided() {
        Random random = new Random(7);
        int decided = 0;
        for (int i = 0; i < 4_000; i++) {
            List<double[]> baselines =
                    List.of(noisy(random), noisy(random), noisy(random), noisy(random), noisy(random));
            double[] base = baselines.getLast();
            double[] other = noisy(random);
            Screening screening = Screening.of(baselines);
            boolean one = false;
            for (int second = Screening.FIRST; second <= Screening.SECONDS; second++) {
                one |= screening.isDecided(base, Arrays.copyOf(other, second));
            }
            decided += one ? 1 : 0;
        }
        assertThat(decided).isBetween(10, 200);
    }

    /** A run that is some percent off as a whole, and whose seconds differ by as much again. */
    private static double[] noisy(Random random) {
        double rate = 100 * Math.exp(0.08 * random.nextGaussian());
        double[] run = new double[Screening.SECONDS];
        for (int i = 0; i < run.length; i++) {
            run[i] = rate * Math.exp(0.08 * random.nextGaussian());
        }
        return run;
    }
}
