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
        Screened now = Screening.of(60, List.of(run(60, 100))).look(run(60, 100), run(25, 120), 25);
        assertThat(now.gain()).isCloseTo(0.2, within(1e-9));
        assertThat(now.seconds()).isEqualTo(25);
        assertThat(now.lo()).isNegative();
        assertThat(now.hi()).isGreaterThan(0.2);
    }

    /** One run of the baseline shows no spread; three that differ widen the interval. */
    @Test
    void theSpreadOfTheBaselineCounts() {
        Screening alike = Screening.of(60, List.of(run(30, 100)));
        assertThat(alike.spread()).isCloseTo(0.11, within(1e-9));
        assertThat(alike.degrees()).isEqualTo(4);
        Screening apart = Screening.of(60, List.of(run(30, 100), run(30, 130), run(30, 160)));
        assertThat(apart.spread()).isGreaterThan(0.15);
        assertThat(apart.degrees()).isEqualTo(6);
        assertThat(Screening.of(60, List.of()).spread()).isCloseTo(0.11, within(1e-9));
    }

    @Test
    void onlyWhatIsSureEndsARun() {
        Screening screening = Screening.of(60, List.of(run(30, 100), run(30, 100), run(30, 100)));
        double[] base = run(30, 100);
        assertThat(screening.isDecided(base, run(19, 10))).as("too early").isFalse();
        assertThat(screening.isDecided(base, run(20, 10))).isTrue();
        assertThat(screening.isDecided(base, run(20, 300))).isTrue();
        assertThat(screening.isDecided(base, run(21, 300))).as("no look then").isFalse();
        assertThat(screening.isDecided(base, run(25, 105))).isFalse();
    }

    /**
     * PlantUML's server on one CPU, as it is and with favoured compilers. These take the CPU first: after 14 s it has served fewer
     * requests. At the end of a load of 60 s it had served 1.59 times as many.
     */
    @Test
    void whatPaysFirstHasNotLost() {
        double[] base = {
            81, 182, 288, 268, 338, 357, 428, 388, 503, 527, 520, 598, 657, 616, 693, 658, 696, 677, 691, 654, 729, 697,
            783, 700, 572, 753, 760, 659, 768, 786
        };
        double[] favoured = {
            80, 94, 182, 282, 313, 351, 304, 184, 646, 265, 881, 409, 896, 744, 938, 1116, 1302, 1137, 695, 1000, 1026,
            1515, 1525, 1364, 1609, 1625, 1610, 1661, 1618, 1614
        };
        assertThat(Arrays.stream(favoured, 0, 14).sum())
                .isLessThan(Arrays.stream(base, 0, 14).sum());
        Screening screening = Screening.of(60, List.of(base));
        for (int second = 1; second <= 30; second++) {
            assertThat(screening.look(base, favoured, second).isLost())
                    .as("second " + second)
                    .isFalse();
        }
        assertThat(screening.look(base, favoured, 30).gain()).isBetween(0.59, 1.0);
    }

    /** Runs of one service that differ by 11 %: of one in twenty at most, and of some, it seems that one has gained or lost. */
    @Test
    void equalsAreSeldomDecided() {
        Random random = new Random(7);
        int decided = 0;
        for (int i = 0; i < 4_000; i++) {
            List<double[]> baselines =
                    List.of(noisy(random), noisy(random), noisy(random), noisy(random), noisy(random));
            double[] base = baselines.getLast();
            double[] other = noisy(random);
            Screening screening = Screening.of(60, baselines);
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
        double rate = 100 * Math.exp(0.11 * random.nextGaussian());
        double[] run = new double[Screening.SECONDS];
        for (int i = 0; i < run.length; i++) {
            run[i] = rate * Math.exp(0.08 * random.nextGaussian());
        }
        return run;
    }
}
