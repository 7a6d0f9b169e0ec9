package dev.kiln.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.run.RunCommand.ObserverCost;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObserverCostTest {
    /** Those left out had no valid run; what is left must not be held against another instrument. */
    @Test
    void instrumentsAreHeldAgainstRunsWithoutOneOnly() {
        assertThat(ObserverCost.hasUnobserved(List.of("app", "app-jit", "app-flight-recorder")))
                .isTrue();
        assertThat(ObserverCost.hasUnobserved(List.of("app", "app-async-profiler")))
                .isTrue();
        assertThat(ObserverCost.hasUnobserved(List.of("app-flight-recorder", "app-async-profiler")))
                .isFalse();
    }
}
