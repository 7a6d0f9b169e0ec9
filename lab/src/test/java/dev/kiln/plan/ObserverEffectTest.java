package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.model.experiment.Variant.Observe.RecordingChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObserverEffectTest {
    private static final String TWO_VARIANTS = """
            target: {command: java Main}
            variants:
              plain:
              other: {jvmFlags: -Xint}
            load: {url: http://localhost:8080/}
            runs: 4
            """;

    @TempDir
    private Path dir;

    private Experiment read(String yaml) throws IOException {
        return ExperimentFile.read(Files.writeString(dir.resolve("observed.yaml"), yaml));
    }

    @Test
    void theFirstVariantRunsWithNothingAndWithEachInstrument() throws IOException {
        Experiment experiment = ObserverEffect.of(read(TWO_VARIANTS));
        assertThat(experiment.variants())
                .extracting(Variant::name)
                .containsExactly(
                        "plain", "plain-jit", "plain-thread-dumps", "plain-flight-recorder", "plain-async-profiler");
        assertThat(experiment.variants())
                .extracting(Variant::observe)
                .containsExactly(
                        Observe.NOTHING,
                        Observe.NOTHING.withJit(true),
                        Observe.NOTHING.withThreadDumps(true),
                        Observe.NOTHING.with(RecordingChoice.ON),
                        Observe.NOTHING.withAsyncProfiler(true));
        assertThat(experiment.variants())
                .extracting(Variant::target)
                .containsOnly(experiment.variants().getFirst().target());
        assertThat(ObserverEffect.is(experiment)).isTrue();
        assertThat(ObserverEffect.is(read(TWO_VARIANTS))).isFalse();
    }

    @Test
    void eachBlockHasThemAllInAnOrderOfItsOwn() throws IOException {
        List<PlannedRun> runs =
                Schedule.of(ObserverEffect.of(read(TWO_VARIANTS))).runs();
        assertThat(runs).hasSize(20);
        for (int block = 0; block < 4; block++) {
            assertThat(runs.subList(5 * block, 5 * block + 5))
                    .extracting(run -> run.variant().name())
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void theRecordingIsTheOneThatTheVariantAsksFor() throws IOException {
        Experiment experiment =
                ObserverEffect.of(read(TWO_VARIANTS + "observe: {flight-recorder: cpu-time, jit: off}\n"));
        assertThat(experiment.variants().get(3).observe()).isEqualTo(Observe.NOTHING.with(RecordingChoice.CPU_TIME));
        assertThat(ObserverEffect.is(experiment)).isTrue();
        assertThat(ObserverEffect.of(experiment)).isEqualTo(experiment);
    }

    @Test
    void theFileCanAskForIt() throws IOException {
        assertThat(read(TWO_VARIANTS + "observe: {effect: on}\n")).isEqualTo(ObserverEffect.of(read(TWO_VARIANTS)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {jit: off}                                   | false | true  | OFF | false
            {jit: no, flight-recorder: yes}              | false | true  | ON  | false
            {flight-recorder: true, async-profiler: on}  | true  | true  | ON  | true
            {async-profiler: true, flight-recorder: off} | true  | true  | OFF | true
            {thread-dumps: off}                          | true  | false | OFF | false
            """)
    void allVariantsAreWatchedAlike(
            String observe, boolean jit, boolean dumps, RecordingChoice recording, boolean profiler)
            throws IOException {
        assertThat(read(TWO_VARIANTS + "observe: " + observe + "\n").variants())
                .extracting(Variant::observe)
                .containsOnly(new Observe(jit, dumps, recording, profiler, Optional.empty(), true));
        assertThat(read(TWO_VARIANTS).variants()).extracting(Variant::observe).containsOnly(Observe.USUAL);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {flight-recorder: default} | observed.yaml:7: flight-recorder: found 'default', expected on, off, profile or cpu-time
            {jit: profile}             | observed.yaml:7: jit: found 'profile', expected on or off
            {flightrecorder: true}     | observed.yaml:7: unknown key 'flightrecorder'
            {full-collections: 1ms}    | observed.yaml:7: full-collections: found '1ms', expected a duration in whole seconds
            flight-recorder            | observed.yaml:7: found 'flight-recorder', expected a map such as
            """)
    void whatIsWrongIsSaidWithItsLine(String observe, String complaint) {
        assertThatThrownBy(() -> read(TWO_VARIANTS + "observe: " + observe + "\n"))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining(complaint);
    }

    @Test
    void theRecordingCanHaveTheSettingsOfTheJdk() throws IOException {
        Experiment experiment = read(TWO_VARIANTS + "observe: {flight-recorder: profile}\n");
        assertThat(experiment.variants())
                .extracting(Variant::observe)
                .containsOnly(Observe.USUAL.with(RecordingChoice.PROFILE));
        assertThat(experiment.variants().getFirst().observe().flightRecorder()).isTrue();
        assertThat(plan(experiment))
                .contains("observed     with jit-queries, thread-dumps, flight-recorder: profile\n");
        assertThat(read(TWO_VARIANTS + "observe: {flight-recorder: cpu-time}\n").variants())
                .extracting(Variant::observe)
                .containsOnly(Observe.USUAL.with(RecordingChoice.CPU_TIME));
    }

    @Test
    void thePlanSaysWhatWatchesAndOnlyIfItIsNotTheUsual() throws IOException {
        assertThat(plan(read(TWO_VARIANTS))).doesNotContain("observed ");
        assertThat(plan(read(TWO_VARIANTS + "observe: {flight-recorder: true}\n")))
                .contains("observed     with jit-queries, thread-dumps, flight-recorder\n");
        assertThat(plan(ObserverEffect.of(read(TWO_VARIANTS))))
                .contains("observed     plain only from outside\n")
                .contains("observed     plain-async-profiler with async-profiler\n");
    }

    private static String plan(Experiment experiment) {
        return PlanText.render(experiment, Schedule.of(experiment));
    }
}
