package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kiln.stats.series.Fall;
import dev.kiln.stats.series.Fall.Because;
import dev.kiln.stats.series.Fall.Seconds;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On one CPU; noise of throughput is AR(1) of 0.6, and comes from the CPU's share and from requests alike. */
class FallTest {
    /** Seconds of a target that serves so much per CPU second and gets so much CPU, which is idle for so much. */
    private static Seconds level(Random random, int seconds, double yield, double used, double idle, double noise) {
        double[] requests = new double[seconds];
        double[] cpu = new double[seconds];
        double[] rest = new double[seconds];
        double slow = 0;
        double share = 0;
        for (int i = 0; i < seconds; i++) {
            slow = 0.6 * slow + 0.8 * noise * random.nextGaussian();
            share = 0.6 * share + 0.8 * noise * random.nextGaussian();
            cpu[i] = Math.max(0, used * (1 + share));
            requests[i] = Math.max(0, cpu[i] * yield * (1 + slow));
            rest[i] = Math.max(0, idle + 0.01 * random.nextGaussian());
        }
        return new Seconds(requests, cpu, rest);
    }

    private static Seconds unrecorded(Seconds seconds) {
        double[] idle = new double[seconds.idle().length];
        Arrays.fill(idle, Double.NaN);
        return new Seconds(seconds.requests(), seconds.used(), idle);
    }

    @ParameterizedTest
    @CsvSource({
        // yield, used, idle after 1000, 0.95, 0.03 before
        "1000, 0.70, 0.03, MACHINE",
        "1000, 0.85, 0.03, MACHINE",
        "1050, 0.70, 0.03, MACHINE",
        "700, 0.95, 0.03, COSTLIER_REQUESTS",
        "850, 0.95, 0.03, COSTLIER_REQUESTS",
        "700, 0.90, 0.08, COSTLIER_REQUESTS",
        "1000, 0.60, 0.38, WAITED",
        "800, 0.76, 0.03, CANNOT_TELL",
    })
    void aFallIsTheMachinesOrTheServices(double yield, double used, double idle, Because because) {
        int told = 0;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Seconds before = level(random, 30, 1000, 0.95, 0.03, 0.02);
            Optional<Fall> fall = Fall.between(before, level(random, 30, yield, used, idle, 0.02), 1);
            told += fall.filter(f -> f.because() == because).isPresent() ? 1 : 0;
            Because wrong = because == Because.MACHINE ? Because.COSTLIER_REQUESTS : Because.MACHINE;
            assertThat(fall.map(Fall::because)).isNotEqualTo(Optional.of(wrong));
        }
        assertThat(told).isGreaterThan(180);
    }

    @Test
    void theLossIsInsideItsInterval() {
        int inside = 0;
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            Fall fall = Fall.between(level(random, 30, 1000, 0.95, 0, 0.02), level(random, 30, 1000, 0.76, 0, 0.02), 1)
                    .orElseThrow();
            inside += fall.lostLo() <= 0.2 && 0.2 <= fall.lostHi() ? 1 : 0;
        }
        assertThat(inside / 400.0).isBetween(0.92, 0.995);
    }

    @Test
    void aLevelDidNotFall() {
        int fell = 0;
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            fell += Fall.between(level(random, 30, 1000, 0.95, 0, 0.05), level(random, 30, 1000, 0.95, 0, 0.05), 1)
                            .isPresent()
                    ? 1
                    : 0;
        }
        assertThat(fell).isLessThan(400 * 5 / 100);
    }

    @Test
    void withoutIdleTimeAWaitIsNotToldFromTheMachine() {
        Random random = new Random(1);
        Seconds before = level(random, 30, 1000, 0.95, 0.03, 0.02);
        Seconds machine = level(random, 30, 1000, 0.6, 0.03, 0.02);
        Seconds service = level(random, 30, 600, 0.95, 0.03, 0.02);

        assertThat(Fall.between(unrecorded(before), unrecorded(machine), 1))
                .hasValueSatisfying(fall -> assertThat(fall.because()).isEqualTo(Because.CANNOT_TELL));
        assertThat(Fall.between(unrecorded(before), unrecorded(service), 1))
                .hasValueSatisfying(fall -> assertThat(fall.because()).isEqualTo(Because.COSTLIER_REQUESTS));
    }

    @Test
    void aTargetThatGetsNoCpuAtAllIsTheMachines() {
        Random random = new Random(1);
        Seconds before = level(random, 30, 1000, 0.95, 0.03, 0.02);
        assertThat(Fall.between(before, level(random, 9, 1000, 0, 0.03, 0), 1)).hasValueSatisfying(fall -> {
            assertThat(fall.because()).isEqualTo(Because.MACHINE);
            assertThat(fall.lost()).isEqualTo(1);
        });
    }

    @Test
    void tooLittleDecidesNothing() {
        Seconds five = level(new Random(1), 5, 1000, 0.95, 0, 0);
        Seconds none = level(new Random(1), 30, 1000, 0, 0, 0);
        assertThat(Fall.between(five, none, 1)).isEmpty();
        assertThat(Fall.between(none, five, 1)).isEmpty();
        assertThat(Fall.between(five, level(new Random(2), 5, 500, 0.95, 0, 0), 2))
                .isPresent();
        assertThatIllegalArgumentException().isThrownBy(() -> new Seconds(new double[2], new double[2], new double[1]));
    }
}
