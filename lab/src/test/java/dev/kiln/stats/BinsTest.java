package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BinsTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    @Test
    void slicesBecomeSecondsAndThePartialLastIsDropped() {
        double[] slices = new double[25];
        Arrays.setAll(slices, i -> i);
        assertThat(Bins.seconds(slices)).containsExactly(45, 145);
        assertThat(Bins.seconds(new double[9])).isEmpty();
        assertThat(Bins.rates(new double[] {1, 2, 3, 4, 5}, 0.25, 2)).containsExactly(6, 14);
        assertThatIllegalArgumentException().isThrownBy(() -> Bins.rates(new double[] {-1}, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> Bins.rates(new double[] {1}, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> Bins.rates(new double[] {1}, 1, 0));
    }

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
                .containsExactly(new Warning(Warning.Code.INVALID_BINS, "3 % of the bins are invalid, more than 2 %"));
    }

    @Test
    void aRunIsInvalidByABinCloseToAReportedTime() {
        Bins.Validity v = validity(100, List.of(50), List.of());
        assertThat(v.reasons(List.of(44.9, 56.1), CONFIG)).isEmpty();
        assertThat(v.reasons(List.of(45.0), CONFIG))
                .extracting(Warning::text)
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

    @Test
    void theBacklogIsDrainedOnceItStaysSo() {
        double[] backlog = new double[60];
        Arrays.fill(backlog, 0, 20, 500);
        Arrays.fill(backlog, 20, 60, 8);
        backlog[40] = 900;
        OpenLoop.Drained d = OpenLoop.of(backlog, 10, CONFIG);
        assertThat(d.seconds()).hasValue(20);
        assertThat(d.lastAbove()).hasValue(19);
        assertThat(d.censored()).isFalse();
        assertThat(d.threshold()).isEqualTo(10);
        Arrays.fill(backlog, 45, 50, 11);
        assertThat(OpenLoop.of(backlog, 10, CONFIG).seconds()).hasValue(50);
        Arrays.fill(backlog, 46, 51, 11);
        assertThat(OpenLoop.of(backlog, 10, CONFIG).seconds()).isEmpty();
        assertThat(OpenLoop.of(backlog, 10, CONFIG).censored()).isTrue();
        assertThat(OpenLoop.of(backlog, 11, CONFIG).seconds()).hasValue(20);
        OpenLoop.Drained never = OpenLoop.of(new double[30], 0, CONFIG);
        assertThat(never.seconds()).hasValue(0);
        assertThat(never.lastAbove()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> OpenLoop.of(backlog, -1, CONFIG));
        assertThatIllegalArgumentException().isThrownBy(() -> OpenLoop.of(new double[] {-1}, 1, CONFIG));
    }

    @Test
    void theBacklogsOwnThresholdComesFromItsTail() {
        double[] backlog = new double[60];
        Arrays.fill(backlog, 0, 20, 500);
        for (int i = 20; i < 60; i++) {
            backlog[i] = 10 + i % 2;
        }
        assertThat(OpenLoop.ownThreshold(backlog, CONFIG)).isEqualTo(10.5 + 3);
        Arrays.fill(backlog, 20, 60, 10);
        assertThat(OpenLoop.ownThreshold(backlog, CONFIG)).isEqualTo(11);
        assertThat(OpenLoop.climbing(backlog, CONFIG)).isFalse();
        double[] growing = new double[60];
        Arrays.setAll(growing, i -> 10.0 * i);
        assertThat(OpenLoop.climbing(growing, CONFIG)).isTrue();
        assertThat(OpenLoop.climbing(new double[10], CONFIG)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> OpenLoop.climbing(new double[9], CONFIG));
        assertThatIllegalArgumentException().isThrownBy(() -> OpenLoop.climbing(new double[] {-1}, CONFIG));
    }
}
