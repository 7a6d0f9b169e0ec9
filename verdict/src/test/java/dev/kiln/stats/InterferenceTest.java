package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class InterferenceTest {
    private static final int SECONDS = 30;

    /** Climbing by 0.5 % a second, with AR(1) noise of 3 %. */
    private static double[] climbing(Random random, double ar) {
        double[] throughput = new double[SECONDS];
        double noise = 0;
        for (int i = 0; i < SECONDS; i++) {
            noise = ar * noise + Math.sqrt(1 - ar * ar) * 0.03 * random.nextGaussian();
            throughput[i] = 1000 * (1 + 0.005 * i) * (1 + noise);
        }
        return throughput;
    }

    private static boolean[] from(int first, int count) {
        boolean[] taken = new boolean[SECONDS];
        for (int i = first; i < first + count; i++) {
            taken[i] = true;
        }
        return taken;
    }

    @Test
    void aFallIsFoundBesideAClimb() {
        double[] throughput = climbing(new Random(7), 0);
        boolean[] taken = from(20, 6);
        for (int i = 20; i < 26; i++) {
            throughput[i] *= 0.8;
        }
        Interference found = Interference.of(throughput, taken).orElseThrow();

        assertThat(found.marked()).isEqualTo(6);
        assertThat(found.unmarked()).isEqualTo(24);
        assertThat(found.fell()).isTrue();
        assertThat(found.difference()).isCloseTo(-0.21, Offset.offset(0.05));
        assertThat(found.lo()).isLessThan(found.difference());
        assertThat(found.hi()).isGreaterThan(found.difference());
    }

    /** Seconds that depend on their neighbours say less than their number: at most one in twenty is taken for a fall. */
    @Test
    void noiseIsSeldomTakenForAFall() {
        for (double ar : new double[] {0, 0.6}) {
            Random random = new Random(11);
            int fell = 0;
            for (int i = 0; i < 1000; i++) {
                fell += Interference.of(climbing(random, ar), from(18, 6))
                                .orElseThrow()
                                .fell()
                        ? 1
                        : 0;
            }
            assertThat(fell).as("of 1000, at a correlation of " + ar).isLessThan(50);
        }
    }

    @Test
    void tooFewSecondsOfOneKindTellNothing() {
        double[] throughput = climbing(new Random(3), 0);
        assertThat(Interference.of(throughput, from(5, 2))).isEmpty();
        assertThat(Interference.of(throughput, from(0, SECONDS - 2))).isEmpty();
        assertThat(Interference.of(throughput, from(5, 3))).isPresent();
        assertThat(Interference.of(new double[SECONDS], from(5, 3))).isEmpty();
    }
}
