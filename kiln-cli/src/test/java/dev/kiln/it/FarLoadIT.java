package dev.kiln.it;

import static dev.kiln.it.Kiln.assertTold;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Machine.LoadHost;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A load that comes from a container, to services here, in the same container and in another one. */
@FullRun
@Execution(ExecutionMode.CONCURRENT)
final class FarLoadIT {
    private static final List<String> SHORT = List.of("--connections", "4", "--protocol", "load=5s,pause=1s,load=2s");
    private static final List<String> LONG = List.of("--connections", "4", "--protocol", "load=120s");

    private final Sandbox sandbox = new Sandbox();
    private final LentContainers containers = new LentContainers("kiln-it-from-");

    @AfterEach
    void leaveNothing() {
        containers.close();
        sandbox.close();
    }

    private LentContainer idle(String... more) {
        return containers.start(List.of(more), "exec sleep 1000");
    }

    private Kiln run(String from, List<String> course, String... more) {
        List<String> words = new ArrayList<>(List.of("run", "--load-from", from, "--runs", "1"));
        words.addAll(course);
        words.addAll(List.of("--url", "http://localhost:${port}/"));
        words.addAll(List.of("--results", sandbox.results().toString()));
        words.addAll(List.of(more));
        return Kiln.start(sandbox, words.toArray(String[]::new));
    }

    private Kiln ofCurve(String from, List<String> course) {
        List<String> command = new ArrayList<>(List.of("--"));
        command.addAll(List.of(Kiln.CURVE_SERVER.split(" ", -1)));
        return run(from, course, command.toArray(String[]::new));
    }

    @Test
    void theLoadComesFromAContainerAndTheResultSaysSo() throws IOException {
        LentContainer box = idle();

        Answer answer = ofCurve(box.via(), SHORT).end();

        assertThat(answer.humane()).as(answer.err()).isTrue();
        RunEvidence evidence = sandbox.evidence("baseline");
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        LoadHost from = evidence.info().loadFrom().orElseThrow();
        assertThat(from.name()).isEqualTo("the far end of " + box.via());
        assertThat(from.cpus()).isPositive();
        assertThat(from.driftNanos()).isPresent();
        assertThat(evidence.info().driver()).contains(" at the far end of " + box.via() + ": 100 ms bins");
        assertThat(evidence.info().cpus().load())
                .as("they are not CPUs of the load")
                .isEmpty();
        assertThat(evidence.load()).hasSizeBetween(65, 72);
        assertThat(evidence.load().stream().mapToLong(LoadBin::completed).sum()).isPositive();
        assertThat(evidence.latency().seconds()).hasSize(7);
        assertThat(evidence.parts().stream().filter(part -> part.part().equals("load")))
                .as("the generator's CPU time, second by second")
                .hasSizeGreaterThanOrEqualTo(6);
        assertThat(evidence.info().notRecorded()).noneMatch(gap -> gap.what().contains("generator"));
        assertThat(evidence.gaps()).isEmpty();
        assertThat(answer.out()).contains("the load was sent from the far end of " + box.via());
        assertThat(Files.readString(sandbox.experiment().resolve("result.json")))
                .contains("\"loadFrom\"", "\"clockUncertaintySeconds\"");
        assertThat(Files.readString(sandbox.experiment().resolve("report.html")))
                .contains("Load sent from");
        assertThat(box.processes()).doesNotContain("DriverMain");
        box.run("! ls -d /tmp/kiln-load-*");
        assertThat(sandbox.remains()).isEmpty();
    }

    /** The network of the container is its own: its localhost is not the one here. */
    @Test
    void aServiceIsLoadedFromWithinItsContainer() throws IOException {
        LentContainer shop = containers.start(
                List.of("--network", "none"),
                Kiln.JAVA + " -Xmx64m -XX:+UseSerialGC -cp " + Kiln.fixtures()
                        + " dev.kiln.fixtures.CurveServer --port 8080; exec sleep 1000");

        Answer answer = run(shop.via(), SHORT, "--via", shop.via(), "--attach", "port:8080")
                .end();

        RunEvidence evidence = sandbox.evidence("baseline");
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.load().stream().mapToLong(LoadBin::completed).sum()).isPositive();
        assertThat(evidence.parts()).extracting(part -> part.part()).contains("target", "load", "kiln", "agent");
        assertThat(evidence.threads()).anyMatch(thread -> thread.name().startsWith("C2 Compiler"));
        assertThat(shop.processes()).contains("CurveServer").doesNotContain("DriverMain", "AgentMain");
    }

    @Test
    void aContainerThatIsTakenAwayEndsTheRunWithOneMessage() throws IOException {
        LentContainer box = idle();
        Kiln kiln = ofCurve(box.via(), LONG).await("load", sandbox::isLoaded);

        box.close();

        Answer answer = kiln.end();
        assertTold(answer, 1, "the load driver is lost: the connection to the far end of " + box.via() + " was lost");
        assertThat(answer.err().split("was lost", -1)).as(answer.err()).hasSize(2);
        RunEvidence evidence = sandbox.evidence("baseline");
        assertThat(evidence.info().outcome()).isEqualTo(Outcome.LAB_FAILED);
        assertThat(evidence.load()).isNotEmpty();
        assertThat(evidence.threads()).isNotEmpty();
    }

    @Test
    void afterCtrlCNothingIsLeftThere() throws IOException {
        LentContainer box = idle();
        Kiln kiln = ofCurve(box.via(), LONG).await("load", sandbox::isLoaded);
        assertThat(box.processes()).contains("DriverMain");

        Answer answer = kiln.signal("INT").end();

        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(box.processes()).doesNotContain("DriverMain");
        box.run("! ls -d /tmp/kiln-load-*");
        assertThat(sandbox.evidence("baseline").info().outcome()).isEqualTo(Outcome.INTERRUPTED);
        assertThat(sandbox.evidence("baseline").load()).isNotEmpty();
    }

    @Test
    void aKilnThatIsKilledLeavesNothingThere() {
        LentContainer box = idle();
        Kiln kiln = ofCurve(box.via(), LONG).await("load", sandbox::isLoaded);

        kiln.signal("KILL").end();

        Waiting.until("the driver to end", () -> !box.processes().contains("DriverMain"));
        box.run("! ls -d /tmp/kiln-load-*");
    }

    @Test
    void theCpuThatAContainerLeavesTheDriverIsKnown() throws IOException {
        LentContainer box = idle("--cpus", "0.3");

        Answer answer = ofCurve(box.via(), SHORT).end();

        RunEvidence evidence = sandbox.evidence("baseline");
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().loadFrom().orElseThrow().cpus()).isEqualTo(0.3);
    }

    @Test
    void whatCannotSendFromThereIsSaidBeforeAnythingRuns() throws IOException {
        LentContainer box = idle();
        List<String> wrk = new ArrayList<>(SHORT);
        wrk.addAll(List.of("--engine", "wrk"));
        assertTold(
                ofCurve(box.via(), wrk).end(),
                2,
                "load: wrk sends from where it is installed",
                "Kiln's own driver can be sent there");
        assertTold(
                ofCurve("podman exec -i kiln-it-absent", SHORT).end(),
                3,
                "no shell at the far end of podman exec -i kiln-it-absent");
        assertTold(ofCurve("ssh box sh", SHORT).end(), 2, "--load-from", "the machine alone");
        assertThat(sandbox.results()).isEmptyDirectory();
    }
}
