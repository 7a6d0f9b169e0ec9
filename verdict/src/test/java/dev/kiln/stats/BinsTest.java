package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kiln.stats.series.Bins;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BinsTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    private static Bins.Validity validity(int n, List<Integer> stalled, List<Integer> erroneous) {
        double[] completed = new double[n];
        double[] errors = new double[n];
        boolean[] stalls = new boolean[n];
        Arrays.fill(completed, 99);
        stalled.forEach(i -> stalls[i] = true);
        erroneous.forEach(i -> errors[i] = 2);
        return Bins.validity(completed, errors, stalls, CONFIG);
    }

    @Test
    void aBinIsInvalidByErrorsOrStalls() {
        Bins.Validity v = validity(200, List.of(7, 3), List.of(3, 5));
        assertThat(v.stalled()).containsExactly(3, 7);
        assertThat(v.erroneous()).containsExactly(3, 5);
        assertThat(v.invalid()).containsExactly(3, 5, 7);
        // One error in a hundred is still accepted.
        assertThat(Bins.validity(new double[] {99}, new double[] {1}, new boolean[1], CONFIG)
                        .invalid())
                .isEmpty();
        assertThat(Bins.validity(new double[] {0}, new double[] {0}, new boolean[1], CONFIG)
                        .invalid())
                .isEmpty();
    }

    @Test
    void aRunIsInvalidByTheShareOfItsBins() {
        assertThat(validity(100, List.of(50, 60), List.of()).reasons(List.of(), CONFIG))
                .isEmpty();
        assertThat(validity(100, List.of(50, 60), List.of(70)).reasons(List.of(), CONFIG))
                .containsExactly("3 % of the bins are invalid, more than 2 %");
    }

    @Test
    void aRunIsInvalidByABinCloseToAReportedTime() {
        Bins.Validity v = validity(100, List.of(50), List.of());
        assertThat(v.reasons(List.of(44.9, 56.1), CONFIG)).isEmpty();
        assertThat(v.reasons(List.of(45.0), CONFIG))
                .containsExactly("invalid bins [50] within 5 s of the reported time 45 s");
        assertThat(v.reasons(List.of(56.0, 50.5), CONFIG)).hasSize(2);
    }

    @Test
    void binsOfOneRunAreOfOneNumber() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bins.validity(new double[2], new double[1], new boolean[2], CONFIG));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bins.validity(new double[2], new double[2], new boolean[1], CONFIG));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bins.validity(new double[] {-1}, new double[1], new boolean[1], CONFIG));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bins.validity(new double[1], new double[] {-1}, new boolean[1], CONFIG));
    }

    @Test
    void figuresHaveNoTrailingZeros() {
        assertThat(Figures.number(5)).isEqualTo("5");
        assertThat(Figures.number(100)).isEqualTo("100");
        assertThat(Figures.number(0.25)).isEqualTo("0.25");
        assertThat(Figures.number(1.23456)).isEqualTo("1.235");
        assertThat(Figures.percent(0.0256)).isEqualTo("2.6 %");
    }
}
