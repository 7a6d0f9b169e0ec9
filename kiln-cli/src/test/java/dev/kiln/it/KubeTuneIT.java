package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Searches on a deployment whose variable Kiln may set. There is no cluster in these tests: its pods are containers of podman. */
@Execution(ExecutionMode.CONCURRENT)
final class KubeTuneIT extends DeploymentSearch {
    private static final String HANDED_ON = "-Dkiln.handed-on=true";

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
        String theirs = changedByOthers();

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
}
