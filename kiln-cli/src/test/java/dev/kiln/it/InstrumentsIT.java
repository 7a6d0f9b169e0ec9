package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunReader;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs that are recorded from within; what that costs is for people to measure, not for tests. */
@Execution(ExecutionMode.CONCURRENT)
final class InstrumentsIT extends InSandbox {
    private static final String EXPERIMENT = """
            target:
              command: %s --curve step:at=1,from=200,to=600
            load:
              url: http://localhost:${port}/
              connections: 4
            protocol: [{load: 3s}]
            runs: 1
            """.formatted(Kiln.CURVE_SERVER);

    private Answer run(String more, String... flags) {
        return Kiln.experiment(sandbox, EXPERIMENT + more, flags).end();
    }

    @FullRun
    @Test
    void bothRecordersTogether() throws IOException {
        Answer answer = run("observe: {flight-recorder: true}\n", "--async-profiler");
        assertThat(answer.humane()).as(answer.err()).isTrue();

        Path run = sandbox.experiment().resolve("baseline").resolve("1");
        RunEvidence evidence = RunReader.read(run);
        assertThat(evidence.info().treatment().instruments())
                .containsExactly("jit-queries", "thread-dumps", "flight-recorder", "async-profiler");
        FlightDigest digest = evidence.flight().orElseThrow();
        assertThat(digest.compilations()).extracting(FlightCompilations::count).isNotEmpty();
        assertThat(digest.tiers().stream().mapToInt(TierShare::interpreted).sum())
                .isPositive();
        // Launch and recording are on one clock: nothing is from before the one, nor long after the end.
        long end = evidence.info().phases().getLast().endNanos().orElseThrow();
        assertThat(digest.compilations()).allMatch(c -> c.timeNanos() < end + 120_000_000_000L);
        assertThat(run.resolve("recording.jfr")).isNotEmptyFile();
        assertThat(run.resolve("profile.jfr")).isNotEmptyFile();
        assertThat(run.resolve("flight.jfc")).isNotEmptyFile();
        assertThat(run.resolve("flight")).doesNotExist();

        Path flame = sandbox.root().resolve("flame.html");
        Answer drawn = Kiln.inProcess(
                "flame",
                run.toString(),
                sandbox.experiment().resolve("baseline").toString(),
                "--output",
                flame.toString());
        assertThat(drawn.exit()).as(drawn.err()).isZero();
        assertThat(drawn.out()).endsWith("Next:\n  causes and cures: kiln explain " + run + "\n");
        // The same run twice: nothing is different.
        assertThat(Files.readString(flame)).contains("(+0.00 points)").doesNotContain("(-");
    }

    /** As in many containers: the JVM's counters are not in a file. */
    @Test
    void whereTheCountersCannotBeReadThoseOfTheFlightRecordingDo() throws IOException {
        String hidden = EXPERIMENT.replaceFirst(" -cp ", " -XX:-UsePerfData -cp ");
        assertThat(hidden).isNotEqualTo(EXPERIMENT);
        Answer answer = Kiln.experiment(sandbox, hidden + "observe: {flight-recorder: on}\n")
                .end();
        assertThat(answer.humane()).as(answer.err()).isTrue();

        RunEvidence evidence = RunReader.read(sandbox.experiment().resolve("baseline/1"));
        assertThat(evidence.compiler())
                .hasSizeGreaterThan(2)
                .last()
                .satisfies(last -> assertThat(last.compilations()).isGreaterThan(100))
                .satisfies(last -> assertThat(last.codeBytes()).isPositive());
        assertThat(evidence.info().notRecorded())
                .extracting(RunInfo.NotRecorded::why)
                .anyMatch(why -> why.contains("-XX:-UsePerfData"))
                .contains("those of the flight recording are once a second");
    }

    @Test
    @FullRun
    void theObserversEffectIsARatioWithItsInterval() throws IOException {
        Answer answer = run("", "--observer-effect", "--runs", "2");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.out()).contains("What observing costs");
        try (Stream<Path> variants = Files.list(sandbox.experiment()).filter(Files::isDirectory)) {
            assertThat(variants.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "baseline",
                            "baseline-jit",
                            "baseline-thread-dumps",
                            "baseline-flight-recorder",
                            "baseline-async-profiler");
        }
        RunInfo plain = RunReader.info(sandbox.experiment().resolve("baseline/1"));
        assertThat(plain.treatment().instruments()).isEmpty();
        assertThat(plain.command()).noneMatch(word -> word.contains("FlightRecord") || word.contains("agentpath"));
        // On a crowded machine runs are invalid, and that is then said.
        assertThat(answer.out() + answer.err())
                .containsAnyOf(
                        "baseline-flight-recorder against baseline",
                        "left out: baseline-flight-recorder has no valid run",
                        "no run is valid",
                        "What observing costs: unknown");
        assertThat(answer.out()).doesNotContain("against baseline-");
    }

    private Kiln startLong() {
        return Kiln.experiment(
                sandbox, EXPERIMENT.replace("load: 3s", "load: 60s") + "observe: {flight-recorder: on}\n");
    }

    /** Seconds of load are recorded, so the recording has been flushed more than once. */
    private boolean wellUnderWay() {
        try {
            Path load = sandbox.run("baseline").resolve("load.csv");
            return Files.exists(load) && Files.readAllLines(load).size() > 100;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    @FullRun
    void ofATargetThatIsKilledTheRecordingIsMadeOfWhatItFlushed() throws IOException {
        Kiln kiln = startLong().await("load", this::wellUnderWay);
        Kiln.kill("KILL", sandbox.pids("CurveServer").getFirst());
        assertThat(kiln.end().exit()).isEqualTo(1);
        Path run = sandbox.run("baseline");
        RunEvidence evidence = RunReader.read(run);
        assertThat(evidence.flight().orElseThrow().compilations()).isNotEmpty();
        assertThat(evidence.info().notRecorded()).anyMatch(gap -> gap.what().equals("end of the flight recording"));
        assertThat(RecordingFile.readAllEvents(run.resolve("recording.jfr"))).isNotEmpty();
        assertThat(run.resolve("flight")).doesNotExist();
    }

    @Test
    @FullRun
    void ofAKilledKilnTheNextReportDigestsTheRecordingAndLeavesItAsItIs() throws IOException {
        Kiln kiln = startLong().await("load", this::wellUnderWay).signal("KILL");
        assertThat(kiln.end().exit()).isEqualTo(137);
        Waiting.until(
                "the target to die with it", () -> sandbox.pids("CurveServer").isEmpty());
        Path run = sandbox.run("baseline");
        assertThat(RunReader.read(run).flight()).isEmpty();

        Answer report = Kiln.inProcess("report", sandbox.results().toString());
        assertThat(report.humane()).as(report.err()).isTrue();
        assertThat(RunReader.read(run).flight().orElseThrow().compilations()).isNotEmpty();
        assertThat(run.resolve("flight")).isNotEmptyDirectory();
    }
}
