package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service that cannot start without its variant's own commands, whose AOT cache is trained. */
@FullRun
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class HookedTrainingIT extends InSandbox {
    /** The JVM does not start without its file of options. */
    private Answer run(String hooks) {
        String yaml = """
                target:
                  command: %s -cp %s dev.kiln.fixtures.CurveServer --port ${port}
                  jvmFlags: -XX:VMOptionsFile=hooked.options
                  aot: {train: startup}
                %sload: {url: 'http://localhost:${port}/', connections: 2}
                protocol: [{load: 2s}, {pause: 1s}, {load: 1s}]
                runs: 1
                """.formatted(Kiln.JAVA, AotIT.jar(sandbox), hooks.indent(2));
        return Kiln.experiment(sandbox, yaml).end();
    }

    @Test
    void theTrainingRunHasTheCommandsOfARun() throws IOException {
        Answer answer = run("""
                prepare: sh -c 'echo prepare ${run.dir} >> done'
                beforeRun: sh -c 'echo -Dhooked=yes > hooked.options; echo before ${run.dir} >> done'
                afterRun: sh -c 'rm hooked.options; echo after >> done'
                cleanup: sh -c 'echo cleanup >> done'
                """);

        Path run = sandbox.run("baseline");
        Path variant = run.resolveSibling("");
        JsonNode info = JsonMapper.shared().readTree(Files.readString(run.resolve("run.json")));
        assertThat(info.path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
        assertThat(info.at("/treatment/aot/mapped").asBoolean()).isTrue();
        assertThat(sandbox.root().resolve("done"))
                .content()
                .isEqualToNormalizingNewlines(String.join(
                        "\n",
                        "prepare " + variant,
                        "before " + variant.resolveSibling("aot").resolve("baseline"),
                        "after",
                        "before " + run,
                        "after",
                        "cleanup",
                        ""));
        assertThat(variant.resolve("prepare.log")).exists();
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void oneThatFailsIsWhyThereIsNoCache() throws IOException {
        Answer answer = run("""
                beforeRun: sh -c 'echo no disk; exit 3'
                afterRun: sh -c 'echo after >> done'
                """);

        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.err())
                .contains("the AOT cache of baseline could not be made: beforeRun (sh -c echo no disk; exit 3) exited"
                        + " with code 3")
                .contains("no disk");
        assertThat(sandbox.root().resolve("done")).content().isEqualTo("after\n");
        assertThat(sandbox.remains()).isEmpty();
    }
}
