package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunReader;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whole runs whose load a test plan of JMeter sends, of the JMeter that a user would unpack. */
@FullRun
@Execution(ExecutionMode.CONCURRENT)
final class JMeterIT extends InSandbox {
    private static final Path PLAN = FixtureBuild.ROOT.resolve("fixtures/jmeter/fruits.jmx");
    private static final String MADE = "target/home";

    private static final String EXPERIMENT = """
            target:
              command: SERVER --curve step:at=1,from=200,to=600
            load:
              url: http://localhost:${port}/
              connections: 4
              engine: jmeter
              jmeter:
                plan: fruits.jmx
                home: HOME
                properties: {PROPERTY}
                jvmFlags: -XX:TieredStopAtLevel=1
            protocol: PROTOCOL
            runs: 1
            """;

    private static String experiment = "";

    @BeforeAll
    static void getJMeter() throws IOException, InterruptedException {
        Path home = FixtureBuild.of("jmeter", MADE);
        // Maven makes no empty folder, and JMeter complains where it misses this one.
        Files.createDirectories(home.resolve("lib/junit"));
        experiment = EXPERIMENT.replace("SERVER", Kiln.CURVE_SERVER).replace("HOME", home.toString());
    }

    private Kiln start(String plan, String property, String protocol) {
        sandbox.file("fruits.jmx", plan);
        Path file =
                sandbox.file("e.yaml", experiment.replace("PROPERTY", property).replace("PROTOCOL", protocol));
        return Kiln.start(
                sandbox, "run", file.toString(), "--results", sandbox.results().toString());
    }

    private Answer run(String plan, String property, String protocol) {
        return start(plan, property, protocol).end();
    }

    private static String plan() throws IOException {
        return Files.readString(PLAN);
    }

    @Test
    void aTestPlanMakesACurve() throws IOException {
        Answer answer = run(plan(), "", "[{load: 3s}, {pause: 1s}, {load: 2s}]");
        assertThat(ForeignCurve.assertMade(sandbox, answer, "jmeter").info().driver())
                .startsWith("jmeter 5.6.3: fruits.jmx says what is sent")
                .doesNotContain("reads neither");
    }

    @Test
    void aPlanThatEndsEarlyIsTold() throws IOException {
        Answer answer = run(plan(), "duration: 1", "[{load: 4s}]");
        assertThat(RunReader.read(sandbox.run("baseline")).info().notes())
                .as(answer.err())
                .anyMatch(note -> note.matches("warmup: jmeter sent for .* s in place of 4 s: the test plan gets the"
                        + " length as the property duration"));
    }

    @Test
    void aPlanThatGoesOnIsEndedAndItsRunIsGood() throws IOException {
        Answer answer = run(plan(), "duration: 600", "[{load: 2s}]");
        RunEvidence evidence = RunReader.read(sandbox.run("baseline"));
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().notes())
                .anyMatch(
                        note -> note.matches("warmup: jmeter sent for .* s in place of 2 s, until Kiln ended it: .*"));
        sandbox.awaitNoProcess();
    }

    @Test
    void aPlanThatJMeterCannotReadSaysWhy() throws IOException {
        Answer answer = run(
                plan().replace("<ThreadGroup ", "<AnybodysGroup ").replace("</ThreadGroup>", "</AnybodysGroup>"),
                "",
                "[{load: 2s}]");
        assertThat(answer.exit()).as(answer.err()).isEqualTo(3);
        assertThat(answer.err())
                .contains("jmeter exited with code 1: ", "AnybodysGroup", "jmeter -n -t ", " -Jduration=2")
                .doesNotContain("\tat ");
    }

    @Test
    void nothingIsLeftOfIt() throws IOException {
        Kiln interrupted = startAndAwaitJMeter().signal("INT");
        assertThat(interrupted.end().exit()).isEqualTo(130);
        sandbox.awaitNoProcess();
        assertThat(sandbox.remains()).isEmpty();

        startAndAwaitJMeter().signal("KILL");
        sandbox.awaitNoProcess();
    }

    private Kiln startAndAwaitJMeter() throws IOException {
        return start(plan(), "", "[{load: 300s}]")
                .await("JMeter", () -> !sandbox.pids("/bin/ApacheJMeter.jar").isEmpty());
    }
}
