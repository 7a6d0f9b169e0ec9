package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.kiln.engines.Engines;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.load.Sending;
import dev.kiln.plan.ObserverEffect.ObserveBinder;
import dev.kiln.plan.load.EngineOptions;
import dev.kiln.plan.load.LoadBinder;
import dev.kiln.plan.load.Protocols;
import dev.kiln.plan.text.Section;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Ready-made experiments and the documentation's examples are what both the schema and the reader accept. */
class ExamplesTest {
    /** The sections are all the maps that an experiment's file can have. */
    private static final List<Section> SECTIONS = Stream.concat(
                    Stream.of(
                            Section.EXPERIMENT,
                            Section.TARGET,
                            Section.VARIANT,
                            Section.JDK,
                            Section.CONTAINER,
                            Section.READINESS,
                            LoadBinder.SECTION,
                            Section.CALL,
                            Section.FEED,
                            Section.SESSION,
                            Section.REPLAY,
                            Section.PHASE,
                            Section.CPUS,
                            Section.DATABASE,
                            ObserveBinder.SECTION,
                            Section.AOT,
                            Modifiers.SECTION,
                            Section.BOOST,
                            Section.CLAIM,
                            Section.GATE),
                    EngineOptions.ALL.stream().map(EngineOptions::section))
            .toList();

    private static final Path ROOT = Path.of("..");
    private static final Pattern FENCE = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final JsonNode SCHEMA = schemaNode();
    private static final Schema VALIDATOR = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(SCHEMA);

    @TempDir
    private Path dir;

    @ParameterizedTest(name = "{0}")
    @MethodSource("examples")
    void examplesAreValid(String where, String yaml) throws IOException {
        String whole = completed(yaml);
        assertThat(VALIDATOR.validate(whole, InputFormat.YAML)).isEmpty();
        standIns();
        assertThat(ExperimentFile.read(Files.writeString(dir.resolve("example.yaml"), whole))
                        .variants())
                .isNotEmpty();
    }

    static Stream<Arguments> examples() throws IOException {
        Stream<Arguments> files = paths("experiments", ".yaml").map(path -> Arguments.of(path.toString(), text(path)));
        Stream<Arguments> documented = paths("docs", ".md")
                .flatMap(path -> FENCE.matcher(text(path))
                        .results()
                        .map(match -> Arguments.of(path + " at " + match.start(), match.group(1))));
        return Stream.concat(files, documented);
    }

    /** In place, without stand-ins: a fresh clone has all that they name. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("shipped")
    void readyMadeExperimentsNeedNothingElse(Path file) {
        assertThat(ExperimentFile.read(file).variants()).isNotEmpty();
    }

    static Stream<Path> shipped() throws IOException {
        return paths("experiments", ".yaml");
    }

    /** An example that shows one key only is an experiment once it has the two that are needed. */
    private static String completed(String yaml) {
        String target = yaml.contains("target:") ? "" : "target: {command: java Main}\n";
        return yaml
                + target
                + (Pattern.compile("^load:", Pattern.MULTILINE).matcher(yaml).find()
                        ? ""
                        : "load: {url: http://localhost:8080/}\n");
    }

    /** What the examples name and a reader of them would have. */
    private void standIns() throws IOException {
        Files.writeString(dir.resolve("app.jar"), "");
        Files.writeString(dir.resolve("fruits.sql"), "");
        Files.writeString(dir.resolve("users.csv"), "id,order\n1,name\n");
        Files.writeString(
                dir.resolve("access.log"),
                "::1 - - [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.1\" 200 5\n".repeat(2));
        Files.writeString(dir.resolve("app.aot"), "");
        Files.writeString(dir.resolve("greeter.proto"), "");
        Files.writeString(dir.resolve("fruits.jmx"), "");
        Files.createDirectory(dir.resolve("work"));
        Files.createDirectories(dir.resolve("target/test-classes"));
        Files.createDirectories(dir.resolve("target/dependency"));
        Files.writeString(dir.resolve("target/dependency/gatling-app.jar"), "");
        assertThat(Files.writeString(dir.resolve("start.sh"), "").toFile().setExecutable(true))
                .isTrue();
    }

    @Test
    void theSchemaKnowsTheKeysThatTheReaderKnows() {
        for (Section section : SECTIONS) {
            JsonNode properties = SCHEMA.at("/$defs/" + section.name() + "/properties");
            assertThat(properties.propertyNames())
                    .as(section.name())
                    .containsExactlyInAnyOrderElementsOf(section.keys());
            assertThat(properties.values()).as(section.name()).allMatch(property -> property.has("description"));
        }
    }

    @Test
    void theSchemaKnowsTheProtocols() {
        Set<String> names = new HashSet<>();
        SCHEMA.at("/$defs/experiment/properties/protocol/anyOf/0/enum").forEach(name -> names.add(name.asString()));
        assertThat(names).isEqualTo(Protocols.known().keySet());
    }

    @Test
    void theSchemaKnowsTheEngines() {
        List<String> names = new ArrayList<>();
        SCHEMA.at("/$defs/load/properties/engine/enum").forEach(name -> names.add(name.asString()));
        assertThat(names).isEqualTo(Engines.names().stream().map(LoadEngine::id).toList());
    }

    /** What the reader requires in the file, the engine requires too. */
    @Test
    void theEnginesThatNeedOptionsAreThoseThatHaveThem() {
        LoadTemplate load = new LoadTemplate(
                List.of(),
                new Sending(1, OptionalDouble.empty(), Duration.ofSeconds(1)),
                LoadTemplate.LoadEngine.KILN,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        Set<String> needing = Engines.names().stream()
                .filter(engine -> catchThrowable(() -> Engines.of(load.with(engine))) != null)
                .map(LoadEngine::id)
                .collect(Collectors.toSet());
        assertThat(EngineOptions.ALL).extracting(EngineOptions::name).containsExactlyInAnyOrderElementsOf(needing);
    }

    @Test
    void theSchemaRequiresTheOptionsOfAnEngine() {
        for (EngineOptions options : EngineOptions.ALL) {
            String load = "load: {url: http://localhost:1/, engine: " + options.name();
            assertThat(VALIDATOR.validate(completed(load + "}\n"), InputFormat.YAML))
                    .as(options.name())
                    .isNotEmpty();
            assertThat(VALIDATOR.validate(
                            completed(load + ", " + options.name() + ": " + options.example() + "}\n"),
                            InputFormat.YAML))
                    .as(options.name())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "runs: 0",
                "runs: many",
                "cold: maybe",
                "duet: maybe",
                "protocol: blogg",
                "protocol: [{load: 20}]",
                "cpus: {target: a}",
                "database: mysql",
                "database: {script: fruits.sql, url: 'jdbc:a'}",
                "observe: {jit: maybe}",
                "observe: {gc: on}",
                "observe: {jit: profile}",
                "observe: {flight-recorder: default}",
                "variants: {}",
                "variants: {a/b: {}}",
                "variants: {a: {jvm: x}}",
                "variants: {a: {readiness: {port: 1, log: a}}}",
                "variants: {a: {readiness: {status: 200}}}",
                "variants: {a: {with: [xbach]}}",
                "variants: {a: {with: {xbatch: 1}}}",
                "variants: {a: {with: {cpu-quota: 0}}}",
                "variants: {a: {with: cpus}}",
                "variants: {a: {aot: {train: often}}}",
                "variants: {a: {aot: {train: startup, for: 5s}}}",
                "variants: {a: {aot: {}}}",
                "variants: {a: {aot: {file: app.aot, of: b}}}",
                "variants: {a: {aot: {of: b, for: 5s}}}",
                "variants: {a: {optional: maybe}}",
                "variants: {a: {container: {}}}",
                "variants: {a: {container: some}}",
                "variants: {a: {container: {image: a, runtime: rkt}}}",
                "variants: {a: {container: {image: a, cpus: 0}}}",
                "variants: {a: {container: {image: a, memory: much}}}",
                "variants: {a: {container: {image: -rm}}}",
                "load: {url: http://localhost:1/, engine: gatling, gatling: {simulation: A}}",
                "load: {url: http://localhost:1/, engine: gatling, gatling: {simulation: A, classpath: []}}",
                "load: {url: http://localhost:1/, engine: gatling, gatling: {classpath: [app.jar]}}",
                "load: {url: http://localhost:1/, engine: jmeter, jmeter: {home: work}}",
                "load: {url: http://localhost:1/, engine: ghz, ghz: {data: '{}'}}",
                "load: {url: http://localhost:1/, engine: ghz, ghz: {call: Greeter}}",
                "load: {url: http://localhost:1/, http: 3}",
                "load: {url: http://localhost:1/, http: 2, streams: 0}",
                "load: {url: http://localhost:1/, http: 1.1, streams: 2}",
                "load: {url: http://localhost:1/, streams: 2}",
                "load: {url: http://localhost:1/, replay: access.log, rate: 5}",
                "load: {url: http://localhost:1/, replay: access.log, feed: users.csv}",
                "load: {url: http://localhost:1/, replay: access.log, arrivals: poisson}",
                "load: {calls: [{url: http://localhost:1/}], replay: access.log}",
                "load: {url: http://localhost:1/, replay: {file: access.log, speed: 0}}",
                "load: {url: http://localhost:1/, replay: {speed: 2}}",
                "claims: [{text: a}]",
                "claims: [{text: a, check: peak}]",
            })
    void theSchemaRefusesWhatTheReaderRefuses(String yaml) throws IOException {
        String whole = completed(yaml + "\n");
        assertThat(VALIDATOR.validate(whole, InputFormat.YAML)).isNotEmpty();
        standIns();
        Path file = Files.writeString(dir.resolve("example.yaml"), whole);
        assertThatThrownBy(() -> ExperimentFile.read(file)).hasMessageStartingWith(file + ":");
    }

    private static Stream<Path> paths(String folder, String ending) throws IOException {
        try (Stream<Path> walk = Files.walk(ROOT.resolve(folder))) {
            List<Path> found = walk.filter(path -> path.toString().endsWith(ending))
                    .sorted()
                    .toList();
            assertThat(found).isNotEmpty();
            return found.stream();
        }
    }

    private static String text(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode schemaNode() {
        try (InputStream in = ExamplesTest.class.getResourceAsStream("experiment.schema.json")) {
            return new JsonMapper().readTree(Objects.requireNonNull(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
