package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.model.load.Sending;
import dev.kiln.model.load.Sending.Http2;
import dev.kiln.plan.load.Protocols;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentFileTest {
    @TempDir
    private Path dir;

    @Test
    void theLeastIsACommandAndAUrl() throws IOException {
        Experiment experiment = read("""
                target: {command: java Main}
                load: {url: http://localhost:8080/}
                """);
        assertThat(experiment.name()).isEqualTo("test");
        assertThat(experiment.variants()).extracting(Variant::name).containsExactly("baseline");
        assertThat(experiment.runs()).isEqualTo(Runs.fixed(3));
        assertThat(experiment.protocol()).isEqualTo(Protocols.usual());
        assertThat(experiment.database()).isEqualTo(new DatabaseSpec.None());
        assertThat(experiment.load())
                .isEqualTo(new LoadTemplate(
                        List.of(new TemplateCall(
                                "GET",
                                "http://localhost:8080/",
                                Map.of(),
                                Optional.empty(),
                                1,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty())),
                        new Sending(100, OptionalDouble.empty(), Duration.ofSeconds(30)),
                        LoadTemplate.LoadEngine.KILN,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
        Target target = experiment.variants().getFirst().target();
        assertThat(target.command()).containsExactly("java", "Main");
        assertThat(target.workingDirectory()).contains(dir);
        assertThat(target.readiness()).isEqualTo(new ReadySign.FirstResponse(Duration.ofMinutes(2)));
    }

    @Test
    void theVersionOfHttpAndTheStreamsAreRead() throws IOException {
        String load = "target: {command: java Main}\nload: {url: http://localhost:8080/";
        assertThat(read(load + "}\n").load().http2()).isEmpty();
        assertThat(read(load + ", http: 1.1}\n").load().http2()).isEmpty();
        assertThat(read(load + ", http: 2}\n").load().http2()).contains(new Http2(1));
        LoadTemplate many = read(load + ", http: 2, streams: 100}\n").load();
        assertThat(many.http2()).contains(new Http2(100));
        assertThat(many.withConnections(3).with(LoadEngine.KILN).http2()).contains(new Http2(100));
        Experiment experiment = read(load + ", http: 2, streams: 100}\n");
        assertThat(PlanText.render(experiment, Schedule.of(experiment)))
                .contains("100 connections of 100 streams (HTTP/2)");
    }

    @Test
    void aColdCacheIsAskedForByTheFileAndStaysWithOtherVariants() throws IOException {
        String file = "target: {command: java Main}\nload: {url: http://localhost:8080/}\n";
        assertThat(read(file).setting().cold()).isFalse();
        Experiment cold = read(file + "cold: true\n");
        assertThat(cold.setting().cold()).isTrue();
        assertThat(cold.with(cold.variants()).withSeed(2).setting().cold()).isTrue();
        assertThat(PlanText.render(cold, Schedule.of(cold))).contains("  page cache   dropped before each launch\n");
    }

    @Test
    void repeatsAreLeftOutWhereTheFileSaysSo() throws IOException {
        String file = "target: {command: java Main}\nload: {url: http://localhost:8080/}\n";
        assertThat(read(file).runs().repeat()).isTrue();
        assertThat(read(file + "runs: 5\nrepeat: false\n").runs())
                .isEqualTo(Runs.fixed(5).withRepeats(false));
    }

    @Test
    void aControllerOfHyperfoilIsNamedBesideItsEngine() throws IOException {
        Files.writeString(dir.resolve("own.hf.yaml"), "name: own\n");
        LoadTemplate load = read("""
                target:
                  command: java Main ${port}
                load:
                  url: http://localhost:${port}/
                  engine: hyperfoil
                  hyperfoil:
                    controller: http://lab1:8090/
                    target: http://10.0.0.5:${port}
                    agents: [lab2, root@lab3:2222]
                    threads: 2
                    benchmark: own.hf.yaml
                """).load();
        assertThat(load.engine()).isEqualTo(EngineSettings.Hyperfoil.ENGINE);
        EngineSettings settings = new EngineSettings.Hyperfoil(
                URI.create("http://lab1:8090"),
                Optional.of("http://10.0.0.5:${port}"),
                List.of("lab2", "root@lab3:2222"),
                2,
                Optional.of(dir.resolve("own.hf.yaml")));
        assertThat(load.settings()).contains(settings);
        assertThat(load.withConnections(7).with(LoadEngine.KILN).settings()).contains(settings);
    }

    @Test
    void aSimulationHasItsClassPathBesideTheFile() throws IOException {
        Files.createDirectories(dir.resolve("classes"));
        Files.createDirectories(dir.resolve("lib"));
        for (String name : List.of("lib/b.jar", "lib/a.jar", "lib/notes.txt", "own.jar")) {
            Files.writeString(dir.resolve(name), "");
        }
        Experiment experiment = read("""
                target: {command: java Main}
                load:
                  url: http://localhost:8080/
                  engine: gatling
                  gatling: {simulation: com.acme.Fruits$Two, classpath: [own.jar, classes, lib/*], jdk: 21, jvmFlags: -Xmx1g -Da=b}
                """);
        assertThat(experiment.load().engine()).isEqualTo(EngineSettings.GatlingTemplate.ENGINE);
        assertThat(experiment.load().settings())
                .contains(new EngineSettings.GatlingTemplate(
                        "com.acme.Fruits$Two",
                        Stream.of("own.jar", "classes", "lib/a.jar", "lib/b.jar")
                                .map(dir::resolve)
                                .toList(),
                        Optional.of(new JdkChoice.Version("21", false)),
                        List.of("-Xmx1g", "-Da=b")));
    }

    @Test
    void aTestPlanIsToldWhatItsOwnPropertiesAre() throws IOException {
        Files.writeString(dir.resolve("fruits.jmx"), "");
        Files.createDirectory(dir.resolve("apache-jmeter"));
        Experiment experiment = read("""
                target: {command: java Main}
                load:
                  url: http://localhost:8080/
                  engine: jmeter
                  jmeter: {plan: fruits.jmx, home: apache-jmeter, properties: {server.port: '${port}', users: 3}, jvmFlags: -Xmx1g}
                """);
        assertThat(experiment.load().engine()).isEqualTo(EngineSettings.JMeterPlan.ENGINE);
        assertThat(experiment.load().settings())
                .contains(new EngineSettings.JMeterPlan(
                        dir.resolve("fruits.jmx"),
                        Optional.of(dir.resolve("apache-jmeter")),
                        Map.of("server.port", "${port}", "users", "3"),
                        Optional.empty(),
                        List.of("-Xmx1g")));
    }

    @Test
    void aCallOfGrpcHasItsDataInTheFileOrBesideIt() throws IOException {
        Files.writeString(dir.resolve("greeter.proto"), "");
        Files.writeString(dir.resolve("hello.json"), "{}");
        String text = """
                target: {command: java Main}
                load:
                  url: http://localhost:8080/
                  engine: ghz
                  ghz: {call: a.b.Greeter/SayHello, proto: greeter.proto, imports: [.], data: DATA, metadata: {tenant: 7}}
                """;
        EngineSettings.GhzCall call = new EngineSettings.GhzCall(
                "a.b.Greeter/SayHello",
                Optional.of(dir.resolve("greeter.proto")),
                List.of(dir),
                new EngineSettings.GhzData.Json("{\"name\": \"ann\"}"),
                Map.of("tenant", "7"));
        assertThat(read(text.replace("DATA", "'{\"name\": \"ann\"}'")).load().settings())
                .contains(call);
        assertThat(read(text.replace("DATA", "hello.json")).load().settings())
                .contains(new EngineSettings.GhzCall(
                        call.call(),
                        call.proto(),
                        call.imports(),
                        new EngineSettings.GhzData.JsonFile(dir.resolve("hello.json")),
                        call.metadata()));
    }

    @Test
    void theJvmIsAskedOfItsJitUnlessItIsSwitchedOff() throws IOException {
        String least = "target: {command: java Main}\nload: {url: http://localhost:8080/}\n";
        assertThat(observe(least)).isEqualTo(Observe.USUAL);
        assertThat(observe(least + "observe: {jit: on}\n")).isEqualTo(Observe.USUAL);
        assertThat(observe(least + "observe: {jit: off}\n")).isEqualTo(Observe.USUAL.withJit(false));
        assertThat(observe(least + "observe: {jit: false}\n")).isEqualTo(Observe.USUAL.withJit(false));
        assertThat(observe(least + "observe: {thread-dumps: off}\n"))
                .isEqualTo(Observe.USUAL.withThreadDumps(false))
                .extracting(Observe::instruments)
                .isEqualTo(List.of("jit-queries"));
        assertThat(observe(least + "observe: {thread-dumps: no, jit: no, closing-recording: no}\n"))
                .isEqualTo(Observe.NOTHING);
        assertThat(observe(least + "observe: {closing-recording: off}\n"))
                .isEqualTo(Observe.USUAL.withClosing(false))
                .extracting(Observe::instruments)
                .as("it watches nothing that is measured")
                .isEqualTo(Observe.USUAL.instruments());
        assertThat(observe(least + "observe: {full-collections: 5m}\n"))
                .isEqualTo(new Observe(
                        true, true, Observe.RecordingChoice.OFF, false, Optional.of(Duration.ofMinutes(5)), true))
                .extracting(Observe::instruments)
                .isEqualTo(List.of("jit-queries", "thread-dumps", "full-collections: 300 s"));
    }

    @Test
    void aVariantCanBeWatchedInAnotherWayThanTheOthers() throws IOException {
        Experiment experiment = read("""
                target: {command: java Main}
                load: {url: http://localhost:8080/}
                observe: {jit: off}
                variants:
                  plain:
                  recorded: {observe: {flight-recorder: on}}
                  alike: {extends: recorded, jvmFlags: -Xbatch}
                """);
        assertThat(experiment.variants())
                .extracting(Variant::observe)
                .containsExactly(
                        Observe.USUAL.withJit(false),
                        Observe.USUAL.with(Observe.RecordingChoice.ON),
                        Observe.USUAL.with(Observe.RecordingChoice.ON));
        assertThatThrownBy(() -> read("""
                        target: {command: java Main}
                        load: {url: http://localhost:8080/}
                        variants: {plain: {observe: {effect: on}}}
                        """))
                .hasMessageContaining("effect: found in a variant, expected in the experiment's observe");
    }

    private Observe observe(String yaml) throws IOException {
        return read(yaml).variants().getFirst().observe();
    }

    @Test
    void variantsInheritFromTheTargetAndFromOneAnother() throws IOException {
        Experiment experiment = read("""
                target:
                  command: [java, Main]
                  jvmFlags: -Xmx512m
                  environment: {LEVEL: 1, COLOR: red}
                variants:
                  third: {extends: second, arguments: [--c, "d e"]}
                  second:
                    extends: first
                    jvmFlags: [-Xbatch]
                    environment: {COLOR: blue}
                    arguments: --a b
                  first: {command: java Other}
                  plain:
                load: {url: http://localhost:8080/}
                """);
        Target third = experiment.variants().getFirst().target();
        assertThat(third.command()).containsExactly("java", "Other");
        assertThat(third.jvmFlags()).containsExactly("-Xmx512m", "-Xbatch");
        assertThat(third.arguments()).containsExactly("--a", "b", "--c", "d e");
        assertThat(third.environment()).isEqualTo(Map.of("LEVEL", "1", "COLOR", "blue"));
        assertThat(experiment.variants().getLast().target().command()).containsExactly("java", "Main");
        assertThat(experiment.variants())
                .extracting(Variant::name)
                .containsExactly("third", "second", "first", "plain");
    }

    @Test
    void readsEveryKey() throws IOException {
        Files.writeString(dir.resolve("data.sql"), "");
        Experiment experiment = read("""
                name: all
                target:
                  command: java Main ${port} ${run.dir}
                  directory: .
                  environment: {DB: '${db.url}', SHELL_LIKE: '$${HOME}'}
                  readiness: {http: 'http://localhost:${port}/up', status: 204, timeout: 1m30s}
                variants:
                  port: {readiness: {port: 8081}}
                  given-port: {readiness: {port: '${port}', timeout: 5s}}
                  log: {readiness: {log: 'Started .* in'}}
                load:
                  calls:
                    - {name: list, url: 'http://localhost:${port}/a', weight: 3}
                    - method: POST
                      url: http://localhost:${port}/b
                      headers: {Content-Type: application/json, X-Count: 1}
                      body: '{}'
                      bodyContains: ok
                  connections: 7
                  rate: 1.5
                  timeout: 500ms
                protocol: [{load: 20s, name: cold}, {pause: 5s}, {load: 1m}]
                runs: 5
                seed: -42
                cpus: {target: 0-1, load: [2, 3-4], database: 5}
                database: {script: data.sql}
                """);
        assertThat(experiment.variants())
                .extracting(variant -> variant.target().readiness())
                .containsExactly(
                        new ReadySign.TcpPort(OptionalInt.of(8081), Duration.ofMinutes(2)),
                        new ReadySign.TcpPort(OptionalInt.empty(), Duration.ofSeconds(5)),
                        new ReadySign.LogPattern("Started .* in", Duration.ofMinutes(2)));
        assertThat(experiment.load().calls())
                .containsExactly(
                        new LoadTemplate.TemplateCall(
                                "GET",
                                "http://localhost:${port}/a",
                                Map.of(),
                                Optional.empty(),
                                3,
                                Optional.empty(),
                                Optional.of("list"),
                                Optional.empty()),
                        new LoadTemplate.TemplateCall(
                                "POST",
                                "http://localhost:${port}/b",
                                Map.of("Content-Type", "application/json", "X-Count", "1"),
                                Optional.of("{}"),
                                1,
                                Optional.of("ok"),
                                Optional.empty(),
                                Optional.empty()));
        assertThat(experiment.load().rate()).hasValue(1.5);
        assertThat(experiment.protocol().phases())
                .extracting(phase -> phase.name() + " " + phase.duration())
                .containsExactly("cold PT20S", "pause PT5S", "measure PT1M");
        assertThat(experiment.seed()).isEqualTo(-42);
        assertThat(experiment.cpus().target()).containsExactly(0, 1);
        assertThat(experiment.cpus().load()).containsExactly(2, 3, 4);
        assertThat(experiment.cpus().database()).containsExactly(5);
        assertThat(experiment.database()).isEqualTo(new DatabaseSpec.Managed(Optional.of(dir.resolve("data.sql"))));
    }

    @Test
    void aCommandRunsAsItWasTypedInTheFolderOfTheFile() throws IOException {
        Files.writeString(dir.resolve("app.jar"), "");
        Files.createDirectory(dir.resolve("lib"));
        Files.createDirectory(dir.resolve("work"));
        Files.writeString(dir.resolve("work/own.jar"), "");
        Files.writeString(dir.resolve("options"), "");
        Path script = Files.writeString(dir.resolve("start.sh"), "");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        String command = "java -jar app.jar -h 127.0.0.1 -p 19203 --class-path x.jar none.jar";
        Experiment experiment = read("target: {command: " + command + "}\n" + """
                variants:
                  jar:
                  classpath: {command: 'java -cp app.jar:lib/* Main none.jar'}
                  arguments: {command: 'java @options -jar none.jar'}
                  script: {command: ./start.sh -cp none.jar}
                  work: {command: java -jar own.jar, directory: work}
                load: {url: http://localhost:8080/}
                """);
        assertThat(experiment.variants())
                .extracting(variant -> String.join(" ", variant.target().command()))
                .containsExactly(
                        command,
                        "java -cp app.jar:lib/* Main none.jar",
                        "java @options -jar none.jar",
                        "./start.sh -cp none.jar",
                        "java -jar own.jar");
        assertThat(experiment.variants())
                .extracting(variant -> variant.target().workingDirectory().orElseThrow())
                .containsExactly(dir, dir, dir, dir, dir.resolve("work"));
    }

    private Experiment read(String yaml) throws IOException {
        return ExperimentFile.read(Files.writeString(dir.resolve("test.yaml"), yaml));
    }

    @Test
    void callsHaveTheirNamesBeforeAnyPortIsKnown() throws IOException {
        String target = "target: {command: 'java Main ${port}'}\n";
        assertThat(read(target + "load: {url: 'http://localhost:${port}/one'}\n")
                        .load()
                        .callNames())
                .isEmpty();
        String calls = """
                load:
                  calls:
                    - {name: list, url: 'http://localhost:${port}/fruits'}
                    - {url: 'http://localhost:${port}/fruits?id=1'}
                """;
        assertThat(read(target.concat(calls)).load().callNames()).containsExactly("list", "GET /fruits");
    }
}
