package dev.kiln.explain;

import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.Peak.PeakBound;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The word of a series that comes with nothing else. */
class SeriesVerdictsTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    private static Verdict verdict(double[] first, double[] measured, PeakBound... bounds) {
        return Verdicts.of(
                List.of(),
                SeriesAnalyser.analyse(first, new MeasuredLoad(measured, List.of(bounds)), Optional.empty(), CONFIG),
                CONFIG);
    }

    private static String word(double[] first, double[] measured, PeakBound... bounds) {
        return verdict(first, measured, bounds).text();
    }

    private static double[] curve(int n, IntToDoubleFunction at) {
        return IntStream.range(0, n).mapToDouble(at).toArray();
    }

    /** With noise of so much a second that correlates with the next. */
    private static double[] noisy(Random random, double[] curve, double cv, double rho) {
        double[] out = new double[curve.length];
        double state = random.nextGaussian();
        for (int i = 0; i < out.length; i++) {
            out[i] = Math.max(0, Math.rint(curve[i] * (1 + cv * state)));
            state = rho * state + Math.sqrt(1 - rho * rho) * random.nextGaussian();
        }
        return out;
    }

    /** How many of 200 series got which word. */
    private static Map<String, Integer> words(double[] first, double[] measured, double cv, double rho) {
        Map<String, Integer> words = new TreeMap<>();
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            words.merge(word(noisy(random, first, cv, rho), noisy(random, measured, cv, rho)), 1, Integer::sum);
        }
        return words;
    }

    private static int others(Map<String, Integer> words, String... allowed) {
        return words.entrySet().stream()
                .filter(entry -> !Arrays.asList(allowed).contains(entry.getKey()))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    @Test
    void aStepUpInTheLastSecondsIsNotSlowing() {
        for (int before : new int[] {3, 5, 7}) {
            assertThat(word(then(seconds(60 - before, 500), seconds(before, 1000)), seconds(30, 1000)))
                    .as("%d s before the end", before)
                    .isIn("peaked", "below peak", "still climbing", "cannot tell");
        }
    }

    @Test
    void fiveSecondsOfNothingAtTheEndAreAStop() {
        assertThat(verdict(then(seconds(55, 1000), seconds(5, 0)), seconds(30, 1000)))
                .isEqualTo(new Verdict.StoppedServing(55));
    }

    @Test
    void twentyThreeLevelSecondsAreEnoughBesideALoadAtTheSameLevel() {
        double[] ramp = curve(40, i -> 100 + 22.5 * i);

        assertThat(word(then(ramp, seconds(23, 1000)), seconds(20, 1000))).isEqualTo("peaked");
        assertThat(words(then(ramp, seconds(23, 1000)), seconds(20, 1000), 0.02, 0.3))
                .as("with noise")
                .satisfies(words -> assertThat(words.getOrDefault("peaked", 0)).isGreaterThan(180))
                .satisfies(words ->
                        assertThat(others(words, "peaked", "cannot tell")).isLessThanOrEqualTo(4));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.2, 0.4})
    void aLoadThatDeclinesIsNoReferenceAndGivesNoPeak(double loss) {
        double[] declining = curve(31, i -> 1000 * (1 - loss * i / 30));

        assertThat(verdict(seconds(90, 1000 * (1 - loss / 2)), declining))
                .isEqualTo(new Verdict.CannotTell(
                        "throughput declined in the load after the pause, so it does not show the peak",
                        "another load after another pause"));
        assertThat(words(seconds(90, 1000), declining, 0.02, 0.3).getOrDefault("peaked", 0))
                .as("of a level before it, with noise")
                .isLessThanOrEqualTo(4);
    }

    @Test
    void noiseThatLastsIsNotTakenForAChange() {
        Map<String, Integer> words = words(seconds(90, 1000), seconds(30, 1000), 0.05, 0.8);

        assertThat(others(words, "peaked", "cannot tell")).as("%s", words).isLessThanOrEqualTo(10);
    }

    @Test
    void aDriftUpIsNotPeaked() {
        double[] all = curve(160, t -> 1000 * (1 + 0.003 * t));
        double[] first = Arrays.copyOf(all, 120);
        double[] measured = Arrays.copyOfRange(all, 135, 160);

        assertThat(word(first, measured)).isIn("still climbing", "below peak", "cannot tell");
        Map<String, Integer> words = words(first, measured, 0.02, 0.3);
        assertThat(words.getOrDefault("peaked", 0)).as("%s", words).isLessThanOrEqualTo(4);
    }

    @Test
    void twoFiguresThatAlternateAreALevelOrACycle() {
        assertThat(word(curve(60, i -> 500 + i % 2), curve(30, i -> 500 + i % 2)))
                .isEqualTo("peaked");
        assertThat(word(curve(60, i -> i % 2 * 1000), curve(30, i -> i % 2 * 1000)))
                .as("the grain of the counting, not two levels")
                .isEqualTo("peaked");
    }

    @Test
    void aCycleIsToldWithItsLevelsAndItsPeriod() {
        double[] first = curve(120, i -> i / 10 % 2 == 0 ? 1000 : 600);

        assertThat(verdict(first, seconds(20, 1000))).isInstanceOfSatisfying(Verdict.Cycling.class, cycling -> {
            assertThat(cycling.high()).isEqualTo(1000);
            assertThat(cycling.low()).isEqualTo(600);
            assertThat(cycling.periodSeconds()).isEqualTo(20);
        });
    }

    @Test
    void oneToThreeRequestsASecondGetNoWrongWord() {
        assertThat(word(curve(90, i -> 1 + i % 3), curve(30, i -> 1 + i % 3))).isIn("peaked", "cannot tell");
        Map<String, Integer> words = new TreeMap<>();
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            words.merge(
                    word(curve(90, i -> 1 + random.nextInt(3)), curve(30, i -> 1 + random.nextInt(3))),
                    1,
                    Integer::sum);
        }
        assertThat(others(words, "peaked", "cannot tell")).as("%s", words).isLessThanOrEqualTo(4);
    }

    /** Independent ones, of which a second may have none. */
    @ParameterizedTest
    @ValueSource(doubles = {1, 2, 3})
    void fewIndependentRequestsSeldomGetAWrongWord(double rate) {
        Map<String, Integer> words = new TreeMap<>();
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            words.merge(word(counts(random, 300, rate), counts(random, 90, rate)), 1, Integer::sum);
        }
        assertThat(others(words, "peaked", "cannot tell")).as("%s", words).isLessThanOrEqualTo(10);
    }

    private static double[] counts(Random random, int n, double rate) {
        double[] out = new double[n];
        for (double at = random.nextExponential() / rate; at < n; at += random.nextExponential() / rate) {
            out[(int) at]++;
        }
        return out;
    }

    @Test
    void withoutALoadAfterAPauseAPauseAndALoadWouldDecide() {
        assertThat(verdict(then(seconds(20, 500), seconds(60, 1000)), new double[0]))
                .isEqualTo(new Verdict.CannotTell(
                        "it ended at 1,000 req/s; only a load after a pause shows whether that is its peak",
                        "a pause and a load after it"));
        assertThat(verdict(then(seconds(40, 1000), seconds(40, 800)), new double[0]))
                .as("but what it lost is seen")
                .isEqualTo(new Verdict.Slowing(false));
        assertThat(verdict(then(seconds(20, 500), seconds(60, 1000)), seconds(30, 850)))
                .as("nothing was lost before the pause")
                .isEqualTo(new Verdict.Slowing(true));
    }

    @ParameterizedTest
    @EnumSource(value = PeakBound.class)
    void aLowerBoundIsNeverPeakedAgainstButMayLieWhollyAbove(PeakBound bound) {
        for (double end : new double[] {96_000, 100_000, 104_000}) {
            assertThat(word(seconds(60, end), seconds(30, 100_000), bound))
                    .as("at %s", end)
                    .isEqualTo("cannot tell");
        }
        assertThat(word(seconds(60, 70_000), seconds(30, 100_000), bound)).isEqualTo("false plateau");
        assertThat(word(curve(60, i -> 4000 + 50 * i), seconds(30, 10_000), bound))
                .isEqualTo("still climbing");
        assertThat(word(noisy(new Random(1), seconds(60, 7000), 0.05, 0.6), seconds(30, 10_000), bound))
                .as("whether it is level is not told")
                .isEqualTo("below peak");
    }

    @Test
    void aLoadThatClimbedDecidesOnlyWhatIsBelowIt() {
        double[] climbing = curve(31, i -> 80_000 + 1000 * i);

        assertThat(word(seconds(60, 100_000), climbing)).isEqualTo("cannot tell");
        assertThat(word(seconds(60, 60_000), climbing)).isEqualTo("false plateau");
    }

    @Test
    void aLevelHeldForTwentySecondsIsSlowingAndAnOvershootIsNot() {
        double[] rise = curve(10, i -> 100 * (i + 1));

        assertThat(word(then(then(rise, seconds(20, 1200)), seconds(50, 1000)), seconds(30, 1000)))
                .isEqualTo("slowing");
        assertThat(word(then(then(rise, seconds(12, 1200)), seconds(50, 1000)), seconds(30, 1000)))
                .isEqualTo("peaked");
    }

    @Test
    void aShortLoadSaysHowLongItMustBe() {
        assertThat(verdict(seconds(8, 1000), seconds(20, 1000)))
                .isEqualTo(new Verdict.CannotTell("8 s of load before the pause", "10 s or more"));
        assertThat(verdict(new double[0], new double[0]))
                .isEqualTo(new Verdict.CannotTell("0 s of load before the pause", "10 s or more"));
    }

    @Test
    void moreThanTheLoadAfterThePauseIsNoPeakEither() {
        assertThat(verdict(then(seconds(50, 1000), seconds(15, 1300)), seconds(30, 1000)))
                .isInstanceOfSatisfying(
                        Verdict.CannotTell.class,
                        cannot -> assertThat(cannot.known()).isEqualTo(Peak.Absence.SERVED_LESS.text()));
    }

    /** 20 times the noise takes 400 times the runs: nobody is told to make them. */
    @Test
    void whatNoiseHidesTakesRunsOrQuieterCpus() {
        double[] hidden = noisy(new Random(3), seconds(60, 1000), 0.25, 0.6);
        Verdict verdict = verdict(hidden, noisy(new Random(4), seconds(30, 1000), 0.25, 0.6));

        assertThat(verdict).isInstanceOfSatisfying(Verdict.CannotTell.class, cannot -> {
            assertThat(cannot.known()).matches("it ended between \\d+ and \\d+ % of its peak \\(84 % interval\\)");
            assertThat(cannot.decide()).matches("about \\d+ runs|quieter CPUs, or many runs");
        });
    }
}
