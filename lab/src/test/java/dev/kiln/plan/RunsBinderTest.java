package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.plan.ExperimentBinder.RunsBinder;
import dev.kiln.plan.text.Problems.BadValue;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunsBinderTest {
    @Test
    void aNumberIsFixed() {
        assertThat(RunsBinder.parse("7")).isEqualTo(new Runs(7, 7, OptionalDouble.empty()));
    }

    @Test
    void untilDecidedHasDefaults() {
        assertThat(RunsBinder.parse("until-decided")).isEqualTo(new Runs(5, 10, OptionalDouble.of(0.05)));
    }

    @Test
    void untilDecidedTakesWidthAndBounds() {
        assertThat(RunsBinder.parse("until-decided:2.5%:6-20")).isEqualTo(new Runs(6, 20, OptionalDouble.of(0.025)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0", "1001", "-1", "1.5", "until-decided:0%", "until-decided:5%:4-10", "until-decided:5%:9-3", ""
            })
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> RunsBinder.parse(text))
                .isInstanceOf(BadValue.class)
                .hasMessageContaining("until-decided:5%:5-10");
    }
}
