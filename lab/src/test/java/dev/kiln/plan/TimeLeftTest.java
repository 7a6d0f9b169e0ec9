package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.Protocol.Phase;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The demo, twice: 90 s of load and a search of 100 s, with 14 s around a run and 9 s for a variant's closing load. */
class TimeLeftTest {
    private static final Phase.Load WARMUP = new Phase.Load("warmup", Duration.ofSeconds(90));

    private static final Phase.Load ROUND = new Phase.Load("reference-2", Duration.ofSeconds(15));

    private final Experiment experiment =
            ExperimentFile.read(Path.of("../experiments/demo.yaml")).with(Runs.fixed(2));
    private final TimeLeft left = new TimeLeft(experiment, Schedule.of(experiment));

    private static long at(double second) {
        return Math.round(second * 1e9);
    }

    private long seconds(double now) {
        return seconds(left, now);
    }

    private static long seconds(TimeLeft left, double now) {
        return left.left(at(now)).toSeconds();
    }

    /** The second of two variants, which have one run each. */
    private TimeLeft lastRun() {
        Experiment once = experiment.with(Runs.fixed(1));
        TimeLeft last = new TimeLeft(once, Schedule.of(once));
        last.runStarted("platform", 1, 2, at(-200));
        last.runStarted("virtual", 2, 2, 0);
        return last;
    }

    @Test
    void atFirstItIsThatOfThePlan() {
        assertThat(seconds(0)).isEqualTo(4 * 204 + 8 + 2 * 9);
        assertThat(left.words(0)).isEqualTo("about 14 min left");
        assertThat(left.brief(0)).isEqualTo("14 min left");
        left.runStarted("platform", 1, 4, at(60));
        assertThat(seconds(60)).isEqualTo(4 * 204 + 2 * 9);
        assertThat(seconds(70)).isEqualTo(4 * 204 + 2 * 9 - 10);
    }

    @Test
    void aStartTellsHowLongTheOthersTake() {
        left.runStarted("platform", 1, 4, 0);
        left.tick(WARMUP, 1, false, at(31));
        assertThat(seconds(31)).isEqualTo(192 + 3 * (30 + 190 + 3) + 2 * 9);
        left.tick(WARMUP, 2, false, at(32));
        assertThat(seconds(32)).isEqualTo(191 + 3 * (30 + 190 + 3) + 2 * 9);
    }

    @Test
    void aRunTellsHowLongTheOthersTakeAndMostOfThoseOfItsVariant() {
        left.runStarted("platform", 1, 4, 0);
        left.tick(WARMUP, 1, false, at(21));
        left.runStarted("virtual", 2, 4, at(150));
        assertThat(seconds(150)).isEqualTo(3 * 150);
        left.tick(WARMUP, 10, false, at(170));
        assertThat(seconds(170))
                .as("its own variant has not shown yet what it takes")
                .isEqualTo(183 + 9 + 2 * 150);
        left.runStarted("platform", 3, 4, at(350));
        assertThat(seconds(350)).isEqualTo(150 + 200);
        left.tick(WARMUP, 5, false, at(370));
        assertThat(seconds(370)).as("130 s from the first request on").isEqualTo(125 + 200);
        assertThat(seconds(900))
                .as("what follows is not spent by a run that takes longer")
                .isEqualTo(200);
    }

    @Test
    void aLoadIsNotOverBeforeItsTime() {
        left.runStarted("platform", 1, 4, 0);
        left.tick(WARMUP, 1, false, at(2));
        left.runStarted("virtual", 2, 4, at(40));
        left.runStarted("platform", 3, 4, at(80));
        left.tick(WARMUP, 5, false, at(100));
        assertThat(seconds(100)).isEqualTo(85 + 40);
    }

    /** With nothing left to compile a search takes a round, and often a second one to be sure. */
    @Test
    void quietCompilersTakeTwoRounds() {
        TimeLeft left = lastRun();
        left.tick(WARMUP, 40, false, at(50));
        assertThat(seconds(left, 50)).isEqualTo(50 + 4 * 25 + 12);
        for (int second = 41; second < 50; second++) {
            left.tick(WARMUP, second, true, at(10 + second));
        }
        assertThat(seconds(left, 59)).as("nine quiet seconds").isEqualTo(41 + 4 * 25 + 12);
        left.tick(WARMUP, 50, true, at(60));
        assertThat(seconds(left, 60)).isEqualTo(40 + 2 * 25 + 12);
        left.tick(WARMUP, 51, false, at(61));
        assertThat(seconds(left, 61)).as("one late method").isEqualTo(39 + 2 * 25 + 12);
        left.tick(WARMUP, 52, true, at(62));
        for (int second = 53; second <= 62; second++) {
            left.tick(WARMUP, second, false, at(10 + second));
        }
        assertThat(seconds(left, 72)).as("a second wave").isEqualTo(28 + 4 * 25 + 12);
    }

    /**
     * The demo had 40 s left, as its search was to take one round. It took two: in the first C2 worked again, and 2 min were left
     * without a word.
     */
    @Test
    void whatIsLeftRisesForAReasonThatIsSaid() {
        TimeLeft left = lastRun();
        for (int second = 80; second < 90; second++) {
            left.tick(WARMUP, second, true, at(10 + second));
        }
        assertThat(left.news())
                .contains(
                        "the compilers are quiet, so the search for the peak is likely to take 2 rounds in all: less time is left");
        left.tick(WARMUP, 90, true, at(100));
        Phase.Load first = new Phase.Load("reference-1", Duration.ofSeconds(15));
        for (int second = 1; second < 10; second++) {
            left.tick(first, second, false, at(110 + second));
            assertThat(left.news()).isEmpty();
        }
        assertThat(seconds(left, 119)).as("a second round").isEqualTo(6 + 25 + 12);
        left.tick(first, 10, false, at(120));
        assertThat(left.news())
                .contains(
                        "the compilers are no longer seen to be quiet, so the search for the peak is likely to take 4 rounds in all: more time is left");
        assertThat(seconds(left, 120)).isEqualTo(5 + 3 * 25 + 12);
    }

    /** A minute less at once, of which nothing was said. */
    @Test
    void whyLessIsLeftIsSaidOnce() {
        TimeLeft left = lastRun();
        for (int second = 1; second < 10; second++) {
            left.tick(WARMUP, second, true, at(10 + second));
            assertThat(left.news()).isEmpty();
        }
        left.tick(WARMUP, 10, true, at(20));
        assertThat(left.news()).hasValueSatisfying(why -> assertThat(why).startsWith("the compilers are quiet"));
        left.tick(WARMUP, 11, true, at(21));
        assertThat(left.news()).isEmpty();
        left.tick(ROUND, 15, true, at(130));
        assertThat(left.news()).isEmpty();
        assertThat(seconds(left, 130)).isEqualTo(12);
    }

    @Test
    void aSearchHasTheRoundsThatFollow() {
        TimeLeft left = lastRun();
        left.tick(WARMUP, 90, false, at(100));
        left.tick(ROUND, 5, false, at(120));
        assertThat(seconds(left, 120)).as("the second round of four").isEqualTo(10 + 2 * 25 + 12);
        for (int second = 6; second <= 15; second++) {
            left.tick(ROUND, second, true, at(115 + second));
        }
        assertThat(seconds(left, 130)).isEqualTo(12);
        left.tick(ROUND, 15, false, at(130));
        left.loadEnded(at(130));
        assertThat(seconds(left, 130)).as("found").isEqualTo(12);
        assertThat(left.words(at(131))).isEqualTo("about 10 s left");
    }

    /** Who starts it stops the old one first. */
    @Test
    void aRestartHasItsTimeUntilOneHasShownWhatItTakes() {
        Experiment others = ExperimentFile.read(Path.of("../experiments/compose/fruits.yaml"));
        TimeLeft left = new TimeLeft(others, Schedule.of(others));
        assertThat(PlanText.extent(others, Schedule.of(others)))
                .isEqualTo("2 variants x 3 runs, about 12 min, with 10 s for each restart, without builds");
        assertThat(seconds(left, 0)).isEqualTo(6 * (95 + 14 + 10) + 8);
        left.runStarted("platform", 1, 6, 0);
        Phase.Load first = (Phase.Load) others.protocol().phases().getFirst();
        left.tick(first, 1, false, at(41));
        assertThat(seconds(left, 41)).isEqualTo(94 + 3 + 5 * (40 + 95 + 3));
    }

    @Test
    void aRepeatTakesAsLongAsARun() {
        left.runStarted("platform", 1, 4, 0);
        left.runStarted("virtual", 2, 5, at(100));
        assertThat(seconds(100)).isEqualTo(100 + 3 * 100);
    }
}
