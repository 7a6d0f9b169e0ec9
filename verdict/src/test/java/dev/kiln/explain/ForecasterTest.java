package dev.kiln.explain;

import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.model.Metric;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Student.Prediction;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForecasterTest {
    private static final Prediction SIX = Prediction.of(6, 7, 8, 9, 10, 11);

    private static Forecaster after(int seconds, double cpu, double wait) {
        return fed(new Forecaster(), seconds, cpu, wait);
    }

    private static Forecaster fed(Forecaster forecaster, int seconds, double cpu, double wait) {
        for (int i = 0; i < seconds; i++) {
            forecaster.second(cpu, wait);
        }
        return forecaster;
    }

    /** Spring Boot of LAB's figures: 3 % of a CPU, and 10 CPU seconds to do; C2 would be done at about 330 s. */
    @Test
    void demandOfOtherServicesOverTheShare() {
        Forecast forecast = after(30, 0.03, 0.97).forecast().orElseThrow();

        assertThat(forecast.atSecond()).isEqualTo(30);
        assertThat(forecast.c2Share()).isCloseTo(0.03, within(1e-12));
        assertThat(forecast.middle()).isCloseTo(Forecaster.DEMAND.quantileAbove(0.9, 0.5) / 0.03, within(1e-6));
        assertThat(forecast.low()).isBetween(60.0, 120.0);
        assertThat(forecast.high()).isGreaterThan(330);
    }

    @Test
    void narrowsAsEvidenceAccumulates() {
        Forecaster forecaster = new Forecaster(SIX, 0);
        double before = Double.POSITIVE_INFINITY;
        for (int at = 20; at <= 160; at += 20) {
            Forecast forecast = fed(forecaster, 20, 0.03, 0.97).forecast().orElseThrow();
            double width = forecast.high() / forecast.low();

            assertThat(width).as("at %d s", at).isLessThan(before);
            assertThat(forecast.low()).isBetween((double) at, 280.0);
            assertThat(forecast.high()).isGreaterThan(280);
            before = width;
        }
        assertThat(before).isLessThan(3);
    }

    @Test
    void moreServicesTellMore() {
        Forecast two = fed(new Forecaster(Prediction.of(7.6, 10), 0), 30, 0.03, 0.97)
                .forecast()
                .orElseThrow();
        Forecast six = fed(new Forecaster(SIX, 0), 30, 0.03, 0.97).forecast().orElseThrow();

        assertThat(six.low()).isGreaterThan(two.low());
        assertThat(six.high()).isLessThan(two.high());
    }

    /** Keycloak on one CPU used 1.9 s by second 20 and had 359 methods of 7.4 ms in its queue; C2 had work until the end. */
    @Test
    void whatServicesOfOthersAskForIsNoNarrowGuess() {
        Forecaster forecaster = after(20, 0.095, 0.9);
        forecaster.backlog(359 * 0.0074);

        Forecast forecast = forecaster.forecast().orElseThrow();
        assertThat(forecast.low()).isBetween(40.0, 60.0);
        assertThat(forecast.tells()).isTrue();
        assertThat(forecast.high()).isGreaterThan(200);
        assertThat(Forecaster.DEMAND.df()).as("services less one").isGreaterThanOrEqualTo(10);
    }

    /** What waits has to be done, whatever other services asked for. */
    @Test
    void theQueueRaisesTheBound() {
        Forecaster forecaster = after(10, 0.05, 0.95);
        double before = forecaster.forecast().orElseThrow().low();
        forecaster.backlog(20);

        Forecast forecast = forecaster.forecast().orElseThrow();
        assertThat(forecast.low()).isGreaterThan(before + 100);
        assertThat(forecast.middle()).isGreaterThan(10 + 20 / 0.05);
    }

    @Test
    void whatWasUsedBeforeIsTakenOff() {
        Forecast fresh = after(10, 0.05, 0.95).forecast().orElseThrow();
        Forecast later = fed(new Forecaster(Forecaster.DEMAND, 5), 10, 0.05, 0.95)
                .forecast()
                .orElseThrow();

        assertThat(later.low()).isLessThan(fresh.low());
        assertThat(later.middle()).isLessThan(fresh.middle());
    }

    @Test
    void aBoundThatIsNowTellsNothing() {
        Forecast forecast = after(40, 0.9, 0.1).forecast().orElseThrow();

        assertThat(forecast.low()).isGreaterThan(40);
        assertThat(new Forecast(40, 0.9, 40.5, 60, 90).tells()).isFalse();
        assertThat(Forecast.last(List.of(new Forecast(30, 0.1, 90, 120, 150), new Forecast(40, 0.9, 40.5, 60, 90))))
                .hasValue("C2 not done before 90 s (by second 30 it got 10.0 % of a CPU)");
    }

    /** "Not before 66 s" at second 60 says no more than that it is not over. */
    @Test
    void aBoundThatIsNearTellsNothing() {
        assertThat(new Forecast(60, 0.05, 66, 200, 800).tells()).isFalse();
        assertThat(new Forecast(60, 0.05, 91, 200, 800).tells()).isTrue();
        assertThat(new Forecast(10, 0.05, 19.9, 60, 200).tells())
                .as("over before the next")
                .isFalse();
        assertThat(new Forecast(90, 0.05, 109, 200, 800).tells())
                .as("shown as 100")
                .isFalse();
        assertThat(new Forecast(90, 0.05, 121, 200, 800).tells()).isTrue();
    }

    @Test
    void aQuietC2HasNoForecast() {
        assertThat(after(10, 0.01, 0.28).forecast()).isEmpty();
        assertThat(after(4, 0.05, 0.95).forecast()).as("too early").isEmpty();
        assertThat(after(10, 0, 1).forecast()).as("no share").isEmpty();
        assertThat(after(5, 0.15, 0.15).forecast()).isPresent();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    20 1 40 0.05              | 20 | quiet from then on
                    40 0.1                    | 0  | nothing to do
                    60 1                      |    | never
                    20 1 6 0.05 20 1 14 0.05  | 46 | a lull is no end
                    20 1 12 0.05 20 1 8 0.05  | 52 | nor is a long one
                    20 1 10 0.05 1 1 29 0.05  | 20 | one late compilation is no backlog
                    20 1 39 0.05 1 0.9        | 20 | nor is one at the end
                    55 1 5 0.05               | 55 | just long enough
                    56 1 4 0.05               |    | too short to tell
                    """)
    void theBacklogIsClearedFromWhenC2StaysQuiet(String demands, @Nullable Integer cleared, String why) {
        OptionalInt told = Forecaster.cleared(demands(demands), 5);
        assertThat(told).as(why).isEqualTo(cleared == null ? OptionalInt.empty() : OptionalInt.of(cleared));
    }

    /** Stretches of so many seconds with this demand. */
    private static List<Forecaster.Second> demands(String stretches) {
        List<Forecaster.Second> seconds = new ArrayList<>();
        String[] words = stretches.split(" ", -1);
        for (int i = 0; i < words.length; i += 2) {
            double demand = Double.parseDouble(words[i + 1]);
            for (int second = 0; second < Integer.parseInt(words[i]); second++) {
                seconds.add(new Forecaster.Second(demand / 4, demand * 3 / 4));
            }
        }
        return seconds;
    }

    @Test
    void whenTheBacklogWasClearedIsAFigureOfTheRun() {
        Service served = Service.healthy();
        served.c2Wait = 0.9;
        served.c2WaitsUntil = 35;

        assertThat(cleared(served)).as("the first request came after 10 s").hasValue(25);
        assertThat(cleared(Service.healthy().starved())).hasValue(Double.POSITIVE_INFINITY);
    }

    /** It may have been cleared in the second one, and is only known to take longer than the first. */
    @Test
    void aBacklogIsLookedForInTheFirstOfSeveralLoads() {
        HandMade made = new HandMade("a", 1)
                .load("warmup-1", 10, seconds(60, 500))
                .pause("pause-1", 15)
                .load("warmup-2", 85, seconds(30, 900))
                .pause("pause-2", 5)
                .load("measure", 120, seconds(20, 1000));
        Service cycles = new Service(made).until(70, 85, 140).starved();

        assertThat(cleared(cycles)).hasValue(Double.POSITIVE_INFINITY);
        assertThat(RunFigures.horizon(Metric.C2_CLEARED, run(cycles))).isEqualTo(60);
        assertThat(RunFigures.horizon(Metric.T90, run(cycles))).isEqualTo(90);
    }

    private static RunResult run(Service service) {
        service.evidence();
        return HandMade.assess(service.made).variants().getFirst().runs().getFirst();
    }

    private static OptionalDouble cleared(Service service) {
        return RunFigures.of(Metric.C2_CLEARED, run(service));
    }

    @Test
    void starvedIsToldFromServed() {
        assertThat(after(5, 0.03, 0.97).starved()).isTrue();
        assertThat(after(4, 0.03, 0.97).starved()).isFalse();
        assertThat(after(5, 0.5, 0.5).starved()).isFalse();
        Forecaster recovered = after(20, 0.03, 0.97);
        for (int i = 0; i < 10; i++) {
            recovered.second(0.5, 0.1);
        }
        assertThat(recovered.starved()).isFalse();
    }

    @Test
    void aRecordedRunIsForecastEveryTenSeconds() {
        List<Forecast> forecasts = RunDigest.of(Service.healthy().starved().evidence(), AnalysisConfig.defaults())
                .diagnosis()
                .forecasts();

        assertThat(forecasts).extracting(Forecast::atSecond).containsExactly(10.0, 20.0, 30.0, 40.0, 50.0, 60.0);
        assertThat(forecasts).extracting(Forecast::low).isSorted();
        assertThat(RunDigest.of(Service.healthy().evidence(), AnalysisConfig.defaults())
                        .diagnosis()
                        .forecasts())
                .isEmpty();
    }

    @Test
    void wordsNameWhatIsForecastAndClaimNoMoreDigitsThanAreKnown() {
        Forecast forecast = new Forecast(30, 0.034, 148.9, 333.4, 1250);

        assertThat(forecast.words()).isEqualTo("C2 not done before 140 s (by second 30 it got 3.4 % of a CPU)");
        assertThat(new Forecast(30, 0.034, 85.9, 333.4, 1250).brief()).isEqualTo("C2 not done before 85 s");
        assertThat(new Forecast(105, 0.034, 108, 333.4, 1250).brief())
                .as("not a time that is over")
                .isEqualTo("C2 not done before 105 s");
    }
}
