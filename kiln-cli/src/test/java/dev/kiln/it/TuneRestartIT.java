package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Searches on a service that a command of the user's starts anew: what they need, and what they leave. */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class TuneRestartIT extends InSandbox {
    private static final String HANDED_ON = "-Dkiln.handed-on=true";
    private static final String WHOLE = "protocol: [{load: 60s}, {pause: 1s}, {load: 20s}]";

    private final OthersService service = OthersService.in(sandbox);
    private final Path results = sandbox.results().resolve("tune");

    private Kiln tune(String target) {
        return Kiln.start(
                sandbox, "tune", service.experiment(target, WHOLE).toString(), "--results", results.toString());
    }

    private void awaitBaseline(Kiln kiln) {
        kiln.await(
                "load of the baseline",
                () -> results.resolve("1-baseline/baseline/1/load.csv").toFile().length() > 1000);
    }

    @Test
    void aCommandThatHandsNothingOnEndsTheSearchAndTheServiceRunsAsItWas() {
        Answer answer = tune("restart: ./deaf.sh").end();

        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.err().replaceAll("\\s+", " "))
                .contains(
                        "by JAVA_TOOL_OPTIONS in the environment of restart (./deaf.sh)",
                        "0-handed-on: 1 short run of handed-on",
                        "restart (./deaf.sh) started the service again as it was, without what was tried: process "
                                + service.pids().getFirst(),
                        "restart (./deaf.sh) did not hand JAVA_TOOL_OPTIONS on to the service",
                        "in a compose file write 'environment: [JAVA_TOOL_OPTIONS]'")
                .doesNotContain("1-baseline: ");
        assertThat(service.starts()).hasSize(2);
        assertThat(service.starts().getFirst()).endsWith(HANDED_ON);
        assertThat(service.starts().getLast()).doesNotContain(HANDED_ON);
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void ctrlCLeavesTheServiceAsItWas() {
        Kiln kiln = tune("restart: ./start.sh");
        awaitBaseline(kiln);
        Answer answer = kiln.signal("INT").end();

        assertThat(answer.exit()).as(answer.err()).isEqualTo(130);
        assertThat(service.starts()).hasSize(3);
        assertThat(service.starts().getFirst()).endsWith(HANDED_ON);
        assertThat(service.starts().getLast()).doesNotContain(HANDED_ON);
        assertThat(service.environment()).doesNotContain(HANDED_ON);
        assertThat(answer.err()).contains("started the service again as it was");
        assertThat(sandbox.remains()).isEmpty();
    }

    /** A stand-in for systemctl starts the service with what the drop-in says, and with nothing of its caller. */
    @Test
    @FullRun
    void theDropInOfThePageHandsTheVariableOn() throws Exception {
        String page = Files.readString(Path.of("../docs/how-to/measure-a-service-where-it-runs.md"));
        int begin = page.indexOf("```sh\n#!/bin/sh\n") + "```sh\n".length();
        Path units = sandbox.root().resolve("units");
        script("tune.sh", page.substring(begin, page.indexOf("```", begin)));
        script("systemctl", """
                #!/bin/sh
                [ "$1" = restart ] || exit 0
                JAVA_TOOL_OPTIONS=$(sed -n 's/^Environment="JAVA_TOOL_OPTIONS=\\(.*\\)"$/\\1/p' "$UNITS/$2.service.d/kiln.conf")
                export JAVA_TOOL_OPTIONS
                exec ./start.sh
                """);
        ProcessBuilder jvm = sandbox.jvm();
        jvm.environment().put("PATH", sandbox.root() + ":" + System.getenv("PATH"));
        jvm.environment().put("UNITS", units.toString());
        Kiln kiln = Kiln.start(
                sandbox,
                jvm,
                "tune",
                service.experiment("restart: ./tune.sh", WHOLE).toString(),
                "--results",
                results.toString());
        awaitBaseline(kiln);
        Answer answer = kiln.signal("INT").end();

        assertThat(answer.exit()).as(answer.err()).isEqualTo(130);
        assertThat(service.starts()).containsExactly("start " + HANDED_ON, "start ", "start ");
        assertThat(units.resolve("shop.service.d/kiln.conf")).doesNotExist();
    }

    private void script(String name, String text) {
        assertThat(sandbox.file(name, text).toFile().setExecutable(true)).isTrue();
    }

    /** What stops it after each run has left nothing to put back. */
    @Test
    @FullRun
    void aServiceThatIsStoppedAfterEachRunIsNotStartedAgain() {
        Kiln kiln = tune("restart: ./start.sh, stop: ./stop.sh");
        awaitBaseline(kiln);
        Answer answer = kiln.signal("INT").end();

        assertThat(answer.exit()).as(answer.err()).isEqualTo(130);
        assertThat(service.starts()).hasSize(2);
        assertThat(service.pids()).isEmpty();
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    @FullRun
    void aKilledKilnOwesTheServiceAsItWas() throws Exception {
        Kiln kiln = tune("restart: ./start.sh");
        awaitBaseline(kiln);
        kiln.signal("KILL").end();
        assertThat(service.starts()).hasSize(2);

        Path other = sandbox.file(
                "other.yaml",
                "target: {command: 'true'}\nload: {url: 'http://localhost:1/'}\nruns: 1\nprotocol: [{load: 1s}]\n");
        Answer next = Kiln.start(
                        sandbox,
                        "run",
                        other.toString(),
                        "--results",
                        Files.createDirectory(sandbox.root().resolve("other")).toString())
                .end();

        assertThat(next.err()).contains("restart (./start.sh), which a killed Kiln left to do, was run");
        assertThat(service.starts()).hasSize(3);
        assertThat(service.pids()).hasSize(1);
        assertThat(sandbox.remains()).isEmpty();
    }

    private void startByHand() throws Exception {
        Process start = new ProcessBuilder("./start.sh")
                .directory(sandbox.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(sandbox.root().resolve("by-hand.log").toFile())
                .start();
        assertThat(start.waitFor()).isZero();
        for (int i = 0; i < 600 && !listens(); i++) {
            Thread.sleep(50);
        }
        assertThat(service.pids()).hasSize(1);
    }

    private boolean listens() {
        try (Socket socket = new Socket("localhost", service.port())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** What a flag kills is gone when Kiln looks, and ran before all the same. */
    @FullRun
    @Test
    void aServiceThatRanBeforeIsStartedAgainWhereItIsGone() throws Exception {
        startByHand();
        script("fragile.sh", "#!/bin/sh\n[ -z \"$JAVA_TOOL_OPTIONS\" ] && exec ./start.sh\n./stop.sh\nexit 3\n");

        Answer answer = tune("restart: ./fragile.sh").end();

        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.err()).contains("restart (./fragile.sh) started the service again as it was");
        assertThat(service.pids()).hasSize(1);
        assertThat(service.starts()).hasSize(2);
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void aServiceThatNothingTouchedIsLeftAlone() throws Exception {
        startByHand();

        Answer answer = tune("restart: ./start.sh, prepare: 'false'").end();

        assertThat(answer.exit()).as(answer.err()).isNotZero();
        assertThat(answer.err()).contains("prepare").doesNotContain("started the service again");
        assertThat(service.starts()).hasSize(1);
        assertThat(sandbox.remains()).isEmpty();
    }
}
