package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunReader;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.study.Experiments;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Two services of known capacities under load at once. */
@Isolated("takes all CPUs")
final class DuetIT {
    private static final int HALVES = 2;

    /** Both begin a load at the same moment: the thread that is behind has yet to be woken. */
    private static final long SAME_NANOS = 500_000_000;

    private final Sandbox sandbox = new Sandbox();

    @AfterEach
    void leaveNothing() {
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    private static String file(String second) {
        return "variants:\n  slow: {command: '" + Kiln.CURVE_SERVER + " --curve flat:rate=100'}\n  quick: {command: '"
                + second + "'}\nload: {url: 'http://localhost:${port}/', connections: 10}\n"
                + "protocol: load=2s,pause=1s,load=8s\nruns: 2\n";
    }

    @Test
    void bothRunAtOnceOnHalvesThatAreSwapped() throws Exception {
        Assumptions.assumeTrue(Runtime.getRuntime().availableProcessors() % HALVES == 0);
        Answer answer = Kiln.experiment(
                        sandbox, file(Kiln.CURVE_SERVER + " --curve flat:rate=1000"), "--duet", "--runs", "4")
                .end();
        assertThat(answer.humane()).as(answer.err()).isTrue();
        Path folder = Experiments.newest(sandbox.results());
        for (int block = 1; block <= 4; block++) {
            RunEvidence slow = RunReader.read(folder.resolve("slow/" + block));
            RunEvidence quick = RunReader.read(folder.resolve("quick/" + block));
            assertThat(slow.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
            assertThat(slow.info().duet()).contains(new RunInfo.Duet("quick", block, RunInfo.Duet.half(0, block)));
            assertThat(quick.info().duet()).contains(new RunInfo.Duet("slow", block, RunInfo.Duet.half(1, block)));
            assertThat(slow.info().cpus().target())
                    .doesNotContainAnyElementsOf(quick.info().cpus().target());
            assertThat(firstBin(slow)).isCloseTo(firstBin(quick), Offset.offset(SAME_NANOS));
        }
        JsonNode duet = JsonMapper.builder()
                .build()
                .readTree(Files.readString(folder.resolve("result.json")))
                .get("duet");
        assertThat(duet.get("first").asString()).isEqualTo("slow");
        assertThat(duet.get("blocks").size() + duet.get("leftOut").size()).isEqualTo(4);
        assertThat(duet.get("blocks").size()).as(duet.toString()).isPositive();
        for (JsonNode block : duet.get("blocks")) {
            // It is ten; a crowded machine keeps the quick one from its rate.
            assertThat(block.get("ratio").asDouble()).isGreaterThan(2);
        }
        assertThat(answer.out()).contains("At once: ", "both variants ran at once");
        assertThat(Files.readString(folder.resolve("report.html"))).contains("<section id=\"duet\">");
    }

    @Test
    void oneThatFailsDoesNotHoldTheOtherUp() {
        Assumptions.assumeTrue(Runtime.getRuntime().availableProcessors() % HALVES == 0);
        Answer answer = Kiln.experiment(
                        sandbox, file("sh -c \"exit 3\" ${port}").replace("runs: 2", "runs: 2\nduet: true"))
                .end();
        Path folder = Experiments.newest(sandbox.results());
        assertThat(RunReader.info(folder.resolve("quick/1")).outcome()).isEqualTo(Outcome.TARGET_FAILED);
        RunInfo slow = RunReader.info(folder.resolve("slow/1"));
        assertThat(slow.outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(slow.notes()).anyMatch(note -> note.contains("quick beside it ended early"));
        assertThat(answer.exit()).isEqualTo(1);
    }

    @Test
    void whatCannotBeADuetIsRefusedBeforeAnythingStarts() {
        Answer answer = Kiln.experiment(sandbox, file("true ${port}").replace("${port}/", "8080/"), "--duet")
                .end();
        Kiln.assertTold(answer, 2, "load: found http://localhost:8080/ with duet, expected ${port} in it");
        assertThat(sandbox.results()).isEmptyDirectory();
    }

    /** Returns when the first bin of the last load began, on the clock that all processes of a machine share. */
    private static long firstBin(RunEvidence run) {
        String last = run.load().getLast().phase();
        return run.info().launch().launchMonotonicNanos()
                + run.load().stream()
                        .filter(bin -> bin.phase().equals(last))
                        .findFirst()
                        .orElseThrow()
                        .startNanos();
    }
}
