package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.StartupSpec;
import dev.kiln.model.experiment.StartupSpec.PlannedStart;
import dev.kiln.model.experiment.Target.Readiness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartupFlagsTest {
    private static final String LOAD = "url: 'http://localhost:${port}/hello'";

    @TempDir
    private Path directory;

    private static StartupFlags flags(String a, String b, Optional<String> ready, Optional<String> log) {
        return flags(List.of(a, b), List.of(), ready, log);
    }

    private static StartupFlags flags(
            List<String> commands, List<String> names, Optional<String> ready, Optional<String> log) {
        return new StartupFlags(
                Path.of("").toAbsolutePath(),
                new StartupFlags.Commands(commands, names),
                new StartupFlags.EndFlags(ready, log, Optional.empty(), Optional.empty()),
                new StartupFlags.PairFlags(Optional.empty(), Optional.empty(), Optional.empty()),
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
        List<PlannedStart> order = StartupFlags.order(2, 40, OptionalLong.of(7));

        assertThat(order).isEqualTo(StartupFlags.order(2, 40, OptionalLong.of(7)));
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
    void severalCommandsAreRoundsAndHaveLettersForNames() {
        List<String> three = List.of("true", "false", "sleep 1");
        StartupSpec spec =
                flags(three, List.of(), Optional.empty(), Optional.empty()).toSpec();

        assertThat(spec.sides()).extracting(StartupSpec.Side::name).containsExactly("A", "B", "C");
        assertThat(spec.pairs().starts())
                .hasSize(33)
                .startsWith(
                        new PlannedStart(1, 0), new PlannedStart(1, 1), new PlannedStart(1, 2), new PlannedStart(2, 0));
        assertThat(StartupFlags.order(3, 50, OptionalLong.of(1)))
                .extracting(PlannedStart::side)
                .contains(0, 1, 2)
                .isNotEqualTo(StartupFlags.order(3, 50, OptionalLong.empty()).stream()
                        .map(PlannedStart::side)
                        .toList());
        assertThatThrownBy(() -> flags(three, List.of("x", "y", "x"), Optional.empty(), Optional.empty())
                        .toSpec())
                .hasMessageContaining("--name: found [x, y, x]");
        assertThatThrownBy(() -> flags(List.of("true"), List.of(), Optional.empty(), Optional.empty())
                        .toSpec())
                .hasMessage("from 2 to 26 commands are compared, found 1");
    }

    private Experiment experiment(String variants, String load) throws IOException {
        return ExperimentFile.read(Files.writeString(
                directory.resolve("starts.yaml"),
                "target: {command: [sleep, '1'], environment: {PORT: '${port}'}}\nvariants: {" + variants + "}\nload: {"
                        + load + "}\n"));
    }

    private static StartupFlags beside(Optional<String> ready, Optional<String> cpus) {
        return new StartupFlags(
                Path.of("").toAbsolutePath(),
                new StartupFlags.Commands(List.of("starts.yaml"), List.of()),
                new StartupFlags.EndFlags(ready, Optional.empty(), Optional.empty(), Optional.empty()),
                new StartupFlags.PairFlags(Optional.of(5), Optional.of(0), Optional.empty()),
                new StartupFlags.Conditions(cpus, false, false));
    }

    @Test
    void variantsOfAFileStartUpToTheAnswerToTheLoadsFirstCall() throws IOException {
        Experiment experiment = experiment("a: {}, b: {with: [cpus: 1, cpu-quota: 0.5]}, c: {}", LOAD);
        StartupSpec spec = beside(Optional.empty(), Optional.of("3")).toSpec(experiment);

        assertThat(spec.sides()).extracting(StartupSpec.Side::name).containsExactly("a", "b", "c");
        assertThat(spec.sides())
                .extracting(StartupSpec.Side::modifiers)
                .containsExactly(Optional.empty(), Optional.of("cpus: 1, cpu-quota: 0.5"), Optional.empty());
        assertThat(spec.end().readiness())
                .contains(new Readiness.HttpStatus("http://localhost:${port}/hello", 200, Duration.ofMinutes(2)));
        assertThat(spec.pairs().starts()).hasSize(15);
        assertThat(spec.cpus().target()).containsExactly(3);
        assertThat(beside(Optional.of("exit"), Optional.empty())
                        .toSpec(experiment)
                        .end()
                        .readiness())
                .isEmpty();
        Experiment own = experiment("a: {readiness: {port: 81, timeout: 7s}}, b: {extends: a}", LOAD);
        assertThat(beside(Optional.empty(), Optional.empty()).toSpec(own).end())
                .isEqualTo(new StartupSpec.End(
                        Optional.of(new Readiness.TcpPort(OptionalInt.of(81), Duration.ofSeconds(7))),
                        Optional.empty(),
                        Duration.ofSeconds(7),
                        false));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a: {}                                   | url: 'http://localhost/'                          | from 2 to 26 variants are compared, found 1
            a: {}, b: {container: {image: x}}       | url: 'http://localhost/'                          | variant b: kiln startup knows no host, no container
            a: {}, b: {}                            | url: 'http://localhost/', connections: [1, 2]     | variant a-c1: kiln startup knows no host
            a: {}, b: {readiness: {port: 80}}       | url: 'http://localhost/'                          | the variants of starts have different readiness
            a: {}, b: {}                            | calls: [{url: 'http://localhost/', method: POST}] | the load's first call is more than a GET over http
            a: {}, b: {}                            | url: 'https://localhost/'                         | the load's first call is more than a GET over http
            """)
    void saysWhatOfAFileIsNotForStarts(String variants, String load, String message) throws IOException {
        Experiment experiment = experiment(variants, load);

        assertThatThrownBy(() -> beside(Optional.empty(), Optional.empty()).toSpec(experiment))
                .isInstanceOf(KilnException.class)
                .hasMessageStartingWith(message);
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
