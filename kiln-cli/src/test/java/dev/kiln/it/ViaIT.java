package dev.kiln.it;

import static dev.kiln.it.Kiln.assertTold;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.Ports;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Targets that a command of the user's leads to, in real containers. */
@FullRun
@Execution(ExecutionMode.CONCURRENT)
final class ViaIT {
    private static final List<String> SHORT = List.of("--connections", "4", "--protocol", "load=5s,pause=1s,load=2s");
    private static final List<String> LONG = List.of("--connections", "4", "--protocol", "load=120s");

    private final Sandbox sandbox = new Sandbox();
    private final LentContainers containers = new LentContainers("kiln-it-via-");

    @AfterEach
    void leaveNothing() {
        containers.close();
        sandbox.close();
    }

    /** A container whose service may end before it. */
    private LentContainer serving(int port) {
        return containers.start(
                List.of(),
                Kiln.JAVA + " -Xmx64m -XX:+UseSerialGC -cp " + Kiln.fixtures()
                        + " dev.kiln.fixtures.CurveServer --port " + port + "; exec sleep 1000");
    }

    private Kiln run(List<String> where, List<String> course, String... command) {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(where);
        words.addAll(course);
        words.addAll(List.of("--url", "http://localhost:${port}/"));
        words.addAll(List.of("--results", sandbox.results().toString()));
        words.addAll(List.of(command));
        return Kiln.start(sandbox, words.toArray(String[]::new));
    }

    @Test
    void aProcessInAContainerIsWatchedAndLeftAsItWas() throws IOException {
        int port = Ports.free();
        LentContainer container = serving(port);
        Waiting.until("the service to listen", () -> Ports.accepts("127.0.0.1", port));

        Answer answer = run(List.of("--via", container.via(), "--attach", "port:" + port), SHORT)
                .end();

        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.out()).contains("Kiln attached to process ", "had run for", "the far end of podman exec -i");
        RunEvidence evidence = sandbox.evidence("baseline");
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().attached().orElseThrow().to()).isEqualTo("port:" + port);
        // As it counts them: on this machine the process has another number.
        assertThat(evidence.info().attached().orElseThrow().pid()).isLessThan(100);
        assertThat(evidence.info().remote().orElseThrow().name()).isEqualTo("the far end of " + container.via());
        assertThat(evidence.info().jvm()).isPresent();
        assertThat(evidence.info().cpus().pinned()).isFalse();
        assertThat(evidence.info().command()).contains("dev.kiln.fixtures.CurveServer");
        assertThat(evidence.threads()).anyMatch(thread -> thread.name().startsWith("C2 Compiler"));
        assertThat(evidence.compiler()).isNotEmpty();
        assertThat(evidence.parts()).extracting(part -> part.part()).contains("target", "load", "kiln", "agent");
        assertThat(evidence.load()).isNotEmpty();
        assertThat(container.processes()).contains("CurveServer").doesNotContain("AgentMain");
        assertThat(Ports.accepts("127.0.0.1", port)).isTrue();
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void aCommandIsLaunchedInAContainerAndEndedThere() throws IOException {
        LentContainer container = containers.start(List.of(), "exec sleep 1000");

        List<String> command = new ArrayList<>(List.of("--"));
        command.addAll(List.of(Kiln.CURVE_SERVER.split(" ", -1)));
        Answer answer = run(List.of("--via", container.via()), SHORT, command.toArray(String[]::new))
                .end();

        assertThat(answer.humane()).as(answer.err()).isTrue();
        RunEvidence evidence = sandbox.evidence("baseline");
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().attached()).isEmpty();
        assertThat(evidence.info().jvm()).isPresent();
        assertThat(evidence.threads()).anyMatch(thread -> thread.name().startsWith("C2 Compiler"));
        assertThat(sandbox.run("baseline").resolve("target.log")).exists();
        assertThat(container.processes()).doesNotContain("CurveServer", "AgentMain");
    }

    @Test
    void aProcessThatEndsIsToldFromAContainerThatDoes() throws IOException {
        int port = Ports.free();
        LentContainer container = serving(port);
        Waiting.until("the service to listen", () -> Ports.accepts("127.0.0.1", port));
        Kiln kiln = run(List.of("--via", container.via(), "--attach", "port:" + port), LONG)
                .await("load", sandbox::isLoaded);

        container.run("for p in /proc/[0-9]*; do grep -q CurveServer $p/cmdline && [ $(cat $p/comm) = java ]"
                + " && kill -9 ${p#/proc/}; done; true");

        assertTold(kiln.end(), 1, "to which Kiln had attached, ended during the run");
        assertThat(sandbox.evidence("baseline").info().outcome()).isEqualTo(Outcome.TARGET_FAILED);
        assertThat(sandbox.evidence("baseline").load()).isNotEmpty();
    }

    @Test
    void aContainerThatIsTakenAwayLosesTheConnection() throws IOException {
        int port = Ports.free();
        LentContainer container = serving(port);
        Waiting.until("the service to listen", () -> Ports.accepts("127.0.0.1", port));
        Kiln kiln = run(List.of("--via", container.via(), "--attach", "port:" + port), LONG)
                .await("load", sandbox::isLoaded);

        container.close();

        assertTold(kiln.end(), 1, "the connection to the far end of " + container.via() + " was lost");
        assertThat(sandbox.evidence("baseline").info().outcome()).isEqualTo(Outcome.LAB_FAILED);
        assertThat(sandbox.evidence("baseline").load()).isNotEmpty();
        assertThat(sandbox.evidence("baseline").threads()).isNotEmpty();
    }

    /** Kiln brings its own where it runs. */
    @Test
    void aContainerWithoutAJdkIsWatchedByARuntimeOfKilns() throws IOException {
        int port = Ports.free();
        String java = System.getProperty("java.home");
        LentContainer container = containers.start(
                List.of("--volume", sandbox.temporary() + ":/usr/lib/jvm:ro", "--volume", java + ":/srv/jdk:ro"),
                Kiln.JAVA.replace(java, "/srv/jdk") + " -Xmx64m -XX:+UseSerialGC -cp " + Kiln.fixtures()
                        + " dev.kiln.fixtures.CurveServer --port " + port + "; exec sleep 1000");
        Waiting.until("the service to listen", () -> Ports.accepts("127.0.0.1", port));

        Answer answer = run(List.of("--via", container.via(), "--attach", "port:" + port), SHORT)
                .end();

        assertThat(sandbox.evidence("baseline").info().outcome())
                .as(answer.err())
                .isEqualTo(Outcome.COMPLETED);
        assertThat(sandbox.evidence("baseline").threads())
                .anyMatch(thread -> thread.name().startsWith("C2 Compiler"));
        container.run("ls -d ~/.cache/kiln/runtime-*/java/bin/java");

        Answer doctor = Kiln.start(sandbox, "doctor", "--via", container.via(), "1", "--for", "2s", "--no-ask")
                .end();
        assertThat(doctor.exit()).as(doctor.err()).isIn(0, 6, 7, 8);
        assertThat(doctor.out()).contains("CurveServer").doesNotContain("Next:");
        assertThat(container.processes()).doesNotContain("kiln.far", "AgentMain");
    }

    /** The new container has the name of the old one, and nothing else of it. */
    @Test
    void aContainerThatIsMadeAnewIsMeasuredFromItsStart() throws IOException {
        int port = Ports.free();
        LentContainer container = serving(port);
        Waiting.until("the service to listen", () -> Ports.accepts("127.0.0.1", port));

        List<String> where = List.of(
                "--via",
                container.via(),
                "--attach",
                "port:" + port,
                "--restart",
                "podman restart --time 0 " + container.name(),
                "--stop",
                "podman stop --time 0 " + container.name(),
                "--runs",
                "1");
        Answer answer = run(where, SHORT).end();

        assertThat(answer.humane()).as(answer.err()).isTrue();
        RunEvidence evidence = sandbox.evidence("baseline");
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().attached()).isEmpty();
        assertThat(evidence.info().launch().restarted().orElseThrow().by()).startsWith("podman", "restart");
        assertThat(evidence.info().launch().restarted().orElseThrow().afterNanos())
                .isPositive();
        assertThat(evidence.info().notes())
                .anyMatch(note -> note.contains("Kiln's recorder was beside the new process"));
        assertThat(evidence.compiler()).isNotEmpty();
        assertThat(Ports.accepts("127.0.0.1", port)).as("it was stopped").isFalse();
        assertThat(sandbox.remains()).isEmpty();
    }

    private Answer refused(String via) {
        return run(List.of("--via", via, "--attach", "port:1"), SHORT).end();
    }

    @Test
    void whatDoesNotLeadToAJdkIsSaidOnceAndNothingIsRun() throws IOException {
        assertTold(refused("no-such-podman exec -i x"), 2, "cannot start the agent (via): no program 'no-such-podman'");
        assertTold(
                refused("podman exec -i kiln-it-absent"),
                3,
                "no shell at the far end of podman exec -i kiln-it-absent: ",
                "no such container",
                "podman exec -i kiln-it-absent sh -c true");
        Path uname = sandbox.file("uname", "#!/bin/sh\necho riscv64\n");
        assertThat(uname.toFile().setExecutable(true)).isTrue();
        LentContainer bare = containers.start(
                List.of(
                        "--volume",
                        sandbox.temporary() + ":/usr/lib/jvm:ro",
                        "--volume",
                        uname + ":/tmp/other/uname:ro"),
                "exec sleep 1000");
        String other = bare.via() + " env PATH=/tmp/other:/usr/bin:/bin";
        assertTold(
                refused(other),
                3,
                "the far end of " + other + ": found no JDK 25 or later there, and Kiln's recorder needs one",
                "via: " + other + " env KILN_JAVA_HOME=/path/of/it");
        LentContainer full = containers.start(List.of(), "exec sleep 1000");
        assertTold(
                refused("podman exec " + full.name()),
                2,
                "what Kiln writes does not arrive there",
                "podman exec -i, docker exec -i");
        assertTold(
                refused("podman exec -i --user 65534 " + full.name()),
                3,
                "cannot store Kiln's recorder there",
                "env XDG_CACHE_HOME=/tmp");
        assertTold(
                refused(full.via()), 2, "the far end of " + full.via() + ": attach: nothing listens on port 1 of this");
    }
}
