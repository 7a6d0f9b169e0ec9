package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.importer.format.Lines;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LinesTest {
    @Test
    void aByteIsFoundWhereALoopFindsIt() {
        Random random = new Random(5);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(40)];
            for (int i = 0; i < bytes.length; i++) {
                // Neighbours of a comma, which is 44, and bytes with the highest bit.
                int near = 44 + random.nextInt(-2, 3) + 128 * random.nextInt(2);
                bytes[i] = (byte) (random.nextInt(12) == 0 ? 44 : near);
            }
            int from = random.nextInt(bytes.length + 1);
            int to = from + random.nextInt(bytes.length - from + 1);
            int expected = from;
            while (expected < to && bytes[expected] != 44) {
                expected++;
            }

            assertThat(Lines.indexOf(bytes, from, to, (byte) 44)).isEqualTo(expected);
        }
    }
}
