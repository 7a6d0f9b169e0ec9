package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.Changes;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.report.TerminalStyle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The cure of a service that others start, as files for whoever starts it. */
class TunedOfOthersTest {
    private static final Change CHANGE =
            new Change(List.of(new Modifier.XBatch()), List.of("-Dprice=$5", "-Dgreeting=it's"), Optional.empty());

    @TempDir
    Path folder = Path.of("");

    private Variant baseline(String restart) throws IOException {
        return ExperimentFile.read(Files.writeString(
                        folder.resolve("e.yaml"),
                        "target: {attach: shop, environment: {JAVA_TOOL_OPTIONS: -Xmx1g}, restart: " + restart
                                + "}\nload: {url: 'http://localhost:8080/'}\n"))
                .variants()
                .getFirst();
    }

    private Map<String, String> texts(String restart) throws IOException {
        Variant baseline = baseline(restart);
        return TunedFilesTest.texts(baseline, Changes.of(baseline, "xbatch", CHANGE));
    }

    @Test
    void composeGetsAnOverrideThatIsYaml() throws IOException {
        Map<String, String> texts = texts("docker compose up -d --force-recreate app");

        JsonNode override = new YAMLMapper()
                .readTree(
                        Optional.ofNullable(texts.get("compose.override.yaml")).orElseThrow());
        assertThat(override.at("/services/app/environment/JAVA_TOOL_OPTIONS").asString())
                .as("a dollar is doubled for compose")
                .isEqualTo("-Xmx1g -Dprice=$$5 -Dgreeting=\"it's\" -Xbatch");
        assertThat(texts.get("compose.override.yaml"))
                .contains("# Proven by the runs in results/tune/5-proof-cured:\n")
                .doesNotContain("SERVICE");
        assertThat(texts("docker compose up -d").get("compose.override.yaml"))
                .contains("Put the name of yours for SERVICE.", "\n  SERVICE:\n");
        assertThat(texts("systemctl restart shop")).doesNotContainKey("compose.override.yaml");
        assertThat(TunedFiles.NAMES).contains("compose.override.yaml");
    }

    @Test
    void kubectlGetsItsCommand() throws IOException {
        assertThat(texts("kubectl -n shop rollout restart deployment/checkout").get("kubernetes.yaml"))
                .contains("The environment alone: kubectl set env -n shop deployment/checkout 'JAVA_TOOL_OPTIONS=-Xmx1g"
                        + " -Dprice=$5 ");
        assertThat(texts("systemctl restart shop").get("kubernetes.yaml")).doesNotContain("set env");
    }

    @Test
    void theNamesOfADeploymentThatWasMeasuredAreInItsPatch() throws IOException {
        Variant baseline = ExperimentFile.read(Files.writeString(
                        folder.resolve("e.yaml"),
                        "target: {attach: 'kube:shop/deployment/checkout', restart: kubectl set env deployment/checkout -n"
                                + " shop -c app JAVA_TOOL_OPTIONS}\nload: {url: 'http://localhost:8080/'}\n"))
                .variants()
                .getFirst();

        String patch = String.valueOf(TunedFilesTest.texts(baseline, Changes.of(baseline, "xbatch", CHANGE))
                .get("kubernetes.yaml"));
        assertThat(patch)
                .contains(
                        "kubectl patch deployment checkout -n shop --patch-file",
                        "kubectl set env -n shop -c app deployment/checkout 'JAVA_TOOL_OPTIONS=-Dprice=$5 ");
        JsonNode object = new YAMLMapper().readTree(patch);
        assertThat(object.at("/metadata/name").asString()).isEqualTo("checkout");
        assertThat(object.at("/spec/template/spec/containers/0/name").asString())
                .isEqualTo("app");
    }

    @Test
    void whatHandsTheFlagsOnIsSaid() throws IOException {
        Variant baseline = baseline("systemctl restart shop");
        Variant cured = Changes.of(baseline, "xbatch", CHANGE);

        assertThat(TuneText.terminal(TunedFilesTest.tuning(cured), baseline, TerminalStyle.plain())
                        .replaceAll("\\s+", " "))
                .contains(
                        "The flags reach the JVM that restart (systemctl restart shop) starts by JAVA_TOOL_OPTIONS in its"
                                + " environment; a flag on that JVM's command line wins over them.");
    }

    /** A variant of the user's own may have another compose file. */
    @Test
    void anotherCommandIsADifferenceThatNoFileCanSay() throws IOException {
        Variant baseline = baseline("systemctl restart shop");
        Variant other = baseline("systemctl restart shop-tuned").named("tuned");

        assertThat(Candidates.changes(baseline, other)).containsExactly("restart systemctl restart shop-tuned");
        assertThat(TunedFilesTest.texts(baseline, other).get("service.env"))
                .contains("# Also needed, and not in this file: restart systemctl restart shop-tuned\n");
        assertThat(Candidate.of(other.named("v")).isSame(Candidate.of(baseline.named("w"))))
                .isFalse();
    }
}
