package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostRulesTest {
    private static final String LOAD = "load: {url: 'http://${host}:${port}/'}\n";

    @TempDir
    private Path dir;

    private Experiment read(String yaml) throws IOException {
        return ExperimentFile.read(Files.writeString(dir.resolve("test.yaml"), yaml));
    }

    @Test
    void aCommandIsTakenAsItIsForAnotherMachine() throws IOException {
        Target target = read("""
                target:
                  host: me@box
                  command: /jdk/bin/java -jar app.jar --port=${port}
                  directory: /srv/app
                """ + LOAD).variants().getFirst().target();
        assertThat(target.where()).isEqualTo(new Where.HostPlace("me@box", List.of()));
        assertThat(target.command()).containsExactly("/jdk/bin/java", "-jar", "app.jar", "--port=${port}");
        assertThat(target.workingDirectory()).contains(Path.of("/srv/app"));
    }

    @Test
    void withoutADirectoryItIsThatOfTheAgent() throws IOException {
        assertThat(read("target: {host: box, command: 'x ${port}'}\n" + LOAD)
                        .variants()
                        .getFirst()
                        .target()
                        .workingDirectory())
                .isEmpty();
    }

    @Test
    void aVariantsDirectoryIsOnTheMachineThatItInherits() throws IOException {
        String target = "target: {host: box, command: 'x ${port}'}\n";
        assertThat(read(target + "variants:\n  a: {directory: work}\n  b: {extends: a, directory: other}\n" + LOAD)
                        .variants())
                .extracting(variant -> variant.target().workingDirectory().orElseThrow())
                .containsExactly(Path.of("work"), Path.of("other"));
        assertThatThrownBy(() -> read(target + "variants:\n  a: {directory: \"a\\0\"}\n" + LOAD))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("3: found a zero character, expected text");
    }

    @Test
    void aWorkloadAndKilnsDatabaseAreForAnyMachine() throws IOException {
        Experiment experiment = read("target: {host: box, workload: fruits-spring}\n" + LOAD + "database: postgres\n");
        assertThat(experiment.variants().getFirst().target().workload()).contains("fruits-spring");
        assertThat(experiment.database()).isInstanceOf(DatabaseSpec.Managed.class);
    }

    @Test
    void aChangeOfAWorkloadKeepsTheFolderThatItsOwnCommandWritesTo() throws IOException {
        Variant there = read("target: {host: box, workload: fruits-wildfly}\n" + LOAD)
                .variants()
                .getFirst();
        Variant resolved = there.with(there.target()
                .with(new Target.Program(
                        Optional.of("fruits-wildfly"),
                        false,
                        List.of("java", "-Dbase=${run.dir}"),
                        List.of(),
                        Map.of(),
                        Optional.empty(),
                        List.of())));
        assertThat(Changes.of(resolved, "v", Change.flags("-Xmx1g")).target().jvmFlags())
                .containsExactly("-Xmx1g");
    }

    @Test
    void aVariantMayBeElsewhere() throws IOException {
        assertThat(read("variants:\n  here: {command: 'x ${port}'}\n  there: {host: box, command: 'x ${port}'}\n"
                                + LOAD)
                        .variants())
                .extracting(variant -> variant.target().where().text())
                .containsExactly("here", "on box");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{host: -oProxyCommand=x, command: 'x ${port}'} | host: found '-oProxyCommand=x', expected a machine as ssh takes it",
                "{host: box, workload: fruits-wildfly, jvmFlags: '-Xlog:gc:${run.dir}/gc'} | found ${run.dir} for a target on box",
                "{host: box, command: 'java A ${port}', jdk: 21} | found a JDK of this machine for a target on box",
                "{host: box, command: 'java A ${port}', aot: {train: startup}} | found an AOT cache for a target on box",
                "{host: box, command: 'java A ${port} ${run.dir}'} | found ${run.dir} for a target on box",
            })
    void whatIsMadeOnThisMachineIsRefused(String target, String expected) {
        assertThatThrownBy(() -> read("target: " + target + "\n" + LOAD))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("test.yaml:1: ")
                .hasMessageContaining(expected);
    }

    @Test
    void aCommandMayLeadToTheTarget() throws IOException {
        String published = "load: {url: 'http://localhost:18080/'}\n";
        Target target = read("target: {via: [podman, exec, -i, shop], command: java -jar /app.jar}\n" + published)
                .variants()
                .getFirst()
                .target();
        Where.HostPlace shop = Where.HostPlace.through(List.of("podman", "exec", "-i", "shop"));
        assertThat(target.where()).isEqualTo(shop);
        assertThat(target.where().text()).isEqualTo("on the far end of podman exec -i shop");
        assertThat(target.workingDirectory()).isEmpty();
        assertThat(read("target: {via: podman exec -i shop, attach: 1}\n" + published)
                        .variants()
                        .getFirst()
                        .target()
                        .where())
                .isEqualTo(new Where.Running(new AttachPoint.ProcessId(1), Optional.of(shop)));
        assertThat(new FlagExperiment(dir, List.of())
                        .with(ServiceFlag.URL, "http://localhost:18080/")
                        .with(ServiceFlag.ATTACH, "1")
                        .with(ServiceFlag.VIA, "podman exec -i shop")
                        .toExperiment()
                        .variants()
                        .getFirst()
                        .target()
                        .where())
                .isEqualTo(new Where.Running(new AttachPoint.ProcessId(1), Optional.of(shop)));
    }

    /** A process of that number is another one here. */
    @Test
    void aVariantsProcessIsWhereTheCommandLeads() throws IOException {
        assertThat(read("""
                target: {via: podman exec -i shop, attach: 1}
                variants:
                  first:
                  second: {attach: 'port:8081'}
                  third: {via: podman exec -i other}
                load: {url: 'http://localhost:18080/'}
                """).variants())
                .extracting(variant -> variant.target().where().text())
                .containsExactly(
                        "attached to process 1 on the far end of podman exec -i shop",
                        "attached to what listens on port 8081 on the far end of podman exec -i shop",
                        "attached to process 1 on the far end of podman exec -i other");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "via: [], command: x | via: found nothing, expected a command such as [podman, exec, -i, NAME]",
                "via: 'ssh ${host}', command: x | via: found a placeholder, expected none",
                "via: /usr/bin/ssh box podman exec -i shop, command: x | via: found ssh in via, expected host: box, or DOCKER_HOST",
                "via: podman exec -i shop, host: box, command: x | found host and via, expected one of them",
                "via: podman exec -i shop, container: {image: x}, command: x | found container and via, expected one of them",
                "via: podman exec -i shop, command: java A, jdk: 21 | found a JDK of this machine for a target on the far end",
                "via: podman exec -i shop, attach: 7, restart: x | found attach: 7 with restart, expected port:8080",
            })
    void whatACommandCannotLeadToIsRefused(String target, String expected) {
        assertThatThrownBy(() -> read("target: {" + target + "}\nload: {url: 'http://localhost:18080/'}\n"))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void kilnsDatabaseIsNotReachedByACommand() {
        assertThatThrownBy(() -> read("""
                        target: {via: podman exec -i shop, command: x}
                        load: {url: 'http://localhost:18080/'}
                        database: postgres
                        """))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("Kiln's PostgreSQL listens only on this machine")
                .hasMessageContaining("database: {url: ..., user: ..., password: ...}");
    }

    @Test
    void readinessIsAskedOfThatMachine() {
        assertThatThrownBy(() -> read("target: {host: box, command: 'x ${port}',"
                        + " readiness: {http: 'http://localhost:${port}/up'}}\n" + LOAD))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("variant baseline runs on box: readiness would be checked on this machine"
                        + " (http://localhost:${port}/up); write ${host}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "load: {url: 'http://localhost:${port}/'} | the load would go to this machine (http://localhost:${port}/); write ${host}",
                "load: {url: 'http://127.0.0.1:80'} | the load would go to this machine",
                "load: {url: 'http://${host}:1/'}%nobserve: {flight-recorder: on} | Kiln makes flight recordings and profiles only on this",
            })
    void aLabThatCannotReachItIsRefused(String lab, String expected) {
        assertThatThrownBy(() -> read("target: {host: box, command: 'x ${port}'}\n" + lab.replace("%n", "\n") + "\n"))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("variant baseline runs on box: ")
                .hasMessageContaining(expected);
    }
}
