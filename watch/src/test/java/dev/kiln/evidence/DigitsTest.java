package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DigitsTest {
    @Test
    void everyLengthAndSignIsWrittenAsJavaDoes() {
        for (long power = 1; power > 0 && power <= 1_000_000_000_000_000_000L; power *= 10) {
            for (long off = -1; off <= 1; off++) {
                same(power + off);
                same(-(power + off));
            }
            if (power == 1_000_000_000_000_000_000L) {
                break;
            }
        }
        same(Long.MAX_VALUE);
        same(Long.MIN_VALUE);
        new Random(3).longs(10_000).forEach(DigitsTest::same);
        new Random(4).ints(10_000).forEach(DigitsTest::same);
    }

    @Test
    void aNumberThatComesAgainIsTheSame() {
        Digits.Repeated repeated = new Digits.Repeated();
        StringBuilder expected = new StringBuilder();
        byte[] to = new byte[400];
        int end = 0;
        for (long value : new long[] {
            5, 12_000_000_000L, 12_000_000_000L, 7, 12_000_000_000L, 13_000_000_001L, -4, 13_000_000_001L
        }) {
            end = repeated.write(to, end, value);
            expected.append(value);
        }

        assertThat(new String(to, 0, end, StandardCharsets.US_ASCII)).isEqualTo(expected.toString());
    }

    private static void same(long value) {
        byte[] to = new byte[3 + Digits.MOST];
        int end = Digits.write(to, 3, value);

        assertThat(new String(to, 3, end - 3, StandardCharsets.US_ASCII)).isEqualTo(Long.toString(value));
    }
}
