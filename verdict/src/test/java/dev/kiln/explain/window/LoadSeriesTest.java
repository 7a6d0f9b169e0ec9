package dev.kiln.explain.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.load.LoadBin;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

final class LoadSeriesTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<LoadBin> load = new ArrayList<>();

    @Test
    void aRoundThatClimbsOrDeclinesWithinItselfIsNoLevel() {
        phase("warmup", 60, second -> 500 + 8 * second);
        phase(FoundReference.load(1), 15, second -> 1000 + noise(second));
        assertThat(change()).isZero();
        phase(FoundReference.load(2), 15, second -> 1000 + 20 * second + noise(second));
        assertThat(change()).isOne();
        phase(FoundReference.load(3), 15, second -> 1300 + noise(second));
        assertThat(change()).as("the last round counts").isZero();
        phase(FoundReference.load(4), 15, second -> 1300 - 20 * second + noise(second));
        assertThat(change()).isEqualTo(-1);
    }

    /** Of engines that tell no more than the sum of a load. */
    @Test
    void aSumShowsNoChange() {
        load.add(new LoadBin("warmup", 0, 60 * SECOND, 60_000, 60_000, LoadBin.Errors.NONE, 0, 0));
        load.add(new LoadBin(
                FoundReference.load(1), 70 * SECOND, 85 * SECOND, 15_000, 15_000, LoadBin.Errors.NONE, 0, 0));
        assertThat(change()).isZero();
    }

    private int change() {
        return LoadSeries.lastRoundChange(load, AnalysisConfig.defaults());
    }

    private void phase(String name, int seconds, IntUnaryOperator completed) {
        long start = load.isEmpty() ? 0 : load.getLast().endNanos() + 5 * SECOND;
        for (int i = 0; i < seconds; i++) {
            int requests = completed.applyAsInt(i);
            load.add(new LoadBin(
                    name, start + i * SECOND, start + (i + 1) * SECOND, requests, requests, LoadBin.Errors.NONE, 0, 0));
        }
    }

    private static int noise(int second) {
        return 10 * (second * 7 % 5 - 2);
    }
}
