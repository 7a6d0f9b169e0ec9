package dev.kiln.load.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FarLinkTest {
    private static void hear(FarLink link, long sentAgo) {
        long now = System.nanoTime();
        assertThat(link.hears("time\t" + (now - sentAgo) + "\t" + now)).isTrue();
    }

    /** Who tells the time without an end fills no memory: the last answer, which would tell more, is not kept. */
    @Test
    void answersWithoutAnEndAreNotKept() {
        FarLink link = new FarLink(new FarPipe(Path.of("")));
        assertThat(link.measure(1, LoadKit.LONG, question -> {
                            for (int i = 0; i < 100_000; i++) {
                                hear(link, 1_000_000_000);
                            }
                            hear(link, 0);
                        })
                        .uncertaintyNanos())
                .isGreaterThan(400_000_000);
    }
}
