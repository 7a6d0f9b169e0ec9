package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunReader;
import dev.kiln.host.process.Ports;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Machine.RemoteHost;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.runner.Bench;
import dev.kiln.runner.BuiltWorkloads;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Targets that are reached over SSH. */
@FullRun
@Execution(ExecutionMode.CONCURRENT)
final class OtherMachineIT extends InSandbox {
    private static final String EXPERIMENT = """
            target:
              host: box
              command: %s
              with: [xbatch]
            load:
              url: http://${host}:${port}/
              connections: 4
            protocol: [{load: SECONDS}, {pause: 1s}, {load: 2s}]
            runs: 1
            """.formatted(Kiln.CURVE_SERVER);

    private static final String WITH_DATABASE = """
            target:
              host: box
              workload: fruits-spring
              virtualThreads: true
              jvmFlags: [-Xmx256m, -XX:+UseSerialGC]
            variants:
              one:
              two: {jvmFlags: -Xshare:auto}
            load:
              url: http://${host}:${port}/fruits
              connections: 4
            protocol: [{load: SECONDS}, {pause: 1s}, {load: 2s}]
            database: postgres
            runs: 1
            """;

    private Kiln start(OtherMachine box, String experiment) {
        // Of a Kiln that runs elsewhere, nobody knows where the workloads are.
        return box.run(sandbox.jvm().directory(Bench.root().toFile()), experiment);
    }

    private boolean isRecorded() {
        try (var lines = Files.lines(sandbox.run("baseline").resolve("threads.csv"))) {
            return lines.count() > 1;
        } catch (IOException e) {
            return false;
        }
    }

    private void assertNothingLeftOverThere() throws IOException {
        Waiting.until(
                "the other machine to be as it was",
                () -> Stream.of("AgentMain", "CurveServer", "fruits-spring.jar")
                        .allMatch(part -> sandbox.pids(part).isEmpty()));
        try (var state = Files.walk(sandbox.root().resolve("box-state"))) {
            assertThat(state.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void aRunIsRecordedAsHere() throws IOException {
        OtherMachine box = new OtherMachine(sandbox, OtherMachine.sshdIsHere());
        Answer answer = start(box, EXPERIMENT.replace("SECONDS", "4s")).end();
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.out()).contains("the target ran on box: times recorded there are right to within");
        RunEvidence evidence = sandbox.evidence("baseline");
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        RemoteHost remote = evidence.info().remote().orElseThrow();
        assertThat(remote.uncertaintyNanos()).isPositive();
        // Both clocks are one: what was measured of them is the error of measuring.
        assertThat(Math.abs(remote.driftNanos().orElseThrow())).isLessThanOrEqualTo(1_000_000_000L);
        assertThat(evidence.info().jvm()).isPresent();
        assertThat(evidence.info().treatment().modifiers()).containsExactly("xbatch");
        assertThat(evidence.threads()).anyMatch(thread -> thread.name().startsWith("C2 Compiler"));
        assertThat(evidence.compiler()).isNotEmpty();
        assertThat(evidence.memory()).anyMatch(sample -> sample.rssBytes() > 0);
        assertThat(evidence.cpus()).isNotEmpty();
        assertThat(evidence.parts()).extracting(part -> part.part()).contains("target", "load", "kiln", "agent");
        assertThat(evidence.load()).isNotEmpty();
        assertThat(sandbox.run("baseline").resolve("target.log")).exists();
        assertNothingLeftOverThere();
        assertThat(sandbox.remains()).isEmpty();
    }

    /** Of a port that the agent did not choose, below a JVM that serves nothing. */
    @Test
    void whoServesAFixedPortIsRecorded() throws IOException {
        OtherMachine box = new OtherMachine(sandbox, OtherMachine.sshdIsHere());
        Path parent = sandbox.file("Parent.java", """
                class Parent {
                    public static void main(String[] command) throws Exception {
                        Process child = new ProcessBuilder(command).inheritIO().start();
                        System.exit(child.waitFor());
                    }
                }
                """);
        String experiment = EXPERIMENT
                .replace("SECONDS", "4s")
                .replace(Kiln.JAVA + " -X", Kiln.JAVA + " -Dwho=parent " + parent + " " + Kiln.JAVA + " -Dwho=child -X")
                .replace("${port}", Integer.toString(Ports.free()));
        Answer answer = start(box, experiment).end();
        assertThat(sandbox.evidence("baseline").info().outcome())
                .as(answer.err())
                .isEqualTo(Outcome.COMPLETED);
        assertThat(sandbox.evidence("baseline").info().jvm().orElseThrow().flags())
                .contains("-Dwho=child")
                .doesNotContain("-Dwho=parent");
        assertNothingLeftOverThere();
    }

    @Test
    void aWorkloadIsSentOnceAndReachesTheDatabaseHere() throws IOException {
        BuiltWorkloads.ready("fruits-spring");
        OtherMachine box = new OtherMachine(sandbox, OtherMachine.sshdIsHere());
        Answer answer = start(box, WITH_DATABASE.replace("SECONDS", "4s")).end();
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.out())
                .contains("the database ran beside the load, and the target reached it over the network at 127.0.0.3");
        for (String variant : List.of("one", "two")) {
            RunEvidence evidence = RunReader.read(sandbox.run(variant));
            assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
            assertThat(evidence.info().launch().environment().get("SPRING_DATASOURCE_URL"))
                    .matches("jdbc:postgresql://127\\.0\\.0\\.3:\\d{4}/kiln");
            assertThat(evidence.info().launch().environment()).containsEntry("SPRING_DATASOURCE_PASSWORD", "***");
            assertThat(evidence.info().command())
                    .contains(System.getProperty("java.home") + "/bin/java", "target/app/fruits-spring.jar");
            assertThat(evidence.info().treatment().modifiers()).containsExactly("virtual-threads");
            assertThat(evidence.load().stream().mapToLong(LoadBin::completed).sum())
                    .isPositive();
            assertThat(evidence.load()).allMatch(bin -> bin.errors().total() == 0);
            assertThat(evidence.parts())
                    .extracting(PartSample::part)
                    .contains("target", "load", "kiln", "database", "agent");
            assertThat(evidence.info().notRecorded())
                    .extracting(NotRecorded::what)
                    .contains("how busy the CPUs of load and database are");
        }
        try (Stream<Path> kept = Files.list(box.cache())) {
            Path workload = kept.filter(
                            folder -> folder.getFileName().toString().startsWith("workload-"))
                    .reduce((one, another) -> {
                        throw new AssertionError("sent twice: " + one + " and " + another);
                    })
                    .orElseThrow();
            assertThat(workload.toFile().list()).containsExactlyInAnyOrder("complete", "target");
        }
        assertNothingLeftOverThere();
        assertThat(sandbox.pids("bin/postgres")).isEmpty();
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void ctrlCEndsTheTargetThereAndTheDatabaseHere() throws IOException {
        OtherMachine box = new OtherMachine(sandbox, false);
        Kiln kiln = start(box, EXPERIMENT.replace("SECONDS", "120s") + "database: postgres\n");
        kiln.await("load on the target", () -> isRecorded()).signal("INT");
        Answer answer = kiln.end();
        assertThat(answer.exit()).as(answer.err()).isEqualTo(130);
        assertThat(sandbox.evidence("baseline").info().outcome()).isEqualTo(Outcome.INTERRUPTED);
        assertThat(sandbox.evidence("baseline").info().notes())
                .anyMatch(note -> note.startsWith("the database ran beside the load"));
        assertNothingLeftOverThere();
        sandbox.awaitNoProcess();
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void aConnectionThatIsLostEndsTheRunAndTheTarget() throws IOException {
        OtherMachine box = new OtherMachine(sandbox, false);
        Kiln kiln = start(box, EXPERIMENT.replace("SECONDS", "120s"));
        kiln.await("load on the target", () -> isRecorded());
        Kiln.kill("KILL", sandbox.pids("AgentMain").getFirst());
        Answer answer = kiln.end();
        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.err()).contains("the connection to box was lost");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(sandbox.evidence("baseline").info().outcome()).isEqualTo(Outcome.LAB_FAILED);
        assertThat(sandbox.evidence("baseline").threads()).isNotEmpty();
        Waiting.until("the target to end", () -> sandbox.pids("CurveServer").isEmpty());
    }

    @Test
    void whenKilnIsKilledTheTargetThereEnds() throws IOException {
        OtherMachine box = new OtherMachine(sandbox, false);
        Kiln kiln = start(box, EXPERIMENT.replace("SECONDS", "120s"));
        kiln.await("load on the target", () -> isRecorded());
        kiln.signal("KILL");
        assertNothingLeftOverThere();
        assertThat(sandbox.evidence("baseline").info().outcome()).isEqualTo(Outcome.RUNNING);
        assertThat(sandbox.evidence("baseline").threads()).isNotEmpty();
    }

    @Test
    void aMachineThatCannotBeReachedIsTold() {
        OtherMachine box = new OtherMachine(sandbox, false);
        Answer answer = start(box, EXPERIMENT.replace("SECONDS", "4s").replace("host: box", "host: me@elsewhere"))
                .end();
        assertThat(answer.exit()).as(answer.err()).isEqualTo(3);
        assertThat(answer.err())
                .contains("no SSH connection to me@elsewhere: ssh: Could not resolve hostname")
                .contains("ssh -o BatchMode=yes me@elsewhere true");
    }

    @Test
    void aProgramThatIsNotThereIsTold() {
        OtherMachine box = new OtherMachine(sandbox, false);
        Answer answer = start(
                        box,
                        EXPERIMENT
                                .replace("SECONDS", "4s")
                                .replace(Kiln.JAVA, "/nowhere/java")
                                .replace("  with: [xbatch]\n", ""))
                .end();
        assertThat(answer.err()).contains("box: cannot start the target: no program '/nowhere/java'");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.exit()).isEqualTo(2);
    }
}
