package dev.kiln.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/**
 * A load of a minute that rises for a quarter of it and serves less in its second half, and a load after the pause that serves
 * no more. It is no overshoot, and often no level of 20 s either; it was mostly called a peak.
 */
class DecliningLoadTest {
    private static final int RUNS = 40;
    private static final int SECONDS = 60;
    private static final double LOST = 0.12;

    /** Returns how often which verdict was given. */
    private static Map<String, Integer> words(double cv, double rho, double after, IntToDoubleFunction share) {
        Map<String, Integer> words = new TreeMap<>();
        Random random = new Random(7);
        AnalysisConfig config = AnalysisConfig.defaults();
        for (int run = 0; run < RUNS; run++) {
            double[] all = new double[SECONDS + 30];
            double state = random.nextGaussian();
            for (int i = 0; i < all.length; i++) {
                state = rho * state + Math.sqrt(1 - rho * rho) * random.nextGaussian();
                double level = i < SECONDS ? (1 - 0.8 * Math.exp(-i / 6.0)) * share.applyAsDouble(i) : after;
                all[i] = Math.rint(2000 * level * Math.exp(cv * state - cv * cv / 2));
            }
            MeasuredLoad measured = new MeasuredLoad(Arrays.copyOfRange(all, SECONDS, all.length), List.of());
            words.merge(
                    Verdicts.of(
                                    List.of(),
                                    SeriesAnalyser.analyse(
                                            Arrays.copyOf(all, SECONDS), measured, Optional.empty(), config),
                                    config)
                            .text(),
                    1,
                    Integer::sum);
        }
        return words;
    }

    /** By 12 %, evenly. */
    private static double sinks(int second) {
        return 1 - LOST * Math.max(0, 2.0 * second / SECONDS - 1);
    }

    /** By 12 %, at once. */
    private static double steps(int second) {
        return second < SECONDS / 2 ? 1 : 1 - LOST;
    }

    @Test
    void whatSinksInItsSecondHalfIsSeldomCalledAPeak() {
        Map<String, Integer> quiet = words(0.02, 0, 1 - LOST, DecliningLoadTest::sinks);
        Map<String, Integer> waves = words(0.02, 0.6, 1 - LOST, DecliningLoadTest::sinks);

        assertThat(quiet.getOrDefault("peaked", 0)).as("%s", quiet).isLessThanOrEqualTo(RUNS / 10);
        assertThat(waves.getOrDefault("peaked", 0)).as("%s", waves).isLessThanOrEqualTo(RUNS / 4);
    }

    @Test
    void whatStepsDownAtHalfIsSeldomCalledAPeak() {
        Map<String, Integer> quiet = words(0.02, 0, 1 - LOST, DecliningLoadTest::steps);
        Map<String, Integer> waves = words(0.02, 0.6, 1 - LOST, DecliningLoadTest::steps);

        assertThat(quiet.getOrDefault("peaked", 0)).as("%s", quiet).isLessThanOrEqualTo(RUNS / 10);
        assertThat(waves.getOrDefault("peaked", 0)).as("%s", waves).isLessThanOrEqualTo(RUNS / 10);
    }

    /** The rise before the step, and the step, were taken for noise, which then hid them. */
    @Test
    void noiseOfATwentiethASecondDoesNotMakeADeclineAPeak() {
        Map<String, Integer> steps = words(0.05, 0, 1 - LOST, DecliningLoadTest::steps);
        Map<String, Integer> inWaves = words(0.05, 0.6, 1 - LOST, DecliningLoadTest::steps);
        Map<String, Integer> sinks = words(0.05, 0.6, 1 - LOST, DecliningLoadTest::sinks);

        assertThat(steps.getOrDefault("peaked", 0)).as("%s", steps).isLessThanOrEqualTo(RUNS / 10);
        assertThat(inWaves.getOrDefault("peaked", 0)).as("%s", inWaves).isLessThanOrEqualTo(RUNS / 4);
        assertThat(sinks.getOrDefault("peaked", 0)).as("%s", sinks).isLessThanOrEqualTo(RUNS / 3);
    }

    /** Nobody was told why there was no verdict: it said how many runs would decide, which none would. */
    @Test
    void anEndThatDeclinesIsTold() {
        double[] load = new double[SECONDS];
        Arrays.setAll(load, i -> i < 30 ? 1000 : 1000 - 3 * (i - 30));
        double[] after = new double[30];
        Arrays.fill(after, 960);
        AnalysisConfig config = AnalysisConfig.defaults();
        Verdict verdict = Verdicts.of(
                List.of(),
                SeriesAnalyser.analyse(load, new MeasuredLoad(after, List.of()), Optional.empty(), config),
                config);

        assertThat(verdict).isInstanceOfSatisfying(Verdict.CannotTell.class, cannot -> {
            assertThat(cannot.known()).endsWith(", and throughput may go down");
            assertThat(cannot.decide()).isEqualTo("a longer load");
        });
    }

    @Test
    void whatStaysAtItsPeakIsStillCalledOne() {
        Map<String, Integer> level = words(0.02, 0.6, 1, second -> 1);

        assertThat(level.getOrDefault("peaked", 0)).as("%s", level).isGreaterThanOrEqualTo(RUNS * 9 / 10);
    }

    /** Ten seconds above, after the rise, are an overshoot. */
    @Test
    void anOvershootLeavesNoDoubt() {
        for (double cv : new double[] {0.02, 0.05}) {
            Map<String, Integer> over = words(cv, 0, 1, second -> second < 20 ? 1.2 : 1);

            assertThat(over.getOrDefault("peaked", 0)).as("%s", over).isGreaterThanOrEqualTo(RUNS * 9 / 10);
        }
    }
}
