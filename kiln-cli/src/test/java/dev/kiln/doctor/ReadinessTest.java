package dev.kiln.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.doctor.DoctorSession.Readiness;
import dev.kiln.doctor.LiveDiagnosis.LiveState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReadinessTest {
    private static boolean after(LiveState... states) {
        Readiness readiness = Readiness.NOT_YET;
        for (LiveState state : List.of(states)) {
            readiness = readiness.after(state, true);
        }
        return readiness.ready();
    }

    @Test
    void aWholeWindowOfWarmLetsTrafficIn() {
        assertThat(after()).isFalse();
        assertThat(after(LiveState.WARMING, LiveState.WARM)).isTrue();
        assertThat(Readiness.NOT_YET.after(LiveState.WARM, false).ready()).isFalse();
        assertThat(new Readiness(true).after(LiveState.WARM, false).ready()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = LiveState.class,
            names = {"IDLE", "UNKNOWN"})
    void whatSaysNothingLeavesItAsItWas(LiveState state) {
        assertThat(after(LiveState.WARM, state, state)).isTrue();
        assertThat(after(LiveState.WARMING, state, state)).isFalse();
        assertThat(after(state)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = LiveState.class,
            names = {"WARMING", "STARVED"})
    void whatIsNotWarmTakesItAway(LiveState state) {
        assertThat(after(LiveState.WARM, state)).isFalse();
        assertThat(after(LiveState.WARM, state, LiveState.IDLE)).isFalse();
        assertThat(after(LiveState.WARM, state, LiveState.WARM)).isTrue();
    }
}
