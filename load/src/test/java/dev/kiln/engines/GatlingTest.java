package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kiln.engines.Tool.Job;
import dev.kiln.engines.ToolShell.LastWords;
import dev.kiln.importer.ToolOutput;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.Sending;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found out about a simulation before Gatling runs, and how it is run; the real one runs in an integration test. */
class GatlingTest {
    private static final Protocol PROTOCOL =
            new Protocol("test", List.of(new Phase.Load("warmup", Duration.ofSeconds(20))));

    @TempDir
    Path dir;

    private Path classes = Path.of("");

    @BeforeEach
    void compiled() throws IOException {
        classes = Files.createDirectories(dir.resolve("classes"));
        Files.createDirectories(classes.resolve("com/acme"));
        Files.writeString(classes.resolve("com/acme/Fruits.class"), "");
    }

    /** As far as it is looked into. */
    private Path gatling(String name) throws IOException {
        Path jar = dir.resolve(name);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry("io/gatling/app/Gatling.class"));
        }
        return jar;
    }

    private static EngineSettings.GatlingTemplate settings(Path... classPath) {
        return new EngineSettings.GatlingTemplate(
                "com.acme.Fruits", List.of(classPath), Optional.empty(), List.of("-Xmx1g", "-Dkiln.seconds=3"));
    }

    private static TemplateCall get() {
        return EngineLoads.call("GET", "http://localhost:${port}/");
    }

    private static LoadTemplate load(EngineSettings settings, OptionalDouble rate, TemplateCall... calls) {
        Sending sending = new Sending(7, rate, Duration.ofSeconds(5));
        return EngineLoads.of(EngineSettings.GatlingTemplate.ENGINE, sending, calls)
                .with(settings);
    }

    private static void check(LoadTemplate load, Protocol protocol) {
        Engines.of(load).check(load, protocol);
    }

    private static String refused(LoadTemplate load) {
        KilnException e = catchThrowableOfType(KilnException.class, () -> check(load, PROTOCOL));
        assertThat(e.exit()).isEqualTo(Exit.USAGE);
        return String.valueOf(e.getMessage());
    }

    @Test
    void theClassPathMustHaveAKnownGatlingAndTheSimulation() throws IOException {
        Path known = gatling("gatling-app-3.15.1.jar");
        OptionalDouble none = OptionalDouble.empty();
        assertThatCode(() -> check(load(settings(classes, known), none, get()), PROTOCOL))
                .doesNotThrowAnyException();
        assertThat(refused(load(settings(classes), none, get())))
                .isEqualTo("load: there is no Gatling in gatling: classpath (1 entries were searched for gatling-app)");
        assertThat(refused(load(settings(known), none, get())))
                .isEqualTo("load: there is no class com.acme.Fruits in gatling: classpath");
        assertThat(refused(load(settings(classes, gatling("gatling-app-3.99.0.jar")), none, get())))
                .isEqualTo("load: gatling: classpath has Gatling 3.99.0, whose logs Kiln cannot read;"
                        + " 3.0 to 3.15 are known");
        Path text = Files.writeString(dir.resolve("a.jar"), "no jar");
        assertThat(refused(load(settings(text, known), none, get())))
                .startsWith("load: gatling: classpath has " + text + ", which cannot be read as a jar: ");
        assertThat(refused(
                        EngineLoads.of(LoadTemplate.LoadEngine.KILN, new Sending(7, none, Duration.ofSeconds(5)), get())
                                .with(EngineSettings.GatlingTemplate.ENGINE)))
                .isEqualTo("load: engine gatling needs a simulation");
    }

    @Test
    void itsVersionIsThatOfItsJar() throws IOException {
        assertThat(new Gatling(settings(classes, gatling("gatling-app-3.9.5.jar"))).version())
                .isEqualTo("3.9.5");
        assertThat(new Gatling(settings(classes, gatling("all.jar"))).version()).isEqualTo("of unknown version");
    }

    @Test
    void whatTheSimulationSaysItselfIsRefused() throws IOException {
        EngineSettings settings = settings(classes, gatling("gatling-app-3.15.1.jar"));
        OptionalDouble none = OptionalDouble.empty();
        TemplateCall post = new TemplateCall(
                "POST",
                "http://localhost:1/",
                Map.of(),
                Optional.of("{}"),
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        TemplateCall header = new TemplateCall(
                "GET",
                "http://localhost:1/",
                Map.of("A", "b"),
                Optional.empty(),
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        String why = ": the simulation itself says what it sends";
        assertThat(refused(load(settings, OptionalDouble.of(10), get())))
                .isEqualTo("load: gatling cannot use an open loop (rate)" + why);
        assertThat(refused(load(settings, none, get(), get())))
                .isEqualTo("load: gatling cannot use several calls" + why);
        for (TemplateCall call : List.of(post, header)) {
            assertThat(refused(load(settings, none, call)))
                    .isEqualTo("load: gatling cannot use a call with a method, headers, a login or a body" + why);
        }
    }

    private Job job() {
        LoadSpec spec = new LoadSpec(
                List.of(HttpCall.get(URI.create("http://localhost:8080/fruits?a=b"))),
                7,
                OptionalDouble.empty(),
                Duration.ofSeconds(5));
        return new Job(spec, new Phase.Load("warmup", Duration.ofSeconds(20)), dir);
    }

    @Test
    void theSimulationIsToldOfTheLoad() throws IOException {
        Path jar = gatling("gatling-app-3.15.1.jar");
        List<String> command = new Gatling(settings(classes, jar)).command(job());
        assertThat(command.getFirst()).isEqualTo(System.getProperty("java.home") + "/bin/java");
        assertThat(command)
                .containsSubsequence(
                        "-Dgatling.http.warmUpUrl=",
                        "-Dgatling.http.requestTimeout=5000",
                        "-Xmx1g",
                        "-Dkiln.url=http://localhost:8080/fruits?a=b",
                        "-Dkiln.host=localhost",
                        "-Dkiln.port=8080",
                        "-Dkiln.connections=7",
                        "-Dkiln.phase=warmup",
                        "-Dkiln.seconds=20",
                        "-cp",
                        classes + ":" + jar + ":" + dir.resolve("gatling-defaults"),
                        "io.gatling.app.Gatling",
                        "-s",
                        "com.acme.Fruits",
                        "-rf",
                        dir.resolve("gatling").toString(),
                        "-nr");
        EngineSettings.GatlingTemplate other = settings(classes, jar).with(new JdkChoice.Home(Path.of("/opt/jdk")));
        assertThat(new Gatling(other).command(job()).getFirst()).isEqualTo("/opt/jdk/bin/java");
        EngineSettings.GatlingTemplate unfound = settings(classes, jar).with(new JdkChoice.Version("21", false));
        assertThatThrownBy(() -> new Gatling(unfound).command(job())).hasMessageContaining("21");
    }

    @Test
    void eachPhaseBeginsWithoutTheResultsOfTheOneBefore() throws IOException {
        Gatling gatling = new Gatling(settings(classes));
        Path old = Files.createDirectories(dir.resolve("gatling/fruits-1"));
        Files.writeString(old.resolve("simulation.log"), "x");
        gatling.prepare(job());
        assertThat(dir.resolve("gatling")).doesNotExist();
        assertThat(dir.resolve("gatling-defaults/logback.xml")).exists();
    }

    /** Sends nothing, for longer than it may. */
    private Gatling endless() throws IOException {
        Path java = Files.createDirectories(dir.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nexec sleep 600\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new Gatling(settings(classes).with(new JdkChoice.Home(dir.resolve("jdk"))));
    }

    @Test
    void aSimulationThatDoesNotEndIsStoppedAndItsPhaseFails() throws IOException {
        Job job = job();
        Phase.Load second = new Phase.Load("warmup", Duration.ofSeconds(1));
        try (ToolShell shell = new ToolShell(List.of(), dir);
                ToolSession session =
                        new ToolSession(endless(), shell, dir, job.spec(), dir, System.nanoTime(), second.duration())) {
            KilnException e = catchThrowableOfType(KilnException.class, () -> session.load(second, tick -> {}));
            assertThat(e).hasMessage("gatling did not end within 1 s after the end of its time (phase warmup)");
            assertThat(e.exit()).isEqualTo(Exit.MACHINE);
            assertThat(e.remedy()).startsWith("correct the simulation").contains("-Dkiln.seconds=1 ");
        }
    }

    @Test
    void severalServicesAtOnceAreRefused() throws IOException {
        HttpCall call = job().call();
        LoadSpec two = new LoadSpec(List.of(call, call), 7, OptionalDouble.empty(), Duration.ofSeconds(5));
        try (ToolShell shell = new ToolShell(List.of(), dir)) {
            assertThatThrownBy(() -> new ToolSession(new Gatling(settings(classes)), shell, dir, two, dir, 0))
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining("several services at once");
        }
    }

    @Test
    void howLongItSentIsToldWhereThatIsNotAsAsked() {
        Gatling gatling = new Gatling(settings(classes));
        Tool.Ended ended = new Tool.Ended(new ToolShell.Running(1, 1_000, dir, dir), 0, 1_000, 0, false);
        assertThat(gatling.notes(job(), ended, sent(20_500)))
                .containsExactly("gatling took 4.0 s to start; the target had no load meanwhile");
        assertThat(gatling.notes(job(), ended, sent(17_000)))
                .contains("gatling sent for 17.0 s in place of 20 s: the simulation gets the length as"
                        + " kiln.seconds");
    }

    /** From 4 s on, as one bin. */
    private static ToolOutput.ToolPhase sent(long millis) {
        long end = 4_000_000_000L + millis * 1_000_000;
        LoadBin bin = new LoadBin("warmup", 4_000_000_000L, end, 1, 1, LoadBin.Errors.NONE, 0, 0);
        return new ToolOutput.ToolPhase("warmup", List.of(bin), List.of(), List.of(), Optional.empty(), end, List.of());
    }

    @Test
    void itsLastWordsAreNoStackTrace() throws IOException {
        Path output = Files.writeString(dir.resolve("out"), """
                Exception in thread "main" java.lang.ExceptionInInitializerError
                \tat io.gatling.app.Gatling.main(Gatling.scala)
                Caused by: java.lang.NullPointerException: no such property
                \tat com.acme.Fruits.<clinit>(Fruits.java:10)
                \t... 15 more

                """);
        assertThat(LastWords.last(output)).isEqualTo("Caused by: java.lang.NullPointerException: no such property");
        assertThat(LastWords.last(dir.resolve("none"))).isEqualTo("it said nothing");
    }

    @Test
    void onlyFailedAssertionsAreNoFailure() {
        Gatling gatling = new Gatling(settings(classes));
        assertThat(Stream.of(0, 1, 2, 3, 143).filter(gatling::done)).containsExactly(0, 2);
    }
}
