package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunReader;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Connections to agents that are lost while a run starts, or stall. */
@FullRun
@Execution(ExecutionMode.CONCURRENT)
final class LostConnectionIT extends InSandbox {
    private final OtherMachine box = new OtherMachine(sandbox, false);

    /** A line that goes dead while an agent is asked is a matter of that run. */
    @Test
    void aConnectionThatIsLostAtTheStartEndsThatRunAlone() throws IOException {
        Path there = sandbox.file("there.sh", """
                #!/bin/sh
                export XDG_CACHE_HOME='ROOT/box-cache' XDG_STATE_HOME='ROOT/box-state' TMPDIR='ROOT/tmp'
                case "$*" in *AgentMain*)
                  if mkdir ROOT/first 2>/dev/null; then read -r question; echo 'the line went dead' >&2; exit 1; fi ;;
                esac
                exec "$@"
                """.replace("ROOT", sandbox.root().toString()));
        assertThat(there.toFile().setExecutable(true)).isTrue();
        Answer answer =
                box.run(sandbox.jvm(), """
                target:
                  via: ['%s']
                  command: %s
                load: {url: 'http://localhost:${port}/', connections: 4}
                protocol: [{load: 4s}, {pause: 1s}, {load: 2s}]
                runs: 2
                """.formatted(there, Kiln.CURVE_SERVER)).end();

        Kiln.assertTold(
                answer, 1, "the connection to the far end of " + there + " was lost: the line went dead", "run 1: ");
        Path first = sandbox.run("baseline");
        assertThat(RunReader.read(first).info().outcome()).isEqualTo(Outcome.LAB_FAILED);
        assertThat(RunReader.read(first).info().course().outcomeDetail().orElseThrow())
                .endsWith("the line went dead");
        assertThat(RunReader.read(first.resolveSibling("2")).info().outcome()).isEqualTo(Outcome.COMPLETED);
        assertThat(sandbox.remains()).isEmpty();
    }

    /** Nobody who presses Ctrl-C waits for what a dead network was asked. */
    @Test
    void ctrlCDoesNotWaitForAMachineThatSaysNothing() throws IOException {
        Kiln kiln =
                box.run(sandbox.jvm(), """
                target:
                  host: box
                  command: %s
                load: {url: 'http://${host}:${port}/', connections: 4}
                protocol: [{load: 120s}, {pause: 1s}, {load: 2s}]
                runs: 1
                """.formatted(Kiln.CURVE_SERVER)).await("load on the target", sandbox::isLoaded);
        List<Long> stopped = sandbox.pids("AgentMain");
        stopped.forEach(pid -> Kiln.kill("STOP", pid));
        Answer answer;
        try {
            answer = kiln.signal("INT").end();
        } finally {
            stopped.forEach(pid -> Kiln.kill("CONT", pid));
        }

        assertThat(answer.exit()).as(answer.err()).isEqualTo(130);
        assertThat(answer.err()).doesNotContain("did not end in time");
        assertThat(sandbox.evidence("baseline").info().outcome()).isEqualTo(Outcome.INTERRUPTED);
        assertThat(sandbox.evidence("baseline").info().notRecorded())
                .filteredOn(missing -> missing.what().equals("what the target did at the end"))
                .singleElement()
                .extracting(NotRecorded::why)
                .asString()
                .matches("box did not answer within \\d+ s");
        Waiting.until(
                "the agent to end",
                () -> Stream.of("AgentMain", "CurveServer")
                        .allMatch(part -> sandbox.pids(part).isEmpty()));
    }
}
