package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.Target;
import dev.kiln.plan.text.Section;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HookBinderTest extends WrittenExperiment {
    private static final String RESTARTED = "target: {attach: 'port:8080', restart: systemctl restart shop}\n";

    private static List<String> command(Target target, HookMoment moment) {
        return target.hook(moment).orElseThrow().command();
    }

    @Test
    void everyMomentIsAKey() {
        assertThat(Section.EXPERIMENT.keys())
                .containsAll(HookMoment.keys(HookMoment.OF_EXPERIMENT).toList());
        assertThat(Section.VARIANT.keys())
                .containsAll(HookMoment.keys(HookMoment.OF_TARGET).toList());
    }

    @Test
    void aVariantReplacesTheTargetsCommandOfTheSameMoment() throws IOException {
        Experiment read = read("""
                prepare: podman network create 'my shop'
                cleanup: [podman, network, rm, my shop]
                target:
                  command: java -version
                  beforeRun: fill ${db.url}
                  afterRun: check
                variants:
                  plain:
                  other: {beforeRun: fill more}
                  third: {extends: other, cleanup: tidy}
                database: postgres
                """ + LOAD);

        assertThat(read.hooks())
                .extracting(Hook::command)
                .containsExactly(
                        List.of("podman", "network", "create", "my shop"),
                        List.of("podman", "network", "rm", "my shop"));
        assertThat(read.hooks()).allMatch(hook -> hook.folder().equals(dir.toAbsolutePath()));
        Target plain = read.variants().get(0).target();
        Target other = read.variants().get(1).target();
        Target third = read.variants().get(2).target();
        assertThat(command(plain, HookMoment.BEFORE_RUN)).containsExactly("fill", "${db.url}");
        assertThat(command(other, HookMoment.BEFORE_RUN)).containsExactly("fill", "more");
        assertThat(command(other, HookMoment.AFTER_RUN)).containsExactly("check");
        assertThat(third.hooks()).hasSize(3);
        assertThat(command(third, HookMoment.BEFORE_RUN)).containsExactly("fill", "more");
        assertThat(PlanText.render(read, Schedule.of(read)))
                .contains("  prepare      podman network create 'my shop'\n", "  beforeRun    fill more\n");
    }

    @Test
    void aServiceThatIsStartedAnewHasRunsLikeAnyOther() throws IOException {
        Experiment read = read(RESTARTED + LOAD);

        assertThat(read.variants().getFirst().target().restarts()).isTrue();
        assertThat(read.runs()).isEqualTo(Runs.fixed(3).withRepeats(false));
        assertThat(read("repeat: true\nruns: 5\n" + RESTARTED + LOAD).runs()).isEqualTo(Runs.fixed(5));
        assertThat(AttachRules.attaches(read.variants())).isFalse();
        assertThat(AttachRules.startedByOthers(read.variants())).isTrue();
    }

    /** They are the same service, and not the same process. */
    @Test
    void variantsOfOneServiceDifferByTheirRestartOrItsEnvironment() throws IOException {
        Experiment read = read("""
                target:
                  attach: shop
                  restart: docker compose up -d --force-recreate shop
                  environment: {A: b}
                variants:
                  plain:
                  large: {environment: {JAVA_TOOL_OPTIONS: -Xmx2g}}
                  other: {restart: docker compose -f other.yaml up -d --force-recreate shop}
                """ + LOAD);

        assertThat(read.variants()).hasSize(3);
        assertThat(read.variants().get(1).target().environment())
                .isEqualTo(Map.of("A", "b", "JAVA_TOOL_OPTIONS", "-Xmx2g"));
        assertThat(command(read.variants().get(2).target(), HookMoment.RESTART)).contains("other.yaml");
        assertThat(read("""
                                target: {attach: 'port:8080', restart: systemctl restart shop}
                                load: {url: 'http://localhost:8080/', connections: [1, 10]}
                                """).variants()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{attach: 4711, restart: systemctl restart x} | found attach: 4711 with restart, expected port:8080 or the name of a container",
                "{attach: 'port:8080', stop: systemctl stop x} | found stop without restart, expected both",
                "{command: java -version, restart: x} | found restart without attach, expected attach: port:8080",
                "{command: java -version, stop: x} | found stop without attach",
                "{attach: shop, restart: 'up ${port}'} | found ${port}, but Kiln does not choose the port",
                "{attach: shop, restart: up, environment: {PORT: '${port}'}} | found ${port}",
                "{attach: shop, restart: up, jvmFlags: -Xmx1g} | found jvmFlags with attach, expected none",
                "{attach: shop, restart: up, readiness: {log: x}} | found readiness by its log with attach",
                "{attach: shop, restart: ./none.sh} | restart: no such executable",
                "{attach: shop, restart: ''} | restart: found an empty command",
                "{attach: shop, restart: 7} | found '7', expected a list of words",
                "{command: java -version, prepare: 'x ${port}'} | unknown placeholder '${port}'",
                "{command: java -version, beforeRun: 'x ${db.url}'} | found ${db.url} but no database",
                "{command: java -version, beforRun: x} | beforRun"
            })
    void whatCannotWorkIsSaidBeforeAnythingRuns(String target, String message) {
        refused("target: " + target + "\n" + LOAD, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cold: true | cold: a service that runs until its restart keeps its files in memory",
                "'cpus: {target: 0}' | cpus: found CPUs for the target, expected none",
                "database: postgres | database: found one, expected none",
                "'observe: {flight-recorder: true}' | flight-recorder cannot be used on a process that Kiln did not start"
            })
    void itIsStillNotKilnsOwn(String key, String message) {
        refused(RESTARTED + key + "\n" + LOAD, message);
    }

    @Test
    void aCommandLineHasARestartToo() {
        Experiment read = new FlagExperiment(dir, List.of())
                .with(ServiceFlag.URL, "http://localhost:${port}/")
                .with(ServiceFlag.ATTACH, "port:8080")
                .with(ServiceFlag.RESTART, "systemctl restart 'my shop'")
                .with(ServiceFlag.STOP, "systemctl stop shop")
                .with(ServiceFlag.ENVIRONMENT, "TAG=v1")
                .toExperiment();

        Target target = read.variants().getFirst().target();
        assertThat(command(target, HookMoment.RESTART)).containsExactly("systemctl", "restart", "my shop");
        assertThat(command(target, HookMoment.STOP)).containsExactly("systemctl", "stop", "shop");
        assertThat(target.environment()).isEqualTo(Map.of("TAG", "v1"));
        assertThat(read.runs()).isEqualTo(Runs.fixed(3).withRepeats(false));
    }

    @Test
    void whatIsStartedInDifferentWaysIsNotCompared() {
        String restarted = "{attach: 'port:8080', restart: systemctl restart shop}";
        refused(
                "variants:\n  a: {attach: 'port:8081'}\n  b: " + restarted + "\n" + LOAD,
                "variant b: it is started anew, and others attach");
        refused(
                "variants:\n  a: {command: java -version}\n  b: " + restarted + "\n" + LOAD,
                "variant a: it is started by Kiln, and others are not");
    }
}
