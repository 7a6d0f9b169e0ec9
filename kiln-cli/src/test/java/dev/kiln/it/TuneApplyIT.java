package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.kiln.evidence.RunReader;
import dev.kiln.explain.Validity;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A search on a service that others start, to its end: what it hands over, and what it applies if it is asked to. */
@FullRun
@Isolated("measures")
final class TuneApplyIT extends InSandbox {
    private final OthersService service = OthersService.in(sandbox);
    private final Path results = sandbox.results().resolve("tune");
    private final Path json = sandbox.root().resolve("tune.json");

    private Answer tune(String... more) {
        Path experiment = service.experiment("restart: ./start.sh", """
                variants:
                  slow:
                  quick: {environment: {JAVA_TOOL_OPTIONS: -Dquick=true}}
                protocol: [{load: 5s}, {pause: 1s}, {load: 2s}]
                """);
        List<String> words = new ArrayList<>(List.of(
                "tune",
                experiment.toString(),
                "--results",
                results.toString(),
                "--json",
                json.toString(),
                "--candidates",
                "quick"));
        words.addAll(List.of(more));
        return Kiln.start(sandbox, words.toArray(String[]::new)).end();
    }

    /** Tells whether a run of the search was spoiled by what else ran here: without that it must decide. */
    private boolean othersTookTheCpu() throws IOException {
        try (Stream<Path> all = Files.walk(results)) {
            return all.filter(path -> path.endsWith("run.json"))
                    .map(path -> RunReader.read(path.resolveSibling("")))
                    .flatMap(run -> Validity.spoiled(run, AnalysisConfig.defaults()).stream())
                    .anyMatch(Kiln::blamesTheMachine);
        }
    }

    @Test
    void aProvenCureIsAppliedAndNothingOfItBefore() throws IOException {
        Answer answer = tune();
        boolean undecided = answer.err().contains("no run of slow is valid") || answer.exit() == 4;
        assumeFalse(undecided && othersTookTheCpu(), "the machine is too crowded to decide on a cure");

        assertThat(answer.exit()).as(answer.err()).isZero();
        JsonNode found = JsonMapper.shared().readTree(Files.readString(json));
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(found.at("/winner/name").asString()).as(answer.out()).isEqualTo("quick");
        assertThat(found.at("/asWritten/run/tookEffect").asBoolean()).isTrue();
        assertThat(Files.readString(results.resolve("tuned/service.env")))
                .contains("\nJAVA_TOOL_OPTIONS=-Dquick=true\n");
        assertThat(service.starts().getLast()).as("as it was").doesNotContain("quick", "handed-on");
        assertThat(service.environment()).doesNotContain("quick", "handed-on");
        assertThat(answer.err()).contains("restart (./start.sh) started the service again as it was");
        int starts = service.starts().size();

        Answer applied = tune("--apply", "--yes");

        assertThat(applied.exit()).as(applied.err()).isZero();
        assertThat(applied.humane()).as(applied.err()).isTrue();
        assertThat(service.starts())
                .as("nothing is run twice")
                .hasSize(starts + 1)
                .last()
                .isEqualTo("start -Dquick=true");
        assertThat(service.environment()).contains("JAVA_TOOL_OPTIONS=-Dquick=true");
        assertThat(applied.err().replaceAll("\\s+", " "))
                .contains(
                        "to apply it, restart (./start.sh) starts the service once more with environment"
                                + " JAVA_TOOL_OPTIONS=-Dquick=true, and it stays so",
                        "applied: the service runs with it as process "
                                + service.pids().getFirst(),
                        "-Dquick=true (its start is in " + results.resolve("8-applied/quick/1") + ")",
                        "it lasts until somebody starts the service without it; to keep it: "
                                + results.resolve("tuned/service.env"),
                        "to undo it: cd " + sandbox.root() + " && ./start.sh");
        assertThat(sandbox.remains()).isEmpty();
        whatDoesNotWorkIsUndone();
    }

    private void whatDoesNotWorkIsUndone() {
        service.startsBy("deaf.sh");
        Answer deaf = tune("--apply", "--yes");

        assertThat(deaf.exit()).as(deaf.err()).isEqualTo(1);
        assertThat(deaf.humane()).as(deaf.err()).isTrue();
        assertThat(deaf.err().replaceAll("\\s+", " "))
                .contains(
                        "not applied: it had no effect: the JVM that served was not given -Dquick=true",
                        "restart (./start.sh) started the service again as it was")
                .doesNotContain("to undo it");
        assertThat(service.environment()).doesNotContain("quick");

        service.startsBy("foreground.sh");
        Answer foreground = tune("--apply", "--yes");

        assertThat(foreground.exit()).as(foreground.err()).isEqualTo(1);
        assertThat(foreground.err().replaceAll("\\s+", " "))
                .contains(
                        "not applied: the service does not go on when its command ends",
                        "restart (./start.sh) started the service again as it was");
        assertThat(service.environment()).doesNotContain("quick");
        assertThat(sandbox.remains()).isEmpty();
    }
}
