package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.model.experiment.Variant;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A restart that sets variables of a deployment: what it is, what it may set, and what is refused. */
class SetEnvRulesTest extends WrittenExperiment {
    private static final String ATTACH = "target:\n  attach: kube:shop/deployment/checkout\n  restart: ";

    private Optional<SetEnv> set(String restart) throws IOException {
        return SetEnv.of(
                read(ATTACH + restart + "\n" + LOAD).variants().getFirst().target());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubectl set env deployment/checkout -n shop -c app JAVA_TOOL_OPTIONS A",
                "kubectl set env -n=shop deploy/checkout JAVA_TOOL_OPTIONS A --containers=app",
                "kubectl set env --namespace shop --containers app deployments/checkout JAVA_TOOL_OPTIONS A"
            })
    void itIsReadAndWritten(String restart) throws IOException {
        SetEnv set = set(restart).orElseThrow();

        List<String> place = List.of("kubectl", "set", "env", "deployment/checkout", "-n", "shop", "-c", "app");
        assertThat(set.words()).startsWith(place.toArray(String[]::new)).endsWith("JAVA_TOOL_OPTIONS", "A");
        assertThat(set.start(Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g -Xbatch", "OTHER", "x"), 17))
                .startsWith(place.toArray(String[]::new))
                .endsWith("JAVA_TOOL_OPTIONS=-Xmx1g -Xbatch", "A-", "KILN_RUN=17-13903384")
                .hasSize(place.size() + 3);
        assertThat(set.back(Map.of("A", ""))).endsWith("JAVA_TOOL_OPTIONS-", "A=", "KILN_RUN-");
        assertThat(set.back(Map.of("KILN_RUN", "3"))).endsWith("KILN_RUN=3");
    }

    @Test
    void whatSomebodyElseSetIsSeen() throws IOException {
        SetEnv set = set("kubectl set env deployment/checkout B A").orElseThrow();
        String mark = set.start(Map.of("A", "x", "OTHER", "z"), 17).getLast().replace("KILN_RUN=", "");

        assertThat(set.isOfStart(Map.of("A", "x", "KILN_RUN", mark))).isTrue();
        assertThat(set.isOfStart(Map.of("A", "y", "KILN_RUN", mark))).isFalse();
        assertThat(set.isOfStart(Map.of("A", "x", "B", "", "KILN_RUN", mark))).isFalse();
        assertThat(set.isOfStart(Map.of("A", "x"))).isFalse();
    }

    @Test
    void itMayNameTheClusterToo() throws IOException {
        SetEnv set =
                set("kubectl set env deployment/checkout A --context staging").orElseThrow();

        List<String> place = List.of("kubectl", "set", "env", "deployment/checkout", "--context", "staging");
        assertThat(set.words()).startsWith(place.toArray(String[]::new)).endsWith("A");
        assertThat(set.start(Map.of(), 17)).startsWith(place.toArray(String[]::new));
        assertThat(set.back(Map.of())).startsWith(place.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubectl rollout restart deployment/checkout -n shop",
                "kubectl set env deployment/checkout -n shop JAVA_TOOL_OPTIONS=-Xmx1g",
                "[sh, -c, kubectl set env deployment/checkout JAVA_TOOL_OPTIONS]"
            })
    void anotherCommandIsTheUsersOwn(String restart) throws IOException {
        assertThat(set(restart)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kubectl set env deployment/other A | of deployment/other, expected deployment/checkout -n shop, as attach has it",
                "kubectl set env deployment/checkout -n x A | of deployment/checkout -n x, expected deployment/checkout -n shop",
                "kubectl set env deployment checkout A | without a deployment, expected deployment/checkout -n shop",
                "kubectl set env deployment/checkout A --server x | with --server, expected the deployment, -n, -c, --context and names",
                "kubectl set env deployment/checkout A B=c | with B=c, expected the deployment, -n, -c, --context and names"
            })
    void whatKilnCouldNotPutBackIsRefused(String restart, String message) {
        refused(ATTACH + restart + "\n" + LOAD, "found restart: kubectl set env " + message);
    }

    @Test
    void itGoesWithItsDeploymentAlone() {
        refused(
                "target: {attach: 'kube:shop/checkout', restart: kubectl set env deployment/checkout A}\n" + LOAD,
                "with attach: kube:shop/checkout, expected attach: kube:NAMESPACE/deployment/NAME");
        refused(
                ATTACH + "kubectl set env deployment/checkout A\n  stop: 'true'\n" + LOAD,
                "found restart: kubectl set env and stop, expected one of them");
        refused(
                ATTACH + "kubectl set env deployment/checkout A\n  environment: {A: b, C: d}\n" + LOAD,
                "found restart: kubectl set env A, which does not set C of environment: name it there too");
        refused(
                ATTACH + "kubectl set env deployment/checkout A\nvariants:\n  one:\n"
                        + "  two: {restart: kubectl rollout restart deployment/checkout -n shop}\n" + LOAD,
                "variant two: its restart must set the variables of the same deployment as that of one");
    }

    /** What Kiln itself was given is not what a deployment has. */
    @Test
    void aChangeIsAddedToWhatTheDeploymentHas() throws IOException {
        Variant baseline = read(ATTACH + "kubectl set env deployment/checkout JAVA_TOOL_OPTIONS\n"
                        + "  environment: {JAVA_TOOL_OPTIONS: -Xmx1g}\n" + LOAD)
                .variants()
                .getFirst();
        assertThat(Changes.of(baseline, "batch", Change.flags("-Xbatch"))
                        .target()
                        .environment())
                .isEqualTo(Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g -Xbatch"));
        Variant bare = read(ATTACH + "kubectl set env deployment/checkout JAVA_TOOL_OPTIONS\n" + LOAD)
                .variants()
                .getFirst();
        assertThat(Changes.ScriptChange.of(bare.target(), Change.flags("-Xbatch"))
                        .inherited())
                .isEmpty();
    }
}
