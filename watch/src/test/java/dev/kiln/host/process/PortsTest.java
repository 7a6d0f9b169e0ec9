package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {
    /** A soak or a long series of runs takes more ports than there are. */
    @Test
    void portsDoNotRunOutAndTheLastOnesAreNotGivenAgain() {
        Set<Integer> last = new HashSet<>();
        for (int i = 0; i < 2500; i++) {
            int port = Ports.free();
            assertThat(port).isBetween(8100, 9899);
            if (i >= 2000) {
                assertThat(last.add(port)).isTrue();
            }
        }
    }
}
