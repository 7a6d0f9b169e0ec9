package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.process.Programs;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.model.experiment.Where.AttachPoint.KubePod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What Kiln sets in a deployment, and what is owed to it: done only where it has all that a start set, for a later hand is not overruled. */
class DeployedTest {
    private static final String NOTHING = "nothing was set: the deployment does not have what a run of Kiln set\n";

    /** It has a line break, what a shell would expand, and letters of two bytes. */
    private static final String TRIED = "-Da='b c' $HOME\n\"*\" \u00e9";

    private static final SetEnv SET = new SetEnv(
            "checkout", Optional.of("shop"), Optional.of("app"), Optional.empty(), List.of("B", "A"), List.of());

    private static final KubePod POD = new KubePod("shop", true, "checkout", Optional.of("app"), 1);

    @TempDir
    private Path dir;

    private static Deployed deployed(Map<String, String> before) {
        return new Deployed(SET, POD, before, List.of());
    }

    private static String mark(Map<String, String> values) {
        return SET.start(values, 17).getLast().replace("KILN_RUN=", "");
    }

    private static String said(Deployed deployed, List<String> ask) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", deployed.guard(ask) + "; echo set").start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return shell.waitFor() == 0 ? said : "failed";
    }

    private String said(Map<String, String> before, String answer) throws IOException, InterruptedException {
        Path file = Files.writeString(dir.resolve("answer"), answer);
        return said(deployed(before), List.of("cat", file.toString()));
    }

    @Test
    void aLaterHandIsNotOverruled() throws Exception {
        String mark = mark(Map.of("A", TRIED));

        assertThat(said(Map.of(), "A=" + TRIED + "\n=\n" + mark)).isEqualTo("set\n");
        assertThat(said(Map.of(), "A=theirs\n=\n" + mark)).isEqualTo(NOTHING);
        assertThat(said(Map.of(), "A=" + TRIED + "\nB=\n" + mark)).isEqualTo(NOTHING);
        assertThat(said(Map.of(), "A=" + TRIED + "\n=\n")).isEqualTo(NOTHING);
        assertThat(said(Map.of(), "=\n=\n")).isEqualTo(NOTHING);
        assertThat(said(Map.of(), "")).as("it is gone").isEqualTo(NOTHING);
        assertThat(said(Map.of("KILN_RUN", mark), "A=" + TRIED + "\n=\n" + mark))
                .as("the mark was there before")
                .isEqualTo(NOTHING);
        assertThat(said(deployed(Map.of()), List.of("cat", dir.resolve("none").toString())))
                .as("the cluster does not tell")
                .isEqualTo("failed");
    }

    @Test
    void aMarkThatWasThereIsSaid() {
        assertThat(deployed(Map.of("A", "x")).notes()).isEmpty();
        assertThat(deployed(Map.of("A", "x", "KILN_RUN", "1-0")).notes())
                .singleElement()
                .asString()
                .startsWith("deployment shop/checkout, container app, has KILN_RUN already")
                .endsWith("What it has is taken for its own: kubectl set env deployment/checkout -n shop -c app B- A=x"
                        + " KILN_RUN=1-0");
    }

    /** What is in a ConfigMap or a Secret is not read, so no word says that the variable is there. */
    @Test
    void whatWinsOverOtherSourcesIsSaid() {
        assertThat(Deployed.read(container("{\"name\":\"A\",\"value\":\"x\"}"), SET, POD)
                        .notes())
                .containsExactly(
                        "deployment shop/checkout, container app, also has what is in ConfigMap common, Secret keys (envFrom),"
                                + " which Kiln does not read: if B is in there, a run for which Kiln sets it has Kiln's value"
                                + " alone (env wins over envFrom), and any other run has that one. Kiln reads what env has:"
                                + " give it an entry there");
        assertThat(Deployed.read(
                                container("{\"name\":\"A\",\"value\":\"x\"},{\"name\":\"B\",\"value\":\"\"}"), SET, POD)
                        .notes())
                .as("env had both, and wins as before")
                .isEmpty();
    }

    private static JsonNode container(String env) {
        return JsonMapper.shared()
                .readTree("{\"name\":\"app\",\"envFrom\":[{\"configMapRef\":{\"name\":\"common\"}},"
                        + "{\"prefix\":\"K_\",\"secretRef\":{\"name\":\"keys\"}}],\"env\":[" + env + "]}");
    }

    /** The real program, without a cluster. */
    @Test
    void kubectlAnswersTheQuestion() throws Exception {
        assumeTrue(Programs.find("kubectl").isPresent(), "no kubectl (apt-get install kubernetes-client)");
        Deployed deployed = deployed(Map.of());

        assertThat(said(deployed, local(deployed, SET.start(Map.of("A", TRIED), 17))))
                .isEqualTo("set\n");
        assertThat(said(deployed, local(deployed, SET.start(Map.of("A", "", "B", "x"), 17))))
                .isEqualTo("set\n");
        List<String> theirs = List.of("kubectl", "set", "env", "A=theirs", "KILN_RUN=" + mark(Map.of("A", TRIED)));
        assertThat(said(deployed, local(deployed, theirs))).isEqualTo(NOTHING);
        assertThat(said(deployed, local(deployed, List.of("kubectl", "set", "env", "OTHER=x"))))
                .isEqualTo(NOTHING);
    }

    @Test
    void kubectlTakesTheWords() throws Exception {
        assumeTrue(Programs.find("kubectl").isPresent(), "no kubectl (apt-get install kubernetes-client)");

        JsonNode started = containers(SET.start(Map.of("A", "-Xmx2g -Dgreeting='a b'"), 7));
        assertThat(started.at("/1/env").toString())
                .contains(
                        "{\"name\":\"A\",\"value\":\"-Xmx2g -Dgreeting='a b'\"}",
                        "{\"name\":\"KILN_RUN\",\"value\":\"7-",
                        "{\"name\":\"OTHER\",\"value\":\"stays\"}");
        assertThat(started.at("/0/env").toString()).isEqualTo("[{\"name\":\"A\",\"value\":\"of the proxy\"}]");
        assertThat(containers(SET.back(Map.of())).at("/1/env").toString())
                .isEqualTo("[{\"name\":\"OTHER\",\"value\":\"stays\"}]");
    }

    private JsonNode containers(List<String> set) throws IOException, InterruptedException {
        Process kubectl =
                new ProcessBuilder(local(set, "json")).redirectErrorStream(true).start();
        String said = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(kubectl.waitFor()).as(said).isZero();
        return JsonMapper.shared().readTree(said).at("/spec/template/spec/containers");
    }

    private List<String> local(Deployed deployed, List<String> set) throws IOException {
        return local(set, "jsonpath=" + deployed.question());
    }

    /** Returns a command that sets variables of a file, and tells what comes out. */
    private List<String> local(List<String> set, String output) throws IOException {
        Path file = Files.writeString(dir.resolve("deployment.yaml"), """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: checkout}
                spec:
                  template:
                    spec:
                      containers:
                        - {name: proxy, image: proxy, env: [{name: A, value: of the proxy}]}
                        - name: app
                          image: app
                          env: [{name: A, value: -Xmx1g}, {name: OTHER, value: stays}]
                """);
        List<String> words = new ArrayList<>(set);
        words.remove("deployment/checkout");
        words.removeAll(List.of("-n", "shop", "-c", "app"));
        words.addAll(List.of("-c", "app", "--local", "-f", file.toString(), "-o", output));
        return words;
    }
}
