package dev.kiln.stats.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegularDipsTest {
    /** A level with more in each tenth bin, as a clock with short ticks shows it, and a little noise. */
    private static double[] spiked(double level) {
        double[] load = new double[100];
        Arrays.setAll(load, i -> level + i % 3 + (i % 10 == 9 ? level / 2 : 0));
        return load;
    }

    private static double mean(double[] load) {
        return Arrays.stream(load).average().orElseThrow();
    }

    @Test
    void whatComesRegularlyOnTopIsSpread() {
        double[] load = spiked(100);
        RegularDips dips = RegularDips.of(List.of(load)).orMore(List.of(load));
        assertThat(dips.periodBins()).isCloseTo(10, within(0.5));
        double[] spread = dips.spread(load);
        assertThat(Arrays.stream(spread).max().orElseThrow()).isLessThan(120);
        assertThat(mean(spread)).isCloseTo(mean(load), within(1.0));
    }

    /** The higher one lies where the mirror has no image of it. */
    @ParameterizedTest
    @ValueSource(doubles = {195, 390})
    void aMuchHigherLoadBeforeKeepsItsMean(double level) {
        double[] before = spiked(level);
        double[] after = spiked(100);
        RegularDips dips = RegularDips.of(List.of(before, after)).orMore(List.of(before, after));
        assertThat(mean(dips.spread(before))).isCloseTo(mean(before), within(1.0));
        assertThat(mean(dips.spread(after))).isCloseTo(mean(after), within(1.0));
    }
}
