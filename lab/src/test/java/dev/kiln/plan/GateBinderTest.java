package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.GateSpec;
import dev.kiln.model.experiment.GateSpec.Pair;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateBinderTest {
    private static final String HEAD = """
            target: {command: java Main}
            load: {url: http://localhost:8080/}
            variants:
              jdk17:
              jdk21:
            """;

    @TempDir
    private Path dir;

    private Optional<GateSpec> gate(String text) throws IOException {
        Path file = Files.writeString(dir.resolve("e.yaml"), HEAD + text);
        Experiment experiment = ExperimentFile.read(file);
        return ExperimentFile.gate(file, experiment.variants());
    }

    private List<String> errors(String text) {
        KilnException e = catchThrowableOfType(KilnException.class, () -> gate(text));
        return String.valueOf(e.getMessage())
                .replace(dir + "/e.yaml:", "")
                .lines()
                .toList();
    }

    @Test
    void pairsInTheirOrder() throws IOException {
        GateSpec gate = gate("""
                gate:
                  scenario: 5-10-100000-Async
                  tolerance: {peak: -5, p99: 2 %}
                  against: {jdk21: jdk17}
                """).orElseThrow();
        assertThat(gate.scenario()).isEqualTo("5-10-100000-Async");
        assertThat(gate.pairs()).containsExactly(new Pair("jdk21", "jdk17"));
        assertThat(gate.tolerances()).extracting(Tolerance::metric).containsExactly("peak", "p99");
        assertThat(gate.tolerances()).extracting(Tolerance::percent).containsExactly(-5.0, 2.0);
        assertThat(gate("")).isEmpty();
    }

    /** What is better higher may be less, and what is better lower may be more; the sign may be left out. */
    @Test
    void aMetricKnowsItsDirection() throws IOException {
        GateSpec gate = gate("""
                gate:
                  tolerance: {peak: 5, p99: 2, "p99@checkout": 3, "throughput@list": 4, rss: ±3, own: -7, other: 8}
                  against: {jdk21: jdk17}
                """).orElseThrow();
        assertThat(gate.tolerances())
                .extracting(Tolerance::percent)
                .containsExactly(-5.0, 2.0, 3.0, -4.0, 3.0, -7.0, 8.0);
        assertThat(errors("gate:\n  tolerance: {t90: -10}\n  against: {jdk21: jdk17}\n"))
                .containsExactly("7: tolerance of t90: found -10, but a lower t90 is better: leave out the sign");
        assertThat(errors("gate:\n  tolerance: {peak: +5}\n  against: {jdk21: jdk17}\n"))
                .containsExactly("7: tolerance of peak: found +5, but a higher peak is better: leave out the sign");
    }

    @Test
    void mistakesAreToldWithTheirLine() {
        assertThat(errors("gate: {tolerance: {peak: -5}, against: {jdk12: jdk17}}\n"))
                .containsExactly("6: against: unknown variant 'jdk12'; did you mean 'jdk17'?");
        assertThat(errors("gate: {scenario: x, against: {jdk21: jdk17}}\n"))
                .containsExactly("6: gate: found no tolerance, expected a map of metrics to percent, such as"
                        + " {peak: 5, p99: 2}");
        assertThat(errors("gate:\n  tolerance: {peak: little}\n  against: {jdk21: jdk17}\n"))
                .containsExactly("7: tolerance peak: found 'little', expected percent, such as 5");
        assertThat(errors("gate: 5\n")).containsExactly("6: found '5', expected a map with tolerance and against");
    }
}
