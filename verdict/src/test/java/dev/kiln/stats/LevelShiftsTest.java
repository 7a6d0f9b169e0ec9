package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LevelShiftsTest {
    /** Nights whose neighbours are alike. */
    private static double[] nights(Random random, int count, double sd, double correlation) {
        double[] series = new double[count];
        double state = random.nextGaussian();
        for (int i = 0; i < count; i++) {
            series[i] = 1000 * Math.exp(sd * state);
            state = correlation * state + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
        }
        return series;
    }

    /** Looked at after each of a hundred nights, at most five of a hundred services that did not change may seem to. */
    @ParameterizedTest
    @CsvSource({"0, 0.02", "0.3, 0.02", "0.5, 0.02", "0.5, 0.1"})
    void raisesFewFalseAlarmsThoughLookedAtEachNight(double correlation, double sd) {
        Random random = new Random(1);
        int alarms = 0;
        for (int i = 0; i < 400; i++) {
            alarms +=
                    LevelShifts.of(nights(random, 100, sd, correlation)).told().isEmpty() ? 0 : 1;
        }
        assertThat(alarms / 400.0).isLessThanOrEqualTo(0.05);
    }

    /** With nights that differ by 2 %, after forty of them. */
    @ParameterizedTest
    @CsvSource({"0, 0.05, 10", "0, 0.1, 3", "0.5, 0.05, 16", "0.5, 0.1, 4"})
    void findsAChangeWithinNights(double correlation, double change, int most) {
        Random random = new Random(2);
        int[] delays = new int[100];
        for (int i = 0; i < delays.length; i++) {
            double[] series = nights(random, 100, 0.02, correlation);
            for (int k = 40; k < series.length; k++) {
                series[k] *= 1 - change;
            }
            delays[i] = LevelShifts.of(series).told().stream()
                    .filter(told -> told.since() >= 40
                            && told.shift().after() < told.shift().before())
                    .mapToInt(told -> told.since() - 39)
                    .findFirst()
                    .orElse(Integer.MAX_VALUE);
        }
        Arrays.sort(delays);
        assertThat(delays[delays.length / 2]).isLessThanOrEqualTo(most);
    }

    @Test
    void oneOddRunIsNoChange() {
        double[] series = {100, 101, 99, 100, 50, 100, 101, 99, 100, 101};

        assertThat(LevelShifts.of(series).shifts()).isEmpty();
    }

    @Test
    void aSeriesThatStandsStillHasNone() {
        assertThat(LevelShifts.of(new double[] {7, 7, 7, 7, 7, 7}).shifts()).isEmpty();
        assertThat(LevelShifts.of(new double[] {0, 0, 0, 0, 0, 0}).shifts()).isEmpty();
    }

    @Test
    void aStepOfAnExactSeriesIsFoundExactly() {
        LevelShifts found = LevelShifts.of(new double[] {100, 100, 100, 110, 110, 110});

        assertThat(found.logarithmic()).isTrue();
        assertThat(found.shifts()).singleElement().satisfies(shift -> {
            assertThat(shift.index()).isEqualTo(3);
            assertThat(shift.before()).isCloseTo(100, within(1e-9));
            assertThat(shift.after()).isCloseTo(110, within(1e-9));
            assertThat(shift.lo()).as("equal nights leave an interval too").isBetween(1.0, 1.099);
            assertThat(shift.hi()).isBetween(1.101, 1.2);
        });
    }

    /** 38 s and 39 s are neighbouring bins: no change can be told. */
    @Test
    void aTimeIsKnownToItsBin() {
        double[] oneBin = {38, 38, 38, 38, 39, 39, 39, 39};
        double[] threeBins = {38, 38, 38, 38, 41, 41, 41, 41};

        assertThat(LevelShifts.of(oneBin).shifts()).hasSize(1);
        assertThat(LevelShifts.of(oneBin, 1).shifts()).isEmpty();
        assertThat(LevelShifts.of(threeBins, 1).shifts())
                .singleElement()
                .satisfies(shift -> assertThat(shift.lo()).isGreaterThan(1));
    }

    @Test
    void whatMayBeNegativeIsTakenAsItIs() {
        LevelShifts found = LevelShifts.of(new double[] {-1, 0, -0.5, 0.2, 40, 41, 39, 40});

        assertThat(found.logarithmic()).isFalse();
        assertThat(found.shifts()).singleElement().satisfies(shift -> {
            assertThat(shift.index()).isEqualTo(4);
            assertThat(shift.after()).isEqualTo(40);
        });
    }

    @Test
    void fiveSessionsAreTooFew() {
        assertThatThrownBy(() -> LevelShifts.of(new double[5])).hasMessageContaining("at least 6");
    }

    @Test
    void columnsOfATable() {
        assertThat(Summary.ofNotNegative(new double[] {2, 8}))
                .returns(2, Summary::runs)
                .returns(4.0, Summary::geomean)
                .returns(3.0, Summary::populationSd);
        assertThat(Summary.ofNotNegative(new double[] {0, 8}).geomean()).isZero();
    }
}
