package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.engines.GrpcServer;
import dev.kiln.engines.StandInController;
import dev.kiln.evidence.RunReader;
import dev.kiln.host.process.Programs;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whole runs whose load an installed program sends. */
final class EnginesIT extends InSandbox {
    private static final String EXPERIMENT = """
            target:
              command: %s --curve step:at=1,from=200,to=600
            load:
              url: http://localhost:${port}/
              connections: 4
              engine: ENGINE
            protocol: [{load: 3s}, {pause: 1s}, {load: 2s}]
            runs: 1
            """.formatted(Kiln.CURVE_SERVER);

    private Answer run(String engine, String... more) {
        return run(EXPERIMENT, engine, more);
    }

    private Answer run(String experiment, String engine, String[] more) {
        String file =
                sandbox.file("e.yaml", experiment.replace("ENGINE", engine)).toString();
        List<String> command =
                List.of("run", file, "--results", sandbox.results().toString());
        return Kiln.start(
                        sandbox,
                        Stream.concat(command.stream(), Stream.of(more)).toArray(String[]::new))
                .end();
    }

    @FullRun
    @Test
    void aCurveFromH2load() {
        assumeTrue(Programs.find("h2load").isPresent(), "no h2load here");
        Answer answer = run("h2load");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        curveOf(RunReader.read(sandbox.run("baseline")), "h2load ");
        sandbox.awaitNoProcess();
    }

    @Test
    void aCurveFromVegeta() {
        assumeTrue(Programs.find("vegeta").isPresent(), "no vegeta here");
        Answer answer = run("vegeta");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        curveOf(RunReader.read(sandbox.run("baseline")), "vegeta ");
        sandbox.awaitNoProcess();
    }

    @Test
    void aCurveOfCallsFromGhz() {
        assumeTrue(Programs.find("ghz").isPresent(), "no ghz here");
        sandbox.file("test.proto", """
                syntax = "proto3";
                service Greeter { rpc Hello (Nothing) returns (Nothing); }
                message Nothing {}
                """);
        String name = GrpcServer.class.getName();
        String server = Kiln.JAVA + " -cp " + Kiln.home(name) + " " + name + " ${port} 0 2";
        Answer answer = run(
                EXPERIMENT.replace(Kiln.CURVE_SERVER + " --curve step:at=1,from=200,to=600", server),
                "ghz\n  ghz: {call: Greeter/Hello, proto: test.proto}",
                new String[0]);
        assertThat(answer.humane()).as(answer.err()).isTrue();
        curveOf(RunReader.read(sandbox.run("baseline")), "ghz ");
        sandbox.awaitNoProcess();
    }

    private static void curveOf(RunEvidence evidence, String driver) {
        assertThat(evidence.info().outcome()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().driver()).startsWith(driver).contains("100 ms bins by completion");
        assertThat(evidence.load())
                .hasSizeGreaterThan(20)
                .allMatch(bin -> bin.endNanos() - bin.startNanos() <= 100_000_000);
        assertThat(evidence.latency().seconds()).isNotEmpty();
        assertThat(evidence.info().phases()).hasSize(3);
        assertThat(evidence.parts()).anyMatch(part -> part.part().equals("load") && part.cpuNanos() > 0);
    }

    /** No controller listens there: that would be told next. */
    @Test
    void connectionsTooFewForTheAgentsAreRefusedAtAnyLevelOfASweep() {
        String file =
                sandbox.file("sweep.yaml", """
                        target:
                          command: %s
                        load:
                          url: http://localhost:${port}/
                          connections: [1, 5, 10]
                          engine: hyperfoil
                          hyperfoil: {controller: 'http://127.0.0.1:9', target: 'http://10.0.0.5:${port}', agents: [a, b, c]}
                        protocol: load=3s
                        """.formatted(Kiln.CURVE_SERVER)).toString();
        Answer answer =
                Kiln.inProcess("sweep", file, "--results", sandbox.results().toString());
        assertThat(answer.err()).contains("1 connections are fewer than the 3 threads of all agents");
        assertThat(answer.exit()).isEqualTo(2);
    }

    @Test
    void aControllerHasItsAgentsSendTheLoad() throws IOException {
        try (StandInController controller = new StandInController()) {
            sentByHyperfoil(controller.url().toString());
        }
    }

    /** Started by hand: {@code bin/standalone.sh} of Hyperfoil's distribution. */
    @Test
    void aRealControllerDoesToo() {
        String url = System.getenv("KILN_HYPERFOIL");
        assumeTrue(url != null, "KILN_HYPERFOIL names no running controller such as http://127.0.0.1:8090");
        sentByHyperfoil(url);
    }

    private void sentByHyperfoil(@Nullable String url) {
        Answer answer = run("hyperfoil\n  hyperfoil: {controller: '" + url + "'}");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        RunEvidence evidence = RunReader.read(sandbox.run("baseline"));
        assertThat(evidence.info().outcome()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().driver()).startsWith("hyperfoil 0.").contains("by request start");
        assertThat(evidence.load()).extracting(LoadBin::phase).contains("warmup", "measure");
        assertThat(evidence.load())
                .hasSizeBetween(5, 7)
                .allMatch(bin -> bin.startNanos() > 0 && bin.endNanos() - bin.startNanos() <= 1_000_000_000);
        assertThat(evidence.load().stream().mapToLong(LoadBin::completed).sum()).isPositive();
        assertThat(evidence.latency().seconds()).isNotEmpty();
        assertThat(evidence.info().phases()).hasSize(3);
        assertThat(evidence.parts()).noneMatch(part -> part.part().equals("load"));
        assertThat(evidence.info().notRecorded())
                .anyMatch(missing -> missing.what().equals("load generator's CPU"));
        assertThat(evidence.info().notes()).anyMatch(note -> note.contains("CPU of the agents"));
        assertThat(answer.out()).contains("by the start of requests");
        sandbox.awaitNoProcess();
    }

    @Test
    void totalsFromWrkAreNoCurve() {
        assumeTrue(Programs.find("wrk").isPresent(), "no wrk here");
        Answer answer = run("kiln", "--engine", "wrk");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        RunEvidence evidence = RunReader.read(sandbox.run("baseline"));
        assertThat(evidence.info().driver()).startsWith("wrk ").contains("no curve");
        assertThat(evidence.load()).hasSize(2);
        assertThat(evidence.load().stream().mapToLong(LoadBin::completed)).allMatch(completed -> completed > 0);
        assertThat(answer.out()).contains("only totals were kept");
    }
}
