package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LevelShiftsTest {
    private static double[] noise(Random random, int runs, double sd) {
        double[] series = new double[runs];
        for (int i = 0; i < runs; i++) {
            series[i] = 1000 * Math.exp(sd * random.nextGaussian());
        }
        return series;
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 12, 18, 60})
    void raisesFewFalseAlarms(int runs) {
        Random random = new Random(1);
        int alarms = 0;
        for (int i = 0; i < 1000; i++) {
            alarms += LevelShifts.of(noise(random, runs, 0.03)).shifts().isEmpty() ? 0 : 1;
        }
        assertThat(alarms).isLessThan(35);
    }

    @Test
    void findsAFifthAtSixRunsASide() {
        Random random = new Random(2);
        for (int i = 0; i < 100; i++) {
            double[] series = noise(random, 12, 0.03);
            for (int k = 6; k < 12; k++) {
                series[k] *= 0.8;
            }
            assertThat(LevelShifts.of(series).shifts()).anySatisfy(shift -> {
                assertThat(shift.index()).isBetween(5, 7);
                assertThat(shift.after() / shift.before()).isCloseTo(0.8, within(0.1));
            });
        }
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
            assertThat(shift.lo()).as("equal runs leave an interval too").isBetween(1.06, 1.099);
            assertThat(shift.hi()).isBetween(1.101, 1.14);
            assertThat(shift.p()).isLessThan(1e-3);
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
    void fiveRunsAreTooFew() {
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
