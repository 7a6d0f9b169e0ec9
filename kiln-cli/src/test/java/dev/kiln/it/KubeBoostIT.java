package dev.kiln.it;

import static dev.kiln.it.Kiln.assertTold;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.Ports;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunInfo;
import dev.kiln.testing.FullRun;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Pods that get more CPU while they are new. There is no cluster in these tests: the stand-in changes the cgroup of a container of
 * podman.
 */
@Execution(ExecutionMode.CONCURRENT)
final class KubeBoostIT {
    private final Cluster cluster = new Cluster();
    private final Sandbox sandbox = cluster.sandbox();
    private final int port = Ports.free();

    @AfterEach
    void leaveNothing() {
        cluster.close();
    }

    private Kiln boosted(String boost, String load) {
        return cluster.run(
                "kube:shop/deployment/" + cluster.app(),
                port,
                load,
                "--restart",
                "kubectl rollout restart deployment/" + cluster.app() + " -n shop",
                "--runs",
                "1",
                "--with",
                "baseline=cpu-boost:" + boost);
    }

    /** A pod with half a CPU, and the one that takes it over. */
    private LentContainer next() {
        cluster.limit(500);
        return cluster.rollout(cluster.pod("a", port), "b", port);
    }

    @Test
    void aNewPodHasMoreCpuUntilTheTimeIsOver() {
        LentContainer next = next();

        Answer answer = boosted("1 to 0.5 for 12s", "load=12s,pause=1s,load=2s").end();

        RunInfo info = cluster.sandbox().evidence("baseline").info();
        assertThat(info.outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(answer.humane()).as(answer.err()).isTrue();
        // What its cgroup had then: 100 ms of each 100, and 50 ms.
        assertThat(cluster.patched()).containsExactly(next.name() + " 1000 100000", next.name() + " 500 50000");
        assertThat(info.course().boostEndNanos().orElseThrow()).isGreaterThanOrEqualTo(12_000_000_000L);
        assertThat(info.treatment().modifiers()).containsExactly("cpu-boost: 1 to 0.5 for 12s");
        assertThat(info.notes())
                .anyMatch(note -> note.startsWith("cpu-boost: pod shop/" + next.name()
                        + " began with a CPU limit of 0.5, by which its JVM chose; Kiln asked for"))
                .anyMatch(note -> note.startsWith("cpu-boost: 1 to 0.5 for 12s: the CPU limit was lowered "));
    }

    /** The limit that it had is another than that of the end. */
    @Test
    @FullRun
    void atTheEndAPodHasTheLimitThatItHad() {
        LentContainer next = next();

        Answer answer = boosted("1 to 0.8 for 8s", "load=8s,pause=1s,load=2s").end();

        assertThat(cluster.sandbox().evidence("baseline").info().outcome())
                .as(answer.err())
                .isEqualTo(Outcome.COMPLETED);
        assertThat(cluster.patched())
                .containsExactly(next.name() + " 1000 100000", next.name() + " 800 80000", next.name() + " 500 50000");
    }

    /** As where a node is slow to carry out what it was told. */
    @Test
    @FullRun
    void aLimitThatIsNotLoweredInTimeIsSaid() {
        LentContainer next = next();
        Kiln kiln = boosted("1 to 0.5 for 5s", "load=8s,pause=1s,load=2s").await("load", cluster.sandbox()::isLoaded);

        sandbox.file("held", "1");

        Answer answer = kiln.end();
        RunInfo info = cluster.sandbox().evidence("baseline").info();
        assertThat(info.outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(info.notes())
                .anyMatch(note ->
                        note.startsWith("cpu-boost: the lower CPU limit did not hold yet 20 s after it was asked for")
                                && note.endsWith(": pod shop/" + next.name() + ": its limit is 1"));
    }

    /** As when a node is drained in the middle of a rollout. */
    @Test
    @FullRun
    void aPodThatIsGoneWhenItsFollowerComesIsForgotten() {
        cluster.limit(500);
        LentContainer old = cluster.pod("a", port);
        List<LentContainer> next = cluster.rollout(old, List.of("b", "c"), List.of(port, port));
        List<String> steps = cluster.text("rollout.sh").lines().toList();
        String untilRaised = "while [ ! -s " + sandbox.root() + "/patched ]; do sleep 0.2; done";
        String gone = "podman rm --force --time 0 " + next.getFirst().name();
        sandbox.file(
                "rollout.sh",
                String.join("\n", steps.get(0), steps.get(2), steps.get(3), untilRaised, gone, steps.get(1)));

        Answer answer = boosted("1 to 0.5 for 12s", "load=8s,pause=1s,load=2s").end();

        assertThat(cluster.sandbox().evidence("baseline").info().outcome())
                .as(answer.err())
                .isEqualTo(Outcome.COMPLETED);
        String last = next.getLast().name();
        assertThat(cluster.patched())
                .containsExactly(next.getFirst().name() + " 1000 100000", last + " 1000 100000", last + " 500 50000");
    }

    @Test
    void afterCtrlCAPodHasTheLimitThatItHad() {
        LentContainer next = next();

        boosted("1 to 0.5 for 300s", "load=120s")
                .await("load", cluster.sandbox()::isLoaded)
                .signal("INT")
                .end();

        assertThat(cluster.patched()).containsExactly(next.name() + " 1000 100000", next.name() + " 500 50000");
    }

    @Test
    @FullRun
    void ifKilnIsKilledTheNextOnePutsItBack() {
        LentContainer next = next();
        boosted("1 to 0.5 for 300s", "load=120s")
                .await("load", cluster.sandbox()::isLoaded)
                .signal("KILL")
                .end();
        assertThat(cluster.patched()).containsExactly(next.name() + " 1000 100000");

        cluster.run("kube:shop/" + next.name(), port, "load=1s").end();

        assertThat(cluster.patched()).containsExactly(next.name() + " 1000 100000", next.name() + " 500 50000");
    }

    @Test
    void whatCannotBeBoostedIsSaid() {
        sandbox.file("minor", "31");
        assertTold(
                boosted("1 to 0.5 for 5s", "load=1s").end(),
                3,
                "cpu-boost: the cluster is Kubernetes 1.31, and the CPU of a running pod can be changed from 1.33 on");
        sandbox.file("minor", "34");
        LentContainer old = cluster.pod("a", port);
        LentContainer next = cluster.rollout(old, "b", port);
        assertTold(
                boosted("1 to 0.5 for 5s", "load=1s").end(),
                1,
                "cpu-boost: container app of pod shop/" + next.name() + " has no CPU limit");
        assertTold(
                cluster.run("kube:shop/" + next.name(), port, "load=1s", "--with", "baseline=cpu-boost:1 to 0.5 for 5s")
                        .end(),
                2,
                "found cpu-boost with attach: kube:shop/" + next.name() + " and without restart");
        assertThat(cluster.patched()).isEqualTo(List.of());
    }

    @Test
    @FullRun
    void whereTheClusterRefusesNothingIsOwed() {
        LentContainer next = next();
        sandbox.file("refuse", "");

        Answer answer = boosted("1 to 0.5 for 5s", "load=1s").end();

        assertTold(
                answer,
                1,
                "cpu-boost: the cluster does not change the CPU of pod shop/" + next.name()
                        + ": Error from server (Forbidden)",
                "you need the right to patch pods/resize");
        assertThat(answer.err()).doesNotContain("cpu-boost (sh");
        assertThat(cluster.patched()).isEmpty();
    }
}
