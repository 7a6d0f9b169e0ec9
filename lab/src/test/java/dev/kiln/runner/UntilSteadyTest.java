package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadSession.Tick;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.runner.RunPhases.UntilSteady;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UntilSteadyTest {
    private final List<Integer> judged = new ArrayList<>();
    private int finished;

    private boolean fromTheFifthSecond(double[] seconds) {
        judged.add(seconds.length);
        return seconds.length >= 5;
    }

    private void run(Optional<Duration> from, int seconds) {
        Phase.Load phase = new Phase.Load("warmup", Duration.ofSeconds(60), from, Optional.empty(), Optional.empty());
        UntilSteady until = new UntilSteady(phase, this::fromTheFifthSecond, () -> finished++);
        for (int second = 1; second <= seconds; second++) {
            until.tick(new Tick("warmup", second, 100 * second, 0, 0));
        }
    }

    @Test
    void asksNobodyBeforeTheFloor() {
        run(Optional.of(Duration.ofSeconds(3)), 4);
        assertThat(judged).containsExactly(3, 4);
        assertThat(finished).isZero();
    }

    @Test
    void endsThePhaseWhenSteady() {
        run(Optional.of(Duration.ofSeconds(3)), 5);
        assertThat(finished).isEqualTo(1);
    }

    @Test
    void aFixedPhaseIsLeftAlone() {
        run(Optional.empty(), 10);
        assertThat(judged).isEmpty();
        assertThat(finished).isZero();
    }
}
