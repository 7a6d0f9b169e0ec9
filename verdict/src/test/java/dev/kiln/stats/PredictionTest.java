package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.stats.Student.Prediction;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PredictionTest {
    /** Two values give Cauchy's distribution, whose quantiles are tangents. */
    @Test
    void ofTwoValuesLittleIsKnown() {
        Prediction two = Prediction.of(7.6, 10);
        double median = Math.sqrt(7.6 * 10);
        double scale = Math.log(10 / 7.6) / Math.sqrt(2) * Math.sqrt(1.5);

        assertThat(two.quantileAbove(1e-300, 0.5)).isCloseTo(median, within(0.05));
        assertThat(two.quantileAbove(median, 0.5)).isCloseTo(median * Math.exp(scale), within(1e-9));
        assertThat(two.quantileAbove(median, 0.05))
                .isCloseTo(median * Math.exp(scale * Math.tan(Math.PI * 0.025)), within(1e-9));
        assertThat(two.quantileAbove(50, 0.05)).isGreaterThan(50);
    }

    @Test
    void holdsTheNextValueAsOftenAsItSays() {
        Random random = new Random(1);
        int below = 0;
        for (int i = 0; i < 4000; i++) {
            double[] seen = random.doubles(4, 0, 1)
                    .map(u -> Math.exp(2 + 0.5 * random.nextGaussian()))
                    .toArray();
            double next = Math.exp(2 + 0.5 * random.nextGaussian());
            below += next < Prediction.of(seen).quantileAbove(1e-300, 0.05) ? 1 : 0;
        }
        assertThat(below / 4000.0).isCloseTo(0.05, within(0.015));
    }

    @Test
    void oneValuePredictsNothing() {
        assertThatThrownBy(() -> Prediction.of(7)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Prediction.of(7, 7)).hasMessageContaining("do not differ");
        assertThatThrownBy(() -> Prediction.of(7, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
