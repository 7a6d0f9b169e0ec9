package dev.kiln.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static PastRun run(long time, boolean valid, String host, Map<PastMetric, Double> figures) {
        return new PastRun("e", "e-" + time, "v", 1, time, 1, valid, host, "p", figures, new TreeMap<>());
    }

    @Test
    void runsComeInTheOrderOfTheirLaunchWhateverOrderTheyWereFoundIn() {
        List<PastRun> runs = new ArrayList<>();
        for (long time : new long[] {5, 1, 4, 2, 6, 3}) {
            runs.add(run(time, true, "h", Map.of(PastMetric.PEAK, time < 4 ? 100.0 : 200.0)));
        }
        History history = History.of(runs, EnumSet.of(PastMetric.PEAK));

        assertThat(history.series()).singleElement().satisfies(series -> {
            assertThat(series.runs()).extracting(PastRun::epochMillis).isSorted();
            assertThat(series.shifts().orElseThrow().shifts()).singleElement().satisfies(shift -> {
                assertThat(shift.index()).isEqualTo(3);
                assertThat(series.better(shift)).isTrue();
            });
        });
    }

    @Test
    void invalidRunsAreCountedAndLeftOut() {
        History history = History.of(
                List.of(
                        run(1, true, "h", Map.of(PastMetric.PEAK, 1.0)),
                        run(2, false, "h", Map.of(PastMetric.PEAK, 1.0))),
                Set.of(PastMetric.PEAK));

        assertThat(history.series().getFirst().runs()).hasSize(1);
        assertThat(history.series().getFirst().shifts()).isEmpty();
        assertThat(history.notes()).containsExactly("e, v: 1 of 2 runs are invalid and left out");
    }

    @Test
    void runsOfDifferentHostsAreNamed() {
        History history = History.of(
                List.of(run(1, true, "one", Map.of()), run(2, true, "two", Map.of())), Set.of(PastMetric.T90));

        assertThat(history.series()).isEmpty();
        assertThat(history.notes())
                .containsExactly("e, v: the runs are of different hosts (one; two), so a change may be theirs");
    }
}
