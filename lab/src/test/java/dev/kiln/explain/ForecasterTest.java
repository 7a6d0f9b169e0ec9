package dev.kiln.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.model.Forecast;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ForecasterTest {
    private static Forecaster after(int seconds, double cpu, double wait, OptionalDouble before) {
        Forecaster forecaster = new Forecaster(before);
        for (int i = 0; i < seconds; i++) {
            forecaster.second(cpu, wait);
        }
        return forecaster;
    }

    @Test
    void demandOverShareFromWhatC2UsedBeforeTheFirstRequest() {
        Forecast forecast =
                after(10, 0.05, 0.95, OptionalDouble.of(4)).forecast().orElseThrow();

        // 3.1 times 4 s are 12.4 s in all, or 5 s at the least as in other services; 4.5 s are done.
        assertThat(forecast.atSecond()).isEqualTo(10);
        assertThat(forecast.c2Share()).isCloseTo(0.05, within(1e-12));
        assertThat(forecast.asItIs().low()).isCloseTo(10 + (5 - 4.5) / 0.05, within(1e-9));
        assertThat(forecast.asItIs().middle()).isCloseTo(10 + (12.4 - 4.5) / 0.05, within(1e-9));
        assertThat(forecast.asItIs().high()).isCloseTo(10 + (20 - 4.5) / 0.05, within(1e-9));
        assertThat(forecast.favoured().low()).isCloseTo(1, within(1e-9));
        assertThat(forecast.favoured().middle()).isCloseTo(8.4 / 0.4, within(1e-9));
        assertThat(forecast.favoured().high()).isCloseTo(16 / 0.25, within(1e-9));
    }

    @Test
    void withoutABeginningWhatOtherServicesNeededStandsIn() {
        Forecast forecast =
                after(10, 0.03, 0.97, OptionalDouble.empty()).forecast().orElseThrow();

        assertThat(forecast.asItIs().low()).isCloseTo(10 + 4.7 / 0.03, within(1e-9));
        assertThat(forecast.asItIs().middle()).isCloseTo(10 + 8.4 / 0.03, within(1e-9));
        assertThat(forecast.asItIs().high()).isCloseTo(10 + 19.7 / 0.03, within(1e-9));
        assertThat(after(10, 0.03, 0.97, OptionalDouble.of(0.49))
                        .forecast()
                        .orElseThrow()
                        .asItIs()
                        .middle())
                .as("too little to tell")
                .isCloseTo(10 + (8.7 - 0.49 - 0.3) / 0.03, within(1e-9));
    }

    /** With an AOT cache C2 has used 1 s at the first request, and needs as much as without one. */
    @Test
    void aShortBeginningIsNoSignOfLittleToDo() {
        Forecaster cached = after(20, 0.4, 0.5, OptionalDouble.of(1));
        cached.backlog(10, 0.01);
        Forecast forecast = cached.forecast().orElseThrow();

        assertThat(forecast.asItIs().low()).isCloseTo(20 + 0.1 / 0.4, within(1e-9));
        assertThat(forecast.asItIs().high()).isCloseTo(20 + (20 - 9) / 0.4, within(1e-9));
    }

    @Test
    void aShareThatVariedWidensTheInterval() {
        Forecaster forecaster = after(5, 0.1, 0.9, OptionalDouble.of(4));
        for (int i = 0; i < 5; i++) {
            forecaster.second(0.02, 0.98);
        }
        Forecast forecast = forecaster.forecast().orElseThrow();

        assertThat(forecast.c2Share()).isCloseTo(0.06, within(1e-9));
        assertThat(forecast.asItIs().low()).isCloseTo(10 + (5 - 4.6) / 0.1, within(1e-9));
        assertThat(forecast.asItIs().middle()).isCloseTo(10 + (12.4 - 4.6) / 0.06, within(1e-9));
        assertThat(forecast.asItIs().high()).isCloseTo(10 + (20 - 4.6) / 0.02, within(1e-9));
    }

    @Test
    void aStandstillHasNoUpperEnd() {
        Forecaster forecaster = after(5, 0.1, 0.9, OptionalDouble.of(4));
        for (int i = 0; i < 5; i++) {
            forecaster.second(0, 1);
        }

        assertThat(forecaster.forecast().orElseThrow().asItIs().high()).isInfinite();
        assertThat(ForecastWords.last(List.of(forecaster.forecast().orElseThrow()))
                        .orElseThrow())
                .contains("(15 s at the least)");
    }

    @Test
    void theQueueIsTheLeastThatIsLeft() {
        Forecaster forecaster = after(10, 0.05, 0.95, OptionalDouble.of(4));
        forecaster.backlog(2000, 0.01);
        Forecast forecast = forecaster.forecast().orElseThrow();

        assertThat(forecast.asItIs().low()).isCloseTo(10 + 20 / 0.05, within(1e-9));
        assertThat(forecast.asItIs().middle()).isCloseTo(10 + 20 / 0.05, within(1e-9));
        assertThat(forecast.asItIs().high()).isCloseTo(10 + 40 / 0.05, within(1e-9));
    }

    @Test
    void ofALiveProcessWhatRemainsWithEachRemedyIsTold() {
        Forecaster forecaster = Forecaster.midway(2);
        for (int i = 0; i < 10; i++) {
            forecaster.second(i < 5 ? 0.05 : 0.03, 0.95);
        }
        Forecaster.Remaining left = forecaster.remaining().orElseThrow();

        // Two services needed 8.7 s (5 to 20) in all; 2.4 s are done.
        assertThat(left.c2Share()).isCloseTo(0.04, within(1e-9));
        assertThat(left.asItIs().low()).isCloseTo(2.6 / 0.05, within(1e-9));
        assertThat(left.asItIs().middle()).isCloseTo(6.3 / 0.04, within(1e-9));
        assertThat(left.asItIs().high()).isCloseTo(17.6 / 0.03, within(1e-9));
        assertThat(left.favoured().low()).isCloseTo(2.6, within(1e-9));
        assertThat(left.favoured().middle()).isCloseTo(6.3 / 0.4, within(1e-9));
        assertThat(left.favoured().high()).isCloseTo(17.6 / 0.25, within(1e-9));
        assertThat(left.foreground().low()).isEqualTo(left.favoured().low());
        assertThat(left.foreground().middle()).isCloseTo(6.3 / 0.04 / 3.8, within(1e-9));
        assertThat(left.foreground().high()).isEqualTo(left.asItIs().high());
    }

    @Test
    void noRemedyIsSlowerThanNone() {
        Forecaster busy = Forecaster.midway(2);
        for (int i = 0; i < 5; i++) {
            busy.second(0.6, 0.1);
        }
        Forecaster.Remaining left = busy.remaining().orElseThrow();
        assertThat(left.foreground().middle()).isEqualTo(left.asItIs().middle());
        Forecaster quiet = Forecaster.midway(2);
        quiet.second(0.05, 0.95);
        assertThat(quiet.remaining()).as("too early").isEmpty();
    }

    @Test
    void aQuietC2HasNoForecastAndNeitherHasOneThatExceededAll() {
        assertThat(after(10, 0.01, 0.28, OptionalDouble.of(4)).forecast()).isEmpty();
        assertThat(after(4, 0.05, 0.95, OptionalDouble.of(4)).forecast())
                .as("too early")
                .isEmpty();
        assertThat(after(10, 0, 1, OptionalDouble.of(4)).forecast())
                .as("no share")
                .isEmpty();
        assertThat(after(60, 0.9, 0.1, OptionalDouble.of(4)).forecast())
                .as("54 s used of 12")
                .isEmpty();
        assertThat(after(5, 0.15, 0.15, OptionalDouble.of(4)).forecast()).isPresent();
    }

    @Test
    void starvedIsToldFromServed() {
        assertThat(after(5, 0.03, 0.97, OptionalDouble.empty()).starved()).isTrue();
        assertThat(after(4, 0.03, 0.97, OptionalDouble.empty()).starved()).isFalse();
        assertThat(after(5, 0.5, 0.5, OptionalDouble.empty()).starved()).isFalse();
        Forecaster recovered = after(20, 0.03, 0.97, OptionalDouble.empty());
        for (int i = 0; i < 10; i++) {
            recovered.second(0.5, 0.1);
        }
        assertThat(recovered.starved()).isFalse();
    }

    @Test
    void aRecordedRunIsForecastEveryTenSeconds() {
        Service service = Service.healthy().starved();
        List<Forecast> forecasts =
                RunDigest.of(service.evidence(), AnalysisConfig.defaults()).forecasts();

        assertThat(forecasts).extracting(Forecast::atSecond).containsExactly(10.0, 20.0, 30.0, 40.0, 50.0, 60.0);
        // Before the first request C2 used 3 s; 2 methods wait, and 800 took what C2 used.
        assertThat(forecasts.getFirst().asItIs().middle()).isCloseTo(10 + (9.3 - 3.3) / 0.03, within(1e-6));
        assertThat(RunDigest.of(Service.healthy().evidence(), AnalysisConfig.defaults())
                        .forecasts())
                .isEmpty();
    }

    @Test
    void wordsClaimNoMoreDigitsThanAreKnown() {
        Forecast forecast = new Forecast(
                10, 0.03, new Forecast.Interval(104.6, 333.4, 1250), new Forecast.Interval(9.6, 25.2, 63.9));

        assertThat(ForecastWords.of(forecast))
                .isEqualTo(
                        "at the share that C2 had by second 10 (3.0 % of a CPU) it needs about 330 s (100 to 1300 s); with"
                                + " the compilers favoured about 25 s (10 to 64 s); counted from the first request");
        assertThat(ForecastWords.brief(forecast)).isEqualTo("peak at ~330 s");
    }
}
