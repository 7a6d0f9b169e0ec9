package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.explain.PastMetric;
import dev.kiln.explain.PastRun;
import dev.kiln.model.KilnException;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ResultReaderTest {
    private static List<PastRun> read(String json) {
        return ResultReader.read(
                json, "demo-1", "result.json", (variant, run) -> OptionalLong.of(1_000L * run), new TreeMap<>());
    }

    @Test
    void everyRunOfAResultIsReadBack() {
        List<PastRun> runs = read(ResultJson.render(Samples.platformAgainstVirtual(3)));

        assertThat(runs).hasSize(6);
        PastRun fed = runs.getLast();
        assertThat(fed.variant()).isEqualTo("virtual threads");
        assertThat(fed.epochMillis()).isEqualTo(3_000);
        assertThat(fed.protocol()).isEqualTo("60 s load, 15 s pause, 20 s load");
        assertThat(fed.figures().keySet())
                .contains(PastMetric.START, PastMetric.PEAK, PastMetric.T90, PastMetric.C2_WAIT, PastMetric.MAX_RSS);
        assertThat(runs.getFirst().figure(PastMetric.T90))
                .as("not reached within the warm-up")
                .isEmpty();
    }

    @Test
    void aRunWithNothingToSayHasNoFigureButItsCounts() {
        assertThat(read(ResultJson.render(Samples.nothingToSay())).getFirst().figures())
                .containsOnlyKeys(PastMetric.REQUESTS);
    }

    @Test
    void saysWhatCannotBeRead() {
        assertThatThrownBy(() -> read("{\"schemaVersion\": 2}"))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("result.json: found schemaVersion 2");
        assertThatThrownBy(() -> read("{")).isInstanceOf(KilnException.class);
    }
}
