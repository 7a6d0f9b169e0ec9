package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.explain.Service;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.tune.HandedOn.GlimpsedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a restart command hands a variable on is told by the flags of the JVM that it brought. */
class HandedOnTest {
    private static final String RESTART = "restart (./start.sh --now)";

    @TempDir
    Path folder = Path.of("");

    private final List<Experiment> asked = new ArrayList<>();

    private Experiment experiment(String target) throws IOException {
        Path script = folder.resolve("start.sh");
        if (!Files.exists(script)) {
            assertThat(Files.createFile(script).toFile().setExecutable(true)).isTrue();
        }
        return ExperimentFile.read(Files.writeString(
                folder.resolve("e.yaml"),
                "target: " + target + "\nload: {url: 'http://localhost:8080/'}\nprotocol: [{load: 60s}]\n"));
    }

    private Experiment shop() throws IOException {
        return experiment("{attach: 'port:8080', restart: ./start.sh --now}");
    }

    private HandedOn handedOn(Experiment experiment) {
        return new HandedOn(experiment, new TuneStage(folder.resolve("0-handed-on")));
    }

    private GlimpsedRun given(String... flags) {
        return (stage, alone) -> {
            asked.add(alone);
            Service service = Service.healthy();
            service.made.flags = List.of(flags);
            return service.evidence();
        };
    }

    @Test
    void oneShortRunShowsIt() throws IOException {
        assertThat(handedOn(shop()).show(given("-Dkiln.handed-on=true", "-Xmx1g")))
                .isEmpty();

        assertThat(asked).singleElement().satisfies(alone -> {
            assertThat(alone.protocol().duration().toSeconds()).isEqualTo(3);
            assertThat(alone.variants().getFirst().target().environment().get("JAVA_TOOL_OPTIONS"))
                    .endsWith("-Dkiln.handed-on=true");
            assertThat(alone.runs().atMost()).isEqualTo(1);
        });
    }

    @Test
    void aVariableThatDoesNotArriveEndsTheSearch() throws IOException {
        HandedOn handedOn = handedOn(shop());

        assertThatThrownBy(() -> handedOn.show(given("-Xmx1g")))
                .isInstanceOfSatisfying(KilnException.class, e -> {
                    assertThat(e.exit().code()).isEqualTo(1);
                    assertThat(e.remedy()).contains("'environment: [JAVA_TOOL_OPTIONS]'", "--env JAVA_TOOL_OPTIONS");
                })
                .hasMessage(RESTART + " did not hand JAVA_TOOL_OPTIONS on to the service: the JVM was not given"
                        + " -Dkiln.handed-on=true, so nothing can be tried");
    }

    @Test
    void aJvmThatTellsTheBeginningOnlyShowsNothing() throws IOException {
        assertThat(handedOn(shop()).show(given("-Dlong=" + "x".repeat(2000))))
                .hasValueSatisfying(note -> assertThat(note)
                        .contains("tells only the beginning of its arguments, so whether " + RESTART + " hands"));
    }

    /** One that Kiln starts gets its flags on its command line. */
    @Test
    void nothingIsRunForAServiceThatKilnStarts() throws IOException {
        Experiment started = experiment("{command: java -version}");

        assertThat(handedOn(started).show(given())).isEmpty();
        assertThat(asked).isEmpty();
        assertThat(HandedOn.plan(started.variants().getFirst().target())).isEmpty();
    }

    @Test
    void thePlanSaysHowAndWhatIsNotTried() throws IOException {
        assertThat(HandedOn.plan(shop().variants().getFirst().target()).orElseThrow())
                .contains(
                        "by JAVA_TOOL_OPTIONS in the environment of " + RESTART,
                        "Not tried, because Kiln changes nothing of a process that it does not start: favoured compilers",
                        "no AOT caches")
                .doesNotContain("resize");
        assertThat(HandedOn.plan(
                        experiment("{attach: shop, restart: [sh, -c, kubectl rollout restart deployment/shop]}")
                                .variants()
                                .getFirst()
                                .target()))
                .hasValueSatisfying(
                        plan -> assertThat(plan).contains("CPU boosts (an in-place resize of the pod is not built)"));
    }

    @Test
    void thePlanSaysWhatIsSetInADeploymentAndWhatIsNotTriedInAPod() throws IOException {
        Target deployed = deployed("kubectl set env deployment/checkout -n shop JAVA_TOOL_OPTIONS");
        assertThat(HandedOn.plan(deployed).orElseThrow())
                .contains(
                        "by JAVA_TOOL_OPTIONS: restart (kubectl set env deployment/checkout -n shop JAVA_TOOL_OPTIONS) sets it in"
                                + " the deployment for each run, with another number in KILN_RUN so that new pods start, and"
                                + " takes both back at the end; each change makes a ReplicaSet, for which an old one leaves the"
                                + " deployment's history; one short run shows first that it comes there",
                        "Not tried, because Kiln changes nothing of a process that it does not start, and has the rights of the"
                                + " container alone where this one runs: favoured compilers, CPUs",
                        "CPU boosts (an in-place resize of the pod is not built)");
        assertThat(RestartedBy.of(deployed).starter().advice()).contains("Argo CD");
        Target restarted = deployed("kubectl rollout restart deployment/checkout -n shop");
        assertThat(RestartedBy.of(restarted).starter().advice())
                .contains("restart: kubectl set env deployment/NAME -n NAMESPACE JAVA_TOOL_OPTIONS");
    }

    private Target deployed(String restart) throws IOException {
        return experiment("{attach: 'kube:shop/deployment/checkout', restart: " + restart + "}")
                .variants()
                .getFirst()
                .target();
    }

    /** A compose file that has a default for the variable loses it. */
    @Test
    void whatTheVariableTookAwayIsFound() {
        List<String> own = List.of("-Xmx512m", "-Dname=a", "-Xms64m", "-Dinstance=4711", "b");

        assertThat(HandedOn.lost(jvm(own), jvm(List.of("-Dkiln.handed-on=true", "-Xms64m", "-Dinstance=4712"))))
                .containsExactly("-Xmx512m", "-Dname=a");
        assertThat(HandedOn.lost(jvm(own), jvm(own))).isEmpty();
        assertThat(HandedOn.lost(jvm(own), jvm(List.of("-Dlong=" + "x".repeat(1000)))))
                .as("the JVM does not tell all")
                .isEmpty();
    }

    private static JvmInfo jvm(List<String> flags) {
        return new JvmInfo("/jdk", "25", "Temurin", flags, List.of());
    }

    @Test
    void whoStartsTheServiceIsReadFromTheCommand() throws IOException {
        for (String compose : List.of(
                "docker compose -f a.yaml up -d --no-deps --timeout 5 --force-recreate app",
                "podman-compose up -d app")) {
            RestartedBy by = by(compose);
            assertThat(by.starter()).as(compose).isEqualTo(RestartedBy.Starter.COMPOSE);
            assertThat(by.service()).as(compose).contains("app");
        }
        assertThat(by("docker compose up -d").service()).isEmpty();
        assertThat(by("[sh, -c, cd shop && /usr/bin/docker compose up -d app]"))
                .as("a shell's script is not taken apart")
                .isEqualTo(new RestartedBy(RestartedBy.Starter.COMPOSE, Optional.empty()));
        assertThat(by("docker compose up -d app db").service()).isEmpty();
        assertThat(by("kubectl -n shop rollout restart deployment/checkout"))
                .isEqualTo(new RestartedBy(RestartedBy.Starter.KUBECTL, Optional.of("-n shop deployment/checkout")));
        assertThat(by("kubectl apply -f deploy/app.yaml").service())
                .as("a file is no object")
                .isEmpty();
        assertThat(by("kubectl --context staging --kubeconfig=k.yaml rollout restart deploy/a -n=b")
                        .service())
                .contains("--context staging --kubeconfig=k.yaml -n=b deploy/a");
        assertThat(by("systemctl restart shop").starter()).isEqualTo(RestartedBy.Starter.SYSTEMD);
        assertThat(by("podman restart shop").starter()).isEqualTo(RestartedBy.Starter.ENGINE);
        assertThat(by("./start.sh").starter()).isEqualTo(RestartedBy.Starter.OTHER);
        assertThat(RestartedBy.of(experiment("{command: java -version}")
                                .variants()
                                .getFirst()
                                .target())
                        .starter())
                .isEqualTo(RestartedBy.Starter.OTHER);
    }

    private RestartedBy by(String restart) throws IOException {
        return RestartedBy.of(experiment("{attach: shop, restart: " + restart + "}")
                .variants()
                .getFirst()
                .target());
    }
}
