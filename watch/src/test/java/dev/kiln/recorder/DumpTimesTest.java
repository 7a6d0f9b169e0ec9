package dev.kiln.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.recorder.Recording.DumpTimes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DumpTimesTest {
    private static final long BEGIN = -3_000_000_000L;

    @ParameterizedTest
    @CsvSource({
        "60, true, '500 2000 6000 55500 56500 57500 58500 59500'",
        "20, false, '15500 16500 17500 18500 19500'",
        // The end is worth more than the beginning.
        "6, true, '500 1500 2500 3500 4500 5500'",
        "2, true, '500 1500'",
        "0, true, ''"
    })
    void aLoadIsLookedAtNearItsEndAndAColdOneAtItsBeginningToo(long seconds, boolean cold, String millis) {
        Phase.Load load = new Phase.Load("load", Duration.ofSeconds(seconds));
        assertThat(millis(DumpTimes.of(BEGIN, load, cold))).isEqualTo(millis);
        assertThat(DumpTimes.of(BEGIN, load, cold).endNanos()).isEqualTo(BEGIN + seconds * 1_000_000_000L);
    }

    @Test
    void aLoadThatMayEndEarlyIsLookedAtMeanwhile() {
        Phase.Load load = new Phase.Load(
                "load",
                Duration.ofSeconds(90),
                Optional.of(Duration.ofSeconds(60)),
                Optional.empty(),
                Optional.empty());
        assertThat(millis(DumpTimes.of(BEGIN, load, false)))
                .isEqualTo("59500 69500 79500 85500 86500 87500 88500 89500");
    }

    @Test
    void aStretchIsDividedEvenly() {
        assertThat(millis(DumpTimes.within(BEGIN, Duration.ofSeconds(10), 3))).isEqualTo("2500 5000 7500");
        assertThat(new DumpTimes(List.of(1L), 5).plus(-7)).isEqualTo(new DumpTimes(List.of(-6L), -2));
    }

    private static String millis(DumpTimes times) {
        return String.join(
                " ",
                times.nanos().stream()
                        .map(at -> String.valueOf((at - BEGIN) / 1_000_000))
                        .toList());
    }
}
