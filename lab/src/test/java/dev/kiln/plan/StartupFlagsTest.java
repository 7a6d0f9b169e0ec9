package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.experiment.StartupSpec;
import dev.kiln.model.experiment.StartupSpec.PlannedStart;
import dev.kiln.model.experiment.Target.Readiness;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StartupFlagsTest {
    private static StartupFlags flags(String a, String b, Optional<String> ready, Optional<String> log) {
        return new StartupFlags(
                Path.of("").toAbsolutePath(),
                new StartupFlags.Commands(List.of(a, b), List.of()),
                new StartupFlags.End(ready, log, Optional.empty(), Optional.empty()),
                new StartupFlags.Pairs(Optional.empty(), Optional.empty(), Optional.empty()),
                new StartupFlags.Conditions(Optional.of("0"), false, false));
    }

    @Test
    void splitsCommandsAsAShellWouldAndRunsElevenPairsToTheEnd() {
        StartupSpec spec = flags("java -cp x 'a b'", "true", Optional.empty(), Optional.empty())
                .toSpec();

        assertThat(spec.sides().getFirst().command()).endsWith("a b").hasSize(4);
        assertThat(spec.sides()).extracting(StartupSpec.Side::name).containsExactly("A", "B");
        assertThat(spec.end().readiness()).isEmpty();
        assertThat(spec.pairs().starts()).hasSize(22).startsWith(new PlannedStart(1, 0), new PlannedStart(1, 1));
        assertThat(spec.cpus().target()).containsExactly(0);
    }

    @Test
    void aSeedDrawsWhichOfAPairIsFirst() {
        List<PlannedStart> order = StartupFlags.order(40, OptionalLong.of(7));

        assertThat(order).isEqualTo(StartupFlags.order(40, OptionalLong.of(7)));
        for (int pair = 1; pair <= 40; pair++) {
            assertThat(order.subList(2 * pair - 2, 2 * pair))
                    .containsExactlyInAnyOrder(new PlannedStart(pair, 0), new PlannedStart(pair, 1));
        }
        long aFirst = order.stream()
                .filter(start -> order.indexOf(start) % 2 == 0 && start.side() == 0)
                .count();
        assertThat(aFirst).isBetween(10L, 30L);
    }

    @Test
    void aNumberInTheLogIsWaitedForInItsLine() {
        StartupSpec spec = flags("true", "true", Optional.empty(), Optional.of("in (\\d+) ms"))
                .toSpec();

        assertThat(spec.end().readiness().orElseThrow()).isInstanceOf(Readiness.LogPattern.class);
        assertThat(flags("true", "true", Optional.of("exit"), Optional.of("in (\\d+) ms"))
                        .toSpec()
                        .end()
                        .readiness())
                .isEmpty();
    }

    @Test
    void saysWhichFlagIsWrongAndWhatWasExpected() {
        assertThatThrownBy(() -> flags("true", "true", Optional.empty(), Optional.of("in \\d+ ms"))
                        .toSpec())
                .hasMessageContaining("--log")
                .hasMessageContaining("a group around the number");
        assertThatThrownBy(() -> flags("true", "true", Optional.of("soon"), Optional.empty())
                        .toSpec())
                .hasMessageContaining("--ready: found 'soon'");
        assertThatThrownBy(() -> flags("true ${db.url}", "true", Optional.empty(), Optional.empty())
                        .toSpec())
                .hasMessageContaining("command A: found ${db.url}");
        assertThatThrownBy(() ->
                        flags("true", "", Optional.empty(), Optional.empty()).toSpec())
                .hasMessageContaining("command B: found an empty command");
    }
}
