package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.LoadFile;
import dev.kiln.evidence.RunReader;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs that are recorded once all else of them was measured. */
@Execution(ExecutionMode.CONCURRENT)
final class ClosingRecordingIT extends InSandbox {
    private static final String EXPERIMENT = """
            target:
              command: %s --work huge-method:200
            load:
              url: http://localhost:${port}/
              connections: 4
            protocol: [{load: 5s}]
            runs: 2
            repeat: false
            """.formatted(Kiln.FAULT_SERVER);

    /** A service that fails every request as soon as something records it, and prints that it has no more memory. */
    private static final String RECORDED = """
            import com.sun.net.httpserver.HttpServer;
            import java.net.InetSocketAddress;
            import jdk.jfr.FlightRecorder;

            public class Recorded {
                public static void main(String[] args) throws Exception {
                    HttpServer server = HttpServer.create(new InetSocketAddress(Integer.parseInt(args[0])), 0);
                    server.createContext("/", exchange -> {
                        if (FlightRecorder.isInitialized()) {
                            System.out.println("java.lang.OutOfMemoryError: Java heap space");
                        }
                        exchange.sendResponseHeaders(FlightRecorder.isInitialized() ? 500 : 200, -1);
                        exchange.close();
                    });
                    server.start();
                }
            }
            """;

    private static final String ONE_RUN = """
            target:
              command: %s %%s ${port}
            load: {url: "http://localhost:${port}/", connections: 2, rate: 50}
            protocol: [{load: 5s}]
            runs: 1
            repeat: false
            """.formatted(Kiln.JAVA);

    private Path run(String yaml) throws IOException {
        Answer answer = Kiln.experiment(sandbox, yaml).end();
        assertThat(answer.humane()).as(answer.err()).isTrue();
        return sandbox.experiment();
    }

    @Test
    void aMethodThatIsTooLargeToBeCompiledIsFoundWithoutAFlightRecordingOfTheRun() throws IOException {
        Path experiment = run(EXPERIMENT);
        Path first = experiment.resolve("baseline/1");
        RunEvidence evidence = RunReader.read(first);

        assertThat(evidence.info().notRecorded()).extracting(NotRecorded::what).doesNotContain("closing recording");
        assertThat(evidence.flight()).isEmpty();
        assertThat(first.resolve("closing/recording.jfr")).isNotEmptyFile();
        assertThat(first.resolve("closing/flight")).doesNotExist();
        assertThat(experiment.resolve("baseline/2/closing")).doesNotExist();
        assertThat(evidence.closing().orElseThrow().hot())
                .filteredOn(method -> method.method().endsWith("HugeMethod.huge"))
                .isNotEmpty()
                .allMatch(method -> method.level() == 0 && method.c1() == 0 && method.c2() == 0)
                .anyMatch(method -> method.deepest() >= 8_000)
                .extracting(HotMethod::interpreted)
                .anyMatch(samples -> samples > 20);
        // Nothing of these seconds is a part of the run.
        long end = evidence.info().phases().getLast().endNanos().orElseThrow();
        assertThat(evidence.info().phases()).extracting(PhaseTime::name).doesNotContain("closing");
        assertThat(evidence.load()).extracting(LoadBin::phase).doesNotContain("closing");
        assertThat(LoadFile.read(first.resolve("closing/load.csv")).bins())
                .isNotEmpty()
                .allMatch(bin -> bin.phase().equals("closing") && bin.startNanos() >= end);

        Answer explained = Kiln.inProcess("explain", first.toString());
        assertThat(explained.out()).contains("HugeMethod.huge", "closing/recording.jfr", "-XX:-DontCompileHugeMethods");
    }

    @Test
    @FullRun
    void aRecordingOfRequestsThatFailIsNone() throws IOException {
        Path source = sandbox.file("Recorded.java", RECORDED);
        Path first = run(ONE_RUN.formatted(source)).resolve("baseline/1");
        RunInfo info = RunReader.info(first);

        assertThat(info.outcome()).isEqualTo(Outcome.COMPLETED);
        assertThat(info.course().outOfMemory()).as("that was after the run").isEmpty();
        assertThat(first.resolve("target.log")).content().contains("OutOfMemoryError");
        assertThat(info.notRecorded())
                .filteredOn(missing -> missing.what().equals("closing recording"))
                .extracting(NotRecorded::why)
                .singleElement()
                .asString()
                .endsWith("requests failed in it");
        assertThat(first.resolve("closing/recording.jfr")).doesNotExist();
        assertThat(RunReader.read(first).closing()).isEmpty();
    }

    @Test
    void whereThereIsNoneOneThingWasNotRecordedAndTheRunIsAsItIs() throws IOException {
        String own = EXPERIMENT
                .replaceFirst(" -cp ", " -XX:+DisableAttachMechanism -cp ")
                .replace("runs: 2", "runs: 1");
        Path first = run(own).resolve("baseline/1");
        RunInfo info = RunReader.info(first);

        assertThat(info.outcome()).isEqualTo(Outcome.COMPLETED);
        assertThat(info.notRecorded())
                .filteredOn(missing -> missing.what().equals("closing recording"))
                .hasSize(1);
        assertThat(RunReader.read(first).closing()).isEmpty();
    }
}
