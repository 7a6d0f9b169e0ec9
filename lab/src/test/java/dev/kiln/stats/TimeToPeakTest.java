package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TimeToPeakTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    private static double[] step(int n, int at) {
        double[] x = new double[n];
        Arrays.fill(x, at, n, 100);
        return x;
    }

    @Test
    void aSeriesTooShortForAClassHasATime() {
        TimeToPeak t = TimeToPeak.of(step(20, 8), 1, 100, 90, 0.01, CONFIG);
        assertThat(t).isEqualTo(new TimeToPeak(90, OptionalDouble.of(8), false, OptionalDouble.of(7), true));
    }

    @Test
    void theLevelMustHoldForTenBins() {
        assertThat(TimeToPeak.of(step(20, 10), 2, 100, 100, 0, CONFIG).seconds())
                .hasValue(20);
        TimeToPeak late = TimeToPeak.of(step(20, 11), 1, 100, 90, 0, CONFIG);
        assertThat(late.seconds()).isEmpty();
        assertThat(late.censored()).isTrue();
        assertThat(late.lastBelow()).hasValue(10);
    }

    @Test
    void aRelapseIsSeenInLastBelow() {
        double[] x = step(60, 5);
        Arrays.fill(x, 40, 44, 10);
        TimeToPeak t = TimeToPeak.of(x, 1, 100, 50, 0, CONFIG);
        assertThat(t.seconds()).hasValue(5);
        assertThat(t.lastBelow()).hasValue(43);
    }

    @Test
    void outliersOfTwoBinsAreSmoothedAway() {
        double[] x = step(30, 0);
        x[12] = 0;
        x[13] = 0;
        assertThat(TimeToPeak.of(x, 1, 100, 90, 0, CONFIG).lastBelow()).isEmpty();
        x[14] = 0;
        assertThat(TimeToPeak.of(x, 1, 100, 90, 0, CONFIG).lastBelow()).hasValue(14);
    }

    @Test
    void noiseDecidesWhatIsResolvable() {
        assertThat(TimeToPeak.of(step(20, 0), 1, 100, 75, 0.125, CONFIG).resolvable())
                .isTrue();
        assertThat(TimeToPeak.of(step(20, 0), 1, 100, 75, 0.126, CONFIG).resolvable())
                .isFalse();
    }

    @Test
    void peaksAndBinsArePositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimeToPeak.of(step(20, 0), 1, 0, 75, 0, CONFIG))
                .withMessageContaining("peak");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimeToPeak.of(step(20, 0), 0, 1, 75, 0, CONFIG))
                .withMessageContaining("w must");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimeToPeak.of(new double[] {-1}, 1, 1, 75, 0, CONFIG))
                .withMessageContaining("bin 0");
    }

    @Test
    void theDeficitIsSigned() {
        Deficit d = Deficit.of(new double[] {50, 100, 120}, 2, 100);
        assertThat(d.requests()).isEqualTo(540);
        assertThat(d.deficitRequests()).isCloseTo(60, within(1e-9));
        assertThat(d.deficitSeconds()).isCloseTo(0.6, within(1e-9));
        assertThat(d.efficiency()).isCloseTo(0.9, within(1e-9));
        assertThat(Deficit.of(new double[] {200}, 1, 100).deficitRequests()).isEqualTo(-100);
        assertThat(Deficit.of(new double[0], 1, 100)).isEqualTo(new Deficit(0, 0, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> Deficit.of(new double[] {-1}, 1, 100));
        assertThatIllegalArgumentException().isThrownBy(() -> Deficit.of(new double[] {1}, 0, 100));
        assertThatIllegalArgumentException().isThrownBy(() -> Deficit.of(new double[] {1}, 1, 0));
    }

    @Test
    void theReferencePeakIsAGeometricMeanAndMayBeALowerBound() {
        double[] low = new double[30];
        double[] high = new double[30];
        double[] climbing = new double[30];
        for (int i = 0; i < 30; i++) {
            low[i] = 100 + i % 2;
            high[i] = 400 + i % 2;
            climbing[i] = 100 + 10 * i;
        }
        ReferencePeak steady = ReferencePeak.of(List.of(low, high));
        assertThat(steady.value()).isCloseTo(Math.sqrt(100.5 * 400.5), within(1e-9));
        assertThat(steady.lowerBound()).isFalse();
        assertThat(steady.runs()).isEqualTo(2);
        assertThat(steady.warnings()).isEmpty();
        ReferencePeak bound = ReferencePeak.of(List.of(low, climbing));
        assertThat(bound.lowerBound()).isTrue();
        assertThat(bound.warnings())
                .singleElement()
                .satisfies(w -> assertThat(w.text()).contains("[1]"));
        assertThat(ReferencePeak.of(List.of(new double[] {5, 5})).lowerBound()).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> ReferencePeak.of(List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReferencePeak.of(List.of(low, new double[20])))
                .withMessageContaining("phase 1 served nothing");
        assertThatIllegalArgumentException().isThrownBy(() -> ReferencePeak.of(List.of(new double[0])));
    }
}
