package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObservedShareTest {
    /** The first three are of Newcombe (1998), table I, method 3. */
    @ParameterizedTest
    @CsvSource({"81, 263, 0.2553, 0.3662", "15, 148, 0.0624, 0.1605", "0, 20, 0.0000, 0.1611", "20, 20, 0.8389, 1.0000"
    })
    void theIntervalIsWilsons(int of, int samples, double least, double most) {
        ObservedShare share = new ObservedShare(of, samples);

        assertThat(share.least()).isCloseTo(least, within(5e-5));
        assertThat(share.most()).isCloseTo(most, within(5e-5));
    }

    @Test
    void noBoundLiesOutside() {
        for (int samples = 1; samples < 100; samples++) {
            assertThat(new ObservedShare(0, samples).least()).isNotNegative();
            assertThat(new ObservedShare(samples, samples).most()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void moreThanAllIsNoShare() {
        assertThatThrownBy(() -> new ObservedShare(3, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ObservedShare(0, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
