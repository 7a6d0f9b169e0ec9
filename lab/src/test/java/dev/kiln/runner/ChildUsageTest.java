package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.runner.OneStart.ChildUsage;
import org.junit.jupiter.api.Test;

class ChildUsageTest {
    @Test
    void growsByWhatAChildHasUsed() throws Exception {
        long before = ChildUsage.cpuNanos().orElseThrow();
        Process busy = new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done").start();
        assertThat(busy.waitFor()).isZero();

        long used = ChildUsage.cpuNanos().orElseThrow() - before;
        assertThat(used).isBetween(10_000_000L, 20_000_000_000L);
    }
}
