package dev.kiln.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.UntilKnown.Answer;
import dev.kiln.explain.UntilKnown.Compilers;
import dev.kiln.explain.UntilKnown.Second;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.TruthSeries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class UntilKnownTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();
    private static final Compilers QUIET = new Compilers(0.01, true, OptionalInt.of(0));

    /** As it was recorded beside platform threads: hardly any CPU, and a wait all of the time. */
    private static final Compilers STARVED = new Compilers(0.99, true, OptionalInt.of(1200));

    private static List<Second> load(double[] curve, double cv, IntFunction<Optional<Compilers>> compilers) {
        Random random = new Random(7);
        double state = 0;
        List<Second> seconds = new ArrayList<>();
        for (int i = 0; i < curve.length; i++) {
            state = 0.3 * state + Math.sqrt(1 - 0.09) * random.nextGaussian();
            seconds.add(new Second(Math.max(0, Math.rint(curve[i] * (1 + cv * state))), compilers.apply(i)));
        }
        return seconds;
    }

    private static List<Second> quiet(int seconds, IntToDoubleFunction curve) {
        return load(TruthSeries.curve(seconds, curve), 0.02, second -> Optional.of(QUIET));
    }

    private static double warming(int second) {
        return 2000 * (1 - 0.8 * Math.exp(-second / 3.0));
    }

    /** Returns the second at which the load ends; its length where it takes all of it. */
    private static int end(List<Second> seconds) {
        UntilKnown rule = new UntilKnown(30, seconds.size(), 1);
        for (int n = 1; n < seconds.size(); n++) {
            if (rule.after(seconds.subList(0, n), CONFIG).known()) {
                return n;
            }
        }
        return seconds.size();
    }

    private static String open(List<Second> seconds) {
        Answer answer = new UntilKnown(30, seconds.size() + 30, 1).after(seconds, CONFIG);
        assertThat(answer.known()).as(answer.why()).isFalse();
        return answer.why();
    }

    @Test
    void aServiceThatIsWarmEndsEarlyAndNeverBeforeItsLeast() {
        List<Second> warm = quiet(90, UntilKnownTest::warming);
        assertThat(end(warm)).isBetween(30, 70);
        assertThat(new UntilKnown(45, 90, 1).after(warm.subList(0, 44), CONFIG).known())
                .isFalse();
        Answer answer = new UntilKnown(45, 90, 1).after(warm.subList(0, 80), CONFIG);
        assertThat(answer.known()).isTrue();
        assertThat(answer.why()).startsWith("C1 and C2 were quiet for 15 s");
    }

    @Test
    void aLoadTakesThreeTimesTheTimeToItsLevel() {
        assertThat(end(quiet(120, second -> second < 25 ? 1000 : 2000))).isGreaterThanOrEqualTo(75);
        assertThat(open(quiet(60, second -> second < 25 ? 1000 : 2000))).contains("three times the time to 90 %");
    }

    @Test
    void aStarvedCompilerThatLooksLevelForTwoMinutesTakesTheWholeLoad() {
        double[] level = TruthSeries.curve(120, UntilKnownTest::warming);
        assertThat(end(load(level, 0.01, second -> Optional.of(STARVED)))).isEqualTo(120);
        assertThat(end(load(level, 0.01, second -> Optional.of(QUIET))))
                .as("the curve alone would have ended it")
                .isLessThan(70);
        assertThat(open(load(level, 0.01, second -> Optional.of(STARVED))))
                .startsWith("C1 and C2 had work: they asked for 99 % of a CPU");
    }

    @Test
    void aQueueKeepsTheLoadGoingWhereTheKernelCreditsAWaitLate() {
        Compilers unseen = new Compilers(0, true, OptionalInt.of(40));
        assertThat(end(load(TruthSeries.level(120, 2000), 0.01, second -> Optional.of(unseen))))
                .isEqualTo(120);
        assertThat(open(load(TruthSeries.level(120, 2000), 0.01, second -> Optional.of(unseen))))
                .isEqualTo("40 methods waited for C2");
    }

    @Test
    void whereNobodySeesTheCompilersTheLoadTakesItsWholeTime() {
        double[] level = TruthSeries.level(120, 2000);
        assertThat(open(load(level, 0.01, second -> Optional.empty()))).isEqualTo("whether C2 has work is not seen");
        assertThat(open(load(level, 0.01, second -> second == 110 ? Optional.empty() : Optional.of(QUIET))))
                .isEqualTo("whether C2 has work is not seen");
        Compilers withoutWaits = new Compilers(0, false, OptionalInt.of(0));
        assertThat(open(load(level, 0.01, second -> Optional.of(withoutWaits))))
                .isEqualTo("whether C2 has work is not seen");
    }

    @Test
    void aPlateauInBetweenIsNoEndWhileC2Works() {
        double[] steps = TruthSeries.curve(150, second -> second < 5 ? 500 : second < 90 ? 1000 : 2000);
        int end = end(load(
                steps, 0.02, second -> Optional.of(second < 88 ? new Compilers(0.4, true, OptionalInt.of(3)) : QUIET)));
        assertThat(end).isEqualTo(150);
    }

    @Test
    void collectionsAreNoReasonToGoOn() {
        List<Second> sawtooth = quiet(120, second -> warming(second) * (second % 10 == 9 ? 0.6 : 1));
        assertThat(end(sawtooth)).isBetween(30, 110);
    }

    @Test
    void aCycleTakesTheWholeLoad() {
        for (int period : new int[] {12, 20, 36}) {
            assertThat(end(quiet(120, second -> second % period < period / 2 ? 2000 : 1200)))
                    .as("period %d", period)
                    .isEqualTo(120);
        }
    }

    @Test
    void aDatabaseThatFillsTakesTheWholeLoad() {
        assertThat(end(quiet(90, second -> warming(second) * (1 - 0.003 * second))))
                .isEqualTo(90);
        assertThat(open(quiet(60, second -> warming(second) * (1 - 0.003 * second))))
                .containsAnyOf("could have changed by", "may have been higher before");
    }

    @Test
    void tooFewRequestsHaveNotComeToC2Yet() {
        assertThat(end(quiet(120, second -> 60))).isEqualTo(120);
        List<Second> many = quiet(60, second -> 2000);
        assertThat(new UntilKnown(30, 90, 0.01).after(many, CONFIG).why())
                .contains("requests of the rarest call in a process are too few");
        assertThat(new UntilKnown(30, 90, 0.5).after(many, CONFIG).known()).isTrue();
    }

    @Test
    void aServiceThatStoppedTakesTheWholeLoad() {
        assertThat(end(quiet(90, second -> second < 50 ? 500 + 30 * second : 0)))
                .isEqualTo(90);
    }

    /** Spring, 100 connections, one CPU: C2 was done at 20 s on virtual threads, and never on platform threads. */
    @Test
    void recordedRunsEndWhereTheirCompilersAreDone() throws IOException {
        assertThat(end(recorded("spring-platform"))).isEqualTo(90);
        assertThat(end(recorded("spring-virtual"))).isGreaterThanOrEqualTo(60);
    }

    private static List<Second> recorded(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(UntilKnownTest.class.getResourceAsStream("/until-known/" + name + ".csv"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .map(line -> line.split(","))
                    .map(cell -> new Second(
                            Double.parseDouble(cell[0]),
                            Optional.of(new Compilers(
                                    Double.parseDouble(cell[1]), true, OptionalInt.of(Integer.parseInt(cell[2]))))))
                    .toList();
        }
    }
}
