package dev.kiln.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.model.PhaseSeries;
import dev.kiln.stats.Analysed;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.NotEnoughData;
import dev.kiln.stats.TimeToPeak;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SeriesAssessmentTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    /** A row a second. */
    private static PhaseSeries phase(String name, double[] counts) {
        return new PhaseSeries(name, 1, counts, Optional.empty());
    }

    private static SeriesResult of(PhaseSeries... phases) {
        return SeriesAssessment.of(List.of(phases), List.of("known before"), CONFIG);
    }

    private static double[] step(int low, double before, int high, double after) {
        return HandMade.then(HandMade.seconds(low, before), HandMade.seconds(high, after));
    }

    private static double time(List<TimeToPeak> times, int percent) {
        return times.stream()
                .filter(t -> t.percent() == percent)
                .findFirst()
                .orElseThrow()
                .seconds()
                .orElse(Double.NaN);
    }

    @Test
    void aWarmupIsReadAgainstThePhaseBehindIt() {
        SeriesResult result = of(
                phase("other", HandMade.seconds(60, 10)),
                phase("Warm-Up", step(20, 500, 100, 1000)),
                phase("measure", HandMade.seconds(30, 2000)),
                phase("more", HandMade.seconds(30, 3000)));

        assertThat(result.phases())
                .extracting(SeriesResult.Phase::name)
                .containsExactly("other", "Warm-Up", "measure", "more");
        SeriesResult.AgainstReference against = result.against().orElseThrow();
        assertThat(against.phase()).isEqualTo("Warm-Up");
        assertThat(against.referencePhase()).isEqualTo("measure");
        assertThat(against.peak().value()).isCloseTo(2000, within(1e-9));
        assertThat(time(against.times(), 50)).isEqualTo(20);
        assertThat(time(against.times(), 90)).isNaN();
        assertThat(against.times()).extracting(TimeToPeak::percent).containsExactly(50, 90, 95, 99);
        assertThat(against.deficit().deficitRequests()).isCloseTo(20 * 1500 + 100 * 1000, within(1e-6));
        assertThat(result.jump().orElseThrow().ratio()).isCloseTo(2, within(1e-9));
        assertThat(result.notes())
                .startsWith("known before")
                .anyMatch(note -> note.startsWith("Warm-Up: plateau below reference"))
                .noneMatch(note -> note.contains("lower bound"))
                .anyMatch(note -> note.startsWith("measure: the tail has "));
    }

    /** A phase behind the warm-up may be as short as a measuring phase; any other must be as long as a warm-up. */
    @Test
    void onlyWhatStandsBehindAWarmupIsAMeasuringPhase() {
        PhaseSeries measure = phase("measure", HandMade.seconds(30, 2000));

        SeriesResult alone = of(phase("first", HandMade.seconds(70, 100)), measure);
        assertThat(alone.phases().get(0).analysis()).isInstanceOf(Analysed.class);
        assertThat(alone.phases().get(1).analysis()).isInstanceOf(NotEnoughData.class);
        assertThat(alone.against()).isEmpty();
        assertThat(alone.jump()).isEmpty();
        assertThat(alone.notes()).anyMatch(note -> note.startsWith("measure: not enough data: needs 30 more seconds"));

        SeriesResult last = of(measure, phase("warmup", HandMade.seconds(70, 100)));
        assertThat(last.phases().get(0).analysis()).isInstanceOf(NotEnoughData.class);
        assertThat(last.against()).as("nothing behind it").isEmpty();

        assertThat(of(phase("warmup", HandMade.seconds(70, 100)), measure)
                        .phases()
                        .get(1)
                        .analysis())
                .isInstanceOf(Analysed.class);
    }

    @Test
    void shorterRowsAreJoinedToBins() {
        SeriesResult result = SeriesAssessment.of(
                List.of(new PhaseSeries("warmup", 0.5, step(40, 100, 160, 400), Optional.empty())), List.of(), CONFIG);

        assertThat(result.phases().getFirst().bins())
                .hasSize(100)
                .startsWith(200)
                .endsWith(800);
        assertThat(result.phases().getFirst().errors()).isEmpty();
    }

    @Test
    void aPhaseThatServedNothingIsNoReference() {
        SeriesResult result = of(phase("warmup", HandMade.seconds(70, 100)), phase("measure", HandMade.seconds(30, 0)));

        assertThat(result.against()).isEmpty();
        assertThat(result.notes()).contains("phase measure served nothing, so it gives no reference peak");
        assertThat(of(phase("warmup", new double[0]), phase("measure", HandMade.seconds(30, 5)))
                        .against())
                .isEmpty();
    }

    @Test
    void aReferenceThatIsNotSteadyIsALowerBound() {
        double[] growing = new double[40];
        Arrays.setAll(growing, i -> 1000 + 40 * i);

        assertThat(of(phase("warmup", HandMade.seconds(70, 1000)), phase("measure", growing))
                        .notes())
                .contains(
                        "the reference peak is a lower bound, printed with \u2265: phase measure is not steady itself");
    }

    /** The noise of the warm-up's own tail decides, and that of the measuring phase where it has none. */
    @Test
    void timesThatNoiseHidesAreNotResolvable() {
        double[] noisy = new double[90];
        Arrays.setAll(noisy, i -> i % 2 == 0 ? 960 : 1040);
        double[] quiet = HandMade.seconds(30, 1000);

        assertThat(resolvable(of(phase("warmup", noisy), phase("measure", quiet))))
                .containsExactly(true, true, false, false);
        assertThat(resolvable(of(phase("warmup", HandMade.seconds(90, 1000)), phase("measure", quiet))))
                .containsExactly(true, true, true, true);
        assertThat(resolvable(
                        of(phase("warmup", HandMade.seconds(20, 1000)), phase("measure", Arrays.copyOf(noisy, 30)))))
                .as("too short for a tail of its own")
                .containsExactly(true, true, false, false);
    }

    private static List<Boolean> resolvable(SeriesResult result) {
        return result.against().orElseThrow().times().stream()
                .map(TimeToPeak::resolvable)
                .toList();
    }

    private static SeriesResult.Phase failing(double[] served, int... bins) {
        double[] failed = new double[served.length];
        Arrays.stream(bins).forEach(bin -> failed[bin] = 50);
        return SeriesAssessment.of(
                        List.of(new PhaseSeries("warmup", 1, served, Optional.of(failed))), List.of(), CONFIG)
                .phases()
                .getFirst();
    }

    @Test
    void failedRequestsMakeAPhaseInvalidByTheirNumberOrTheirPlace() {
        double[] served = step(20, 500, 100, 1000);

        SeriesResult.Phase few = failing(served, 80, 81);
        assertThat(few.valid()).isTrue();
        assertThat(few.errors().orElseThrow()).isEqualTo(new SeriesResult.Errors(100, List.of(80, 81), List.of()));

        assertThat(failing(served, 80, 81, 82).errors().orElseThrow().reasons())
                .containsExactly("2.5 % of the bins are invalid, more than 2 %");
        assertThat(failing(served, 22).errors().orElseThrow().reasons())
                .containsExactly("invalid bins [22] within 5 s of the reported time 20 s");
        assertThat(failing(served, 22).valid()).isFalse();
    }

    @Test
    void whatFailedIsToldWithItsShare() {
        double[] failed = new double[100];
        failed[60] = 100;
        SeriesResult result = SeriesAssessment.of(
                List.of(new PhaseSeries("warmup", 1, HandMade.seconds(100, 99), Optional.of(failed))),
                List.of(),
                CONFIG);

        assertThat(result.notes())
                .anyMatch(note ->
                        note.equals("warmup: 100 requests failed, 1.00 % of all, too many of them in 1 of 100 bins"));
        assertThat(SeriesAssessment.of(
                                List.of(new PhaseSeries(
                                        "warmup", 1, HandMade.seconds(100, 99), Optional.of(new double[100]))),
                                List.of(),
                                CONFIG)
                        .notes())
                .noneMatch(note -> note.contains("failed"));
    }
}
