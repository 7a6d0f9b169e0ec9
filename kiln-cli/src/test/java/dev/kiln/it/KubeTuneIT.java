package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.process.Ports;
import dev.kiln.host.process.Programs;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Searches on a deployment whose variable Kiln may set. There is no cluster in these tests: its pods are containers of podman. */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class KubeTuneIT {
    private static final String WHOLE = "protocol: [{load: 60s}, {pause: 1s}, {load: 20s}]";
    private static final String HANDED_ON = "-Dkiln.handed-on=true";

    private final Cluster cluster = new Cluster();
    private final Sandbox sandbox = cluster.sandbox();
    private final int port = Ports.free();
    private final String set = "kubectl set env deployment/" + cluster.app() + " -n shop";
    private final Path results = sandbox.results().resolve("tune");

    @AfterEach
    void leaveNothing() {
        cluster.close();
    }

    private String experiment(String more) {
        return sandbox.file("shop.yaml", """
                        target: {attach: 'kube:shop/deployment/%s', restart: %s JAVA_TOOL_OPTIONS}
                        load: {url: 'http://localhost:%d/', connections: 20}
                        %s
                        """.formatted(cluster.app(), set, port, more))
                .toString();
    }

    private Kiln tune() {
        return cluster.kiln("tune", experiment(WHOLE), "--results", results.toString());
    }

    private Kiln tuneToTheBaseline() {
        return tune().await(
                        "load of the baseline",
                        () -> results.resolve("1-baseline/baseline/1/load.csv")
                                        .toFile()
                                        .length()
                                > 1000);
    }

    private static String plain(Answer answer) {
        assertThat(answer.humane()).as(answer.err()).isTrue();
        return answer.err().replaceAll("\\s+", " ");
    }

    @Test
    void ctrlCGivesTheDeploymentItsOwnVariableBack() {
        cluster.deployment(port, "-Down=1", ":");

        Answer answer = tuneToTheBaseline().signal("INT").end();

        assertThat(answer.exit()).as(answer.err()).isEqualTo(130);
        assertThat(plain(answer))
                .contains(
                        "by JAVA_TOOL_OPTIONS: restart (" + set
                                + " -c app JAVA_TOOL_OPTIONS) sets it in the deployment for each"
                                + " run, with another number in KILN_RUN so that new pods start, and takes both back at the end",
                        "and has the rights of the container alone where this one runs: favoured compilers",
                        "0-handed-on: 1 short run of handed-on",
                        "restart (" + set
                                + " -c app JAVA_TOOL_OPTIONS=-Down=1 KILN_RUN-) started the service again as it was, without what was"
                                + " tried: pod shop/" + cluster.app() + "-4");
        assertThat(cluster.sets())
                .containsExactly(
                        "JAVA_TOOL_OPTIONS=-Down=1 " + HANDED_ON + " KILN_RUN=N",
                        "JAVA_TOOL_OPTIONS=-Down=1 KILN_RUN=N",
                        "JAVA_TOOL_OPTIONS=-Down=1 KILN_RUN-");
        assertThat(cluster.text("env")).isEqualTo("JAVA_TOOL_OPTIONS=-Down=1\n");
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void whatSomebodyElseSetMeanwhileStays() {
        cluster.deployment(port, "-Down=1", ":");
        Kiln kiln = tuneToTheBaseline();
        String theirs = cluster.text("env").replace("-Down=1", "-Dtheirs=1");
        sandbox.file("env", theirs);

        Answer answer = kiln.signal("INT").end();

        assertThat(plain(answer))
                .contains(
                        "somebody else has changed the variables of deployment shop/" + cluster.app()
                                + ", container app, so" + " Kiln leaves them as they are: " + set
                                + " -c app JAVA_TOOL_OPTIONS=-Dtheirs=1 KILN_RUN=",
                        "Before Kiln they were: " + set + " -c app JAVA_TOOL_OPTIONS=-Down=1 KILN_RUN-");
        assertThat(cluster.sets()).hasSize(2);
        assertThat(cluster.text("env")).isEqualTo(theirs);
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void aDeploymentThatDoesNotHandItOnEndsTheSearchAndIsAsItWas() {
        cluster.deployment(port, "", "unset JAVA_TOOL_OPTIONS");

        Answer answer = tune().end();

        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(plain(answer))
                .contains(
                        "restart (" + set
                                + " -c app JAVA_TOOL_OPTIONS) did not hand JAVA_TOOL_OPTIONS on to the service",
                        "see whether the image starts the JVM by a script that replaces the variable",
                        "Argo CD",
                        "JAVA_TOOL_OPTIONS- KILN_RUN-) started the service again as it was");
        assertThat(cluster.sets())
                .containsExactly("JAVA_TOOL_OPTIONS=" + HANDED_ON + " KILN_RUN=N", "JAVA_TOOL_OPTIONS- KILN_RUN-");
        assertThat(cluster.text("env")).isEmpty();
        assertThat(sandbox.remains()).isEmpty();
    }

    /** The deployment keeps what a run sets, so the end of all runs takes it back. */
    @Test
    @FullRun
    void runsOfVariantsLeaveTheDeploymentAsItWasToo() {
        cluster.deployment(port, "", ":");

        Answer answer = cluster.kiln(
                        "run",
                        experiment(
                                "variants: {plain: , quick: {environment: {JAVA_TOOL_OPTIONS: -Dquick=true}}}\nruns: 1\n"
                                        + "protocol: [{load: 4s}, {pause: 1s}, {load: 2s}]"),
                        "--results",
                        sandbox.results().toString())
                .end();

        assertThat(plain(answer)).contains("started the service again as it was");
        assertThat(cluster.sets())
                .hasSize(3)
                .contains("JAVA_TOOL_OPTIONS- KILN_RUN=N", "JAVA_TOOL_OPTIONS=-Dquick=true KILN_RUN=N")
                .last()
                .isEqualTo("JAVA_TOOL_OPTIONS- KILN_RUN-");
        assertThat(cluster.text("env")).isEmpty();
        assertThat(sandbox.evidence("quick").info().jvm().orElseThrow().flags()).contains("-Dquick=true");
        assertThat(sandbox.remains()).isEmpty();
    }

    /** What is in a ConfigMap is not read, so it is said what wins where it has the variable too. */
    @Test
    void whatWinsOverAConfigMapIsSaidBeforeTheFirstRun() {
        sandbox.file("envFrom", "{\"configMapRef\":{\"name\":\"common\"}}");
        cluster.deployment(port, "", "unset JAVA_TOOL_OPTIONS");

        assertThat(plain(tune().end()))
                .contains(
                        "deployment shop/" + cluster.app()
                                + ", container app, also has what is in ConfigMap common (envFrom),"
                                + " which Kiln does not read: if JAVA_TOOL_OPTIONS is in there, a run for which Kiln sets it has"
                                + " Kiln's value alone (env wins over envFrom)",
                        "each change makes a ReplicaSet, for which an old one leaves the deployment's history");
    }

    @Test
    void aValueThatCannotBePutBackIsRefused() {
        sandbox.file("sourced", "");

        Answer answer = tune().end();

        assertThat(answer.exit()).as(answer.err()).isEqualTo(2);
        assertThat(plain(answer))
                .contains(
                        "restart: deployment shop/" + cluster.app()
                                + ", container app, takes JAVA_TOOL_OPTIONS from somewhere else (valueFrom)",
                        "give it a value there");
        assertThat(cluster.sets()).isEmpty();
    }

    /** What is owed would be done in whatever cluster is the current one then. */
    @Test
    void whereKubectlDoesNotTellItsClusterNothingIsChanged() {
        sandbox.file("broken", "");

        Answer answer = tune().end();

        assertThat(answer.exit()).as(answer.err()).isEqualTo(3);
        assertThat(plain(answer))
                .contains(
                        "kubectl does not tell its current context: error: error loading config file: EOF",
                        "this must work: kubectl config view");
        assertThat(cluster.sets()).isEmpty();
    }

    /** What the other one tries would be taken for the deployment's own. */
    @Test
    void aDeploymentThatAnotherKilnChangesIsRefused() {
        sandbox.file("env", "JAVA_TOOL_OPTIONS=-Dtried=1\nKILN_RUN=" + System.currentTimeMillis() + "-1a2b3c4d\n");

        Answer answer = tune().end();

        assertThat(answer.exit()).as(answer.err()).isEqualTo(2);
        assertThat(plain(answer))
                .contains(
                        "restart: deployment shop/" + cluster.app()
                                + ", container app, has KILN_RUN, which a Kiln set ",
                        " min ago: it changes the deployment now, or",
                        set + " -c app KILN_RUN-");
        assertThat(cluster.sets()).isEmpty();
    }

    /** The real program, without a cluster. */
    @Test
    void kubectlTakesTheWords() throws Exception {
        assumeTrue(Programs.find("kubectl").isPresent(), "no kubectl (apt-get install kubernetes-client)");
        Path file = sandbox.file("deployment.yaml", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: checkout}
                spec:
                  template:
                    spec:
                      containers:
                        - {name: proxy, image: proxy}
                        - name: app
                          image: app
                          env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx1g}, {name: OTHER, value: stays}]
                """);
        SetEnv set = SetEnv.of(new Hook(
                        HookMoment.RESTART,
                        List.of("kubectl", "set", "env", "deployment/checkout", "-c", "app", "JAVA_TOOL_OPTIONS", "A"),
                        sandbox.root()))
                .orElseThrow();

        JsonNode started = said(file, set.start(Map.of("JAVA_TOOL_OPTIONS", "-Xmx2g -Dgreeting='a b'"), 7));
        assertThat(started.toString())
                .contains(
                        "{\"name\":\"JAVA_TOOL_OPTIONS\",\"value\":\"-Xmx2g -Dgreeting='a b'\"}",
                        "{\"name\":\"KILN_RUN\",\"value\":\"7-",
                        "{\"name\":\"OTHER\",\"value\":\"stays\"}");
        assertThat(started.at("/spec/template/spec/containers/0/env").isMissingNode())
                .isTrue();
        JsonNode back = said(file, set.back(Map.of()));
        assertThat(back.at("/spec/template/spec/containers/1/env").toString())
                .isEqualTo("[{\"name\":\"OTHER\",\"value\":\"stays\"}]");
    }

    private static JsonNode said(Path file, List<String> words) throws IOException, InterruptedException {
        List<String> local = new ArrayList<>(words);
        local.remove("deployment/checkout");
        local.addAll(List.of("--local", "-o", "json", "-f", file.toString()));
        Process kubectl = new ProcessBuilder(local).redirectErrorStream(true).start();
        String said = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(kubectl.waitFor()).as(said).isZero();
        return JsonMapper.shared().readTree(said);
    }
}
