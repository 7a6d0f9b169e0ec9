package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.DocumentedCommands.Documented;
import dev.kiln.report.Locales;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The commands that the documentation shows. In the reference, {@code console} blocks hold {@code $ ./kiln ...}, what it prints on
 * the files beside it, and its exit code where {@code $ echo $?} follows. Of all other commands, those that need no service run
 * here, on data that the tests record. The rest is listed with the test that runs it, or with the reason why none does.
 */
class DocumentationTest {
    private static final Path DOCS = DocumentedCommands.DOCS;
    private static final List<String> PAGES_WITH_OUTPUT = List.of("analyze", "compare", "gate");
    private static final Pattern BLOCK = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);

    /** A command that runs here: what stands for the reader's own files, the exit code, and parts of what it prints. */
    record Example(String command, Map<String, String> files, int exit, List<String> prints) {}

    private static Example example(String command, Map<String, String> files, String... prints) {
        return new Example(command, files, 0, List.of(prints));
    }

    /** Files are in the scene, or in the repository if they start with "../". */
    private static final List<Example> RUN_HERE = List.of(
            example("explain results/DIR", Map.of("results/DIR", "recorded"), "slow 1\n", "fast 3\n", "Ruled out"),
            example(
                    "explain results/demo-20260102-030405 --json -",
                    Map.of("results/demo-20260102-030405", "recorded"),
                    "\"runs\" : [",
                    "\"verdict\" : ",
                    "\"findings\" : ["),
            example(
                    "compare results/DIR",
                    Map.of("results/DIR", "recorded"),
                    "fast against slow",
                    "Too few runs to tell "),
            new Example(
                    "gate --baseline B --tolerance FILE CURRENT",
                    Map.of(
                            "B",
                            "../docs/examples/before.csv",
                            "FILE",
                            "../docs/examples/tolerances.yaml",
                            "CURRENT",
                            "../docs/examples/after.csv"),
                    1,
                    List.of("FAIL")),
            example(
                    "plan experiments/first-look.yaml",
                    Map.of("experiments/first-look.yaml", "../experiments/first-look.yaml"),
                    "first-look",
                    "block 1"),
            example("plan FILE", Map.of("FILE", "../experiments/demo.yaml"), "platform", "virtual", "block 1"),
            example("import DIR", Map.of("DIR", "lab"), "spring", "quarkus", "Report: "),
            example(
                    "import /data/lab/2026-06-02 --name june",
                    Map.of("/data/lab/2026-06-02", "lab"),
                    "june",
                    "spring",
                    "quarkus",
                    "Report: "),
            example(
                    "import hyperfoil/run/0000 pidstat.log recording.jfr --variant spring",
                    Map.of(
                            "hyperfoil/run/0000",
                            "one/hyperfoil/run/0000",
                            "pidstat.log",
                            "one/pidstat.log",
                            "recording.jfr",
                            "one/recording.jfr"),
                    "spring",
                    "Report: "),
            example("explain results/june-<time>", Map.of("results/june-<time>", "june"), "spring 1\n", "quarkus 2\n"),
            example(
                    "report results/DIR --svg pictures",
                    Map.of("results/DIR", "june", "pictures", "pictures"),
                    "spring",
                    "Report: "),
            example(
                    "compare results/june-<time>",
                    Map.of("results/june-<time>", "june"),
                    "against",
                    "Too few runs to tell "),
            example("history results", Map.of("results", "days"), "recorded, v", "peak ", "t90 ", "rss "),
            example(
                    "history nightly/2026-01 nightly/2026-02 --metric t90 --metric peak",
                    Map.of("nightly/2026-01", "days/e-20260101", "nightly/2026-02", "days"),
                    "recorded, v",
                    "peak"),
            example("history results --otava otava", Map.of("results", "days", "otava", "otava"), "recorded, v"),
            example("history results --horreum -", Map.of("results", "days"), "\"$schema\" : \"urn:kiln:run:3\""),
            example("completion bash", Map.of(), "complete -F _complete_kiln"),
            example(
                    "analyze runs/*.csv --json -",
                    Map.of("runs/*.csv", "../docs/examples/series.csv"),
                    "\"schemaVersion\""));

    /** A service, minutes or a terminal: what runs such a command, or why nothing does. */
    private static final Map<String, String> RUN_ELSEWHERE = Map.ofEntries(
            Map.entry("demo", "DemoIT, with less load: the demo takes 7 minutes"),
            Map.entry("serve", "ServeIT: it serves until it is ended"),
            Map.entry("serve results/nightly --listen 127.0.0.1:8400", "ServeIT, with another port"),
            Map.entry("run experiments/first-look.yaml --live", "ServeIT, of another service"),
            Map.entry(
                    "run --url http://localhost:8080/fruits --connections 100"
                            + " --variant 'vt=-Dspring.threads.virtual.enabled=true' --runs 3 -- java -jar app.jar",
                    "TutorialIT, with less load"),
            Map.entry(
                    "run --url http://localhost:8080/ --connections 100 --runs 1 -- java -jar app.jar",
                    "TutorialIT, with less load"),
            Map.entry(
                    "run --url http://localhost:8080/ --variant 'c1=-XX:TieredStopAtLevel=1' --variant 'batch=-Xbatch'"
                            + " --runs 3 -- java -jar app.jar",
                    "TutorialIT, with less load and fewer runs"),
            Map.entry(
                    "explain corpus/keycloak/1cpu-jdk17-1",
                    "bench/corpus/add.sh, by what it prints: not every machine has xz, which unpacks the corpus"),
            Map.entry("run --attach port:8080 --url URL", "AttachIT, with another port"),
            Map.entry("run --attach 4711 --url http://localhost:8080/fruits", "AttachIT, with another service"),
            Map.entry(
                    "run --attach port:8080 --url 'http://localhost:${port}/fruits' --connections 50",
                    "AttachIT, with another port"),
            Map.entry(
                    "run --attach checkout --url http://localhost:8080/fruits --protocol load=60s,pause=15s,load=20s",
                    "AttachIT, with less load, where containers can be made"),
            Map.entry(
                    "run --via 'podman exec -i checkout' --attach port:8080 --url http://localhost:18080/fruits",
                    "ViaIT, with another container"),
            Map.entry(
                    "run --attach kube:shop/deployment/checkout --url http://localhost:8080/fruits",
                    "KubeIT, with a stand-in for kubectl"),
            Map.entry("run --attach port:8080 --restart COMMAND --url URL", "RestartIT, from a file"),
            Map.entry(
                    "run --attach port:8080 --restart 'systemctl restart shop' --url 'http://localhost:${port}/fruits'",
                    "RestartIT, from a file and with a script"),
            Map.entry(
                    "run --attach shop-app-1 --restart 'docker compose up -d --force-recreate app'"
                            + " --url http://localhost:8080/fruits",
                    "RestartIT, from a file and with a script"),
            Map.entry("run shop.yaml", "RestartIT, with a script in place of compose"),
            Map.entry("run experiments/first-look.yaml", "TutorialIT, with less load"),
            Map.entry("run FILE", "as run experiments/first-look.yaml"),
            Map.entry(
                    "run --url 'http://localhost:${port}/' --jdks jdk-1,jdk-2 --runs 6 -- java -jar app.jar"
                            + " '--server.port=${port}'",
                    "parsed: it takes two JDKs; ChangesTest has its variants"),
            Map.entry("run services.yaml --jdks jdk-1,jdk-2 --runs 7", "as without a file"),
            Map.entry(
                    "run --url 'http://localhost:${port}/' --variant 'compact=-XX:+UseCompactObjectHeaders' --runs 6"
                            + " -- java -jar app.jar '--server.port=${port}'",
                    "TutorialIT, with another flag and less load"),
            Map.entry("run FILE --protocol blog", "parsed: two minutes a run; ProtocolsTest has its phases"),
            Map.entry("run experiment.yaml --observer-effect --runs 6", "InstrumentsIT, with fewer runs"),
            Map.entry(
                    "run --url 'http://localhost:${port}/' --with quota=cpu-quota:1.5,xbatch -- java -jar app.jar"
                            + " '--server.port=${port}'",
                    "ModifiersIT, from a file: not every machine permits a quota"),
            Map.entry(
                    "run --url https://localhost:8443/ --http2 --connections 4 --streams 100 -- java -jar app.jar",
                    "parsed: there is no such service; TlsIT sends this load"),
            Map.entry(
                    "run --url 'http://localhost:${port}/health' --replay access.log -- java -jar app.jar"
                            + " '--server.port=${port}'",
                    "parsed: there is no such service; ReplayTest sends this load"),
            Map.entry(
                    "run experiments/jdk-regression.yaml --runs 1 --async-profiler",
                    "parsed: minutes, and two JDKs; InstrumentsIT runs the profiler"),
            Map.entry("flame results/jdk-regression-20261122-020000/jdk21", "InstrumentsIT, on its own run"),
            Map.entry(
                    "flame results/jdk-regression-20261122-020000/jdk21 results/jdk-regression-20261122-020000/jdk17"
                            + " --output difference.html",
                    "InstrumentsIT, on its own run"),
            Map.entry("sweep experiments/concurrency.yaml", "parsed: many minutes; ExamplesTest reads the file"),
            Map.entry("sweep experiments/concurrency.yaml --memory 2048m", "as without --memory"),
            Map.entry(
                    "sweep --url 'http://localhost:${port}/fruits' --connections 1,5,10,20,40 --memory 2048m"
                            + " -- java -jar app.jar '--server.port=${port}'",
                    "SweepIT, with less load"),
            Map.entry("tune experiments/first-look.yaml", "TuneIT, with a service whose curve is known"),
            Map.entry(
                    "tune experiments/first-look.yaml --results results/tune",
                    "TuneIT, with a service whose curve is known"),
            Map.entry(
                    "tune --url 'http://localhost:${port}/fruits' --budget 2h --results results/tune"
                            + " -- java -jar app.jar '--server.port=${port}'",
                    "parsed: two hours"),
            Map.entry(
                    "tune shop.yaml --results results/shop --apply", "TuneApplyIT, with a script in place of compose"),
            Map.entry("soak experiments/soak.yaml", "parsed: three hours; ExamplesTest reads the file"),
            Map.entry("soak --duration 3h experiment.yaml", "SoakIT, for 30 s"),
            Map.entry(
                    "soak --duration 3h --url 'http://localhost:${port}/fruits' --connections 50 -- java -jar app.jar"
                            + " '--server.port=${port}'",
                    "as soak --duration 3h experiment.yaml"),
            Map.entry("soak --resume results/run-soak-20260102-030405", "SoakIT"),
            Map.entry("gate --until-decided release.yaml --tolerance tolerances.yaml", "GateLooksIT"),
            Map.entry("doctor", "TutorialIT"),
            Map.entry("doctor PID", "TutorialIT"),
            Map.entry("doctor PID --for 10s --json -", "DoctorIT, for 3 s"),
            Map.entry("doctor PID --until-warm", "DoctorIT"),
            Map.entry("doctor PID --watch", "WatchTest: the command has no end"),
            Map.entry("doctor PID --metrics :9404", "MetricsServerTest: the command has no end"),
            Map.entry("doctor --all --metrics :9404", "DoctorIT, at another port"),
            Map.entry("doctor PID --fix renice", "DoctorFixIT"),
            Map.entry("doctor kube:shop/checkout", "KubeRestartIT, with a stand-in for kubectl"),
            Map.entry("doctor kube:shop/checkout --until-warm", "as doctor kube:shop/checkout"),
            Map.entry("doctor kube:shop/deployment/checkout/app --json -", "as doctor kube:shop/checkout"),
            Map.entry("doctor --via 'podman exec -i shop' 1", "ViaIT"),
            Map.entry("doctor --via 'kubectl exec -i -n shop checkout --'", "as doctor --via 'podman exec -i shop' 1"),
            Map.entry("warm kube:shop/checkout --url http://localhost:8080/fruits", "as doctor kube:shop/checkout"),
            Map.entry(
                    "warm --via 'podman exec -i shop' 1 --url http://localhost:8080/fruits",
                    "as doctor --via 'podman exec -i shop' 1"),
            Map.entry("aot check -- java -XX:AOTCache=FILE ...", "AotCommandIT"),
            Map.entry("warm PID --url URL", "WarmIT"),
            Map.entry("warm PID --url http://localhost:8080/fruits", "WarmIT"),
            Map.entry(
                    "warm PID --url http://localhost:8080/ --requests access.log --budget 2m --at-most 0.3", "WarmIT"),
            Map.entry("doctor --container 3f2a", "ContainersTest finds it; DoctorIT asks for one that is not there"),
            Map.entry("startup 'COMMAND A' 'COMMAND B'", "as startup 'sleep 0.01' 'sleep 0.02'"),
            Map.entry("startup 'sleep 0.01' 'sleep 0.02'", "StartupCommandIT"),
            Map.entry(
                    "startup --cpus 0 -n 17 -n 25 --log 'Booted .* in (\\d+) ms'"
                            + " '/usr/lib/jvm/jdk-17/bin/java -jar app.jar' '/usr/lib/jvm/jdk-25/bin/java -jar app.jar'",
                    "StartupCommandIT, with the JDKs of the machine"),
            Map.entry(
                    "startup --ready 'port:${port}' 'java -jar app.jar --server.port=${port}'"
                            + " 'java -XX:AOTCache=app.aot -jar app.jar --server.port=${port}'",
                    "StartupCommandIT, without a cache"),
            Map.entry(
                    "startup -n 17 -n 21 -n 25 '/usr/lib/jvm/jdk-17/bin/java -version'"
                            + " '/usr/lib/jvm/jdk-21/bin/java -version' '/usr/lib/jvm/jdk-25/bin/java -version'",
                    "StartupCommandIT, with other programs"),
            Map.entry("startup FILE", "as startup experiments/startup.yaml"),
            Map.entry(
                    "startup experiments/startup.yaml",
                    "parsed: many minutes; ExamplesTest reads the file, AotIT runs a smaller one"),
            Map.entry("startup --table starts.csv", "StartupDocsTest"),
            Map.entry("startup --table <folder>", "StartupReportTest"),
            Map.entry(
                    "import docs/examples/series.csv --map phase=phase,requests=requests,bin=1s --variant checkout",
                    "ImportCommandTest"));

    @TempDir
    private static Path scene;

    /** What the pages speak of: an experiment, a week of nightly ones, the files of other programs. */
    @BeforeAll
    static void record() throws Exception {
        List<String> variants = List.of("slow", "fast");
        new RecordedRuns(scene.resolve("recorded"))
                .variant(variants, "slow", 3, 100, 1000)
                .variant(variants, "fast", 3, 5, 1000);
        for (int day = 1; day <= 7; day++) {
            new RecordedRuns(scene.resolve("days/e-2026010" + day)).variant(List.of("v"), "v", 1, 5, 1000 + day % 3);
        }
        for (int run = 0; run < 2; run++) {
            for (String variant : List.of("spring", "quarkus")) {
                ForeignFiles.hyperfoil(
                        scene.resolve("lab/" + variant + "-" + run), ForeignFiles.LOAD_START, 3000 + 10 * run);
            }
        }
        recordOneRun(Files.createDirectories(scene.resolve("one")));
        run(List.of("import", scene.resolve("lab").toString(), "--name", "june"));
        try (Stream<Path> results = Files.list(scene.resolve("results"))) {
            Path june = results.filter(path -> path.getFileName().toString().startsWith("june-"))
                    .findFirst()
                    .orElseThrow();
            Files.move(june, scene.resolve("june"));
        }
    }

    /** Load and threads end with the flight recording, which cannot be of another time than now. */
    private static void recordOneRun(Path folder) throws IOException {
        try (Recording recording = new Recording()) {
            recording.start();
            recording.stop();
            recording.dump(folder.resolve("recording.jfr"));
        }
        Instant start = Instant.now().minusSeconds(180);
        ForeignFiles.hyperfoil(folder.resolve("hyperfoil/run/0000"), start.toEpochMilli(), 3000);
        // pidstat says the time of a clock on the wall. There is a time zone in which it is afternoon.
        LocalDateTime utc = LocalDateTime.ofInstant(start, ZoneOffset.UTC);
        LocalDateTime local = utc.plusHours(14 - utc.getHour());
        Files.writeString(folder.resolve("pidstat.log"), ForeignFiles.pidstat(local.minusSeconds(3), 180));
    }

    /** Results of an import go where the test can take them away. */
    private static Kiln run(List<String> words) {
        List<String> all = new ArrayList<>(words);
        if (words.getFirst().equals("import")) {
            all.addAll(List.of("--results", scene.resolve("results").toString()));
        }
        return Kiln.run(all.toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("runHere")
    void doesWhatThePageSays(Example example) {
        List<String> words = new Documented("", example.command())
                .words().stream()
                        .map(word -> Optional.ofNullable(example.files().get(word))
                                .map(DocumentationTest::place)
                                .orElse(word))
                        .toList();

        Kiln ran = run(words);

        assertThat(ran.exit()).as(ran.out() + ran.err()).isEqualTo(example.exit());
        assertThat(ran.out()).contains(example.prints());
        assertThat(ran.err()).doesNotContain("left out", "a bug in Kiln");
    }

    private static String place(String file) {
        return file.startsWith("../") ? file : scene.resolve(file).toString();
    }

    static List<Example> runHere() {
        return RUN_HERE;
    }

    /** A command that is added to a page is added here, and one that is taken away is taken away here. */
    @Test
    void ofEachCommandItIsKnownWhatRunsIt() throws IOException {
        Set<String> known = new LinkedHashSet<>(RUN_ELSEWHERE.keySet());
        RUN_HERE.forEach(example -> known.add(example.command()));
        examples().forEach(example -> known.add((String) example.get()[1]));

        assertThat(DocumentedCommands.all().stream().map(Documented::text).distinct())
                .containsExactlyInAnyOrderElementsOf(known);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examples")
    void printsWhatTheReferenceShows(String where, String command, String shown) {
        for (String locale : List.of("en-US", "tr-TR", "de-DE")) {
            Kiln ran = Locales.under(locale, () -> Kiln.run(arguments(command)));

            String printed = (ran.out() + ran.err()).replace("../docs/", "docs/");
            assertThat(
                            shown.endsWith("$ echo $?\n" + ran.exit() + "\n")
                                    ? printed + "$ echo $?\n" + ran.exit() + "\n"
                                    : printed)
                    .isEqualTo(shown);
        }
    }

    static Stream<Arguments> examples() throws IOException {
        List<Arguments> examples = new ArrayList<>();
        for (String page : PAGES_WITH_OUTPUT) {
            Path file = DOCS.resolve("reference/" + page + ".md");
            BLOCK.matcher(Files.readString(file)).results().forEach(block -> {
                String text = block.group(1);
                assertThat(text).startsWith("$ ./kiln ");
                int end = text.indexOf('\n');
                String command = text.substring("$ ./kiln ".length(), end);
                examples.add(Arguments.of(page + ": " + command, command, text.substring(end + 1)));
            });
        }
        return examples.stream();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandIsOneThatKilnTakes(Documented command) {
        List<String> words = command.words().stream()
                .map(word -> word.equals("PID") ? "1" : word)
                .toList();

        new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(words.toArray(String[]::new));
    }

    static List<Documented> commands() {
        return DocumentedCommands.all();
    }

    /** The tests run in a folder beside the documentation's. */
    private static String[] arguments(String command) {
        return Arrays.stream(command.split(" ", -1))
                .map(word -> word.startsWith("docs/") ? "../" + word : word)
                .toArray(String[]::new);
    }

    /** A walk that names a class of yesterday leads nowhere; one of more than twelve stations is not followed. */
    @Test
    void theWalksOfTheDesignNameClassesThatThereAre() throws Exception {
        String design = Files.readString(DOCS.resolve("design.md"));
        List<String> walks = Stream.of(
                        between(design, "\n## Four walks\n", "\n## ").split("\n### "))
                .skip(1)
                .toList();
        assertThat(walks).hasSize(4);
        for (String walk : walks) {
            assertThat(walk.lines().filter(line -> line.matches("\\d+\\. .*")).count())
                    .as(walk)
                    .isBetween(5L, 12L);
            List<String> named = Pattern.compile("`((?:[a-z]+\\.)+[A-Z]\\w*(?:\\.[A-Z]\\w*)*)`")
                    .matcher(walk)
                    .results()
                    .map(found -> "dev.kiln." + found.group(1).replaceAll("(?<=[A-Z]\\w{0,99})\\.", "\\$"))
                    .toList();
            assertThat(named).as(walk).hasSizeGreaterThan(5);
            for (String name : named) {
                assertThat(Class.forName(name, false, DocumentationTest.class.getClassLoader()))
                        .isNotNull();
            }
        }
    }

    private static String between(String text, String begin, String end) {
        String after = text.substring(text.indexOf(begin) + begin.length());
        return after.substring(0, after.indexOf(end));
    }

    /** A promise without a test is none. */
    @Test
    void promisesOfSecurityNameTestsThatThereAre() throws IOException {
        List<String> tests = Modules.files("src/test/java").stream()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .toList();
        String promised =
                Files.readString(Path.of("../docs/reference/security.md")).split("## What is promised", 2)[1];
        List<String> named = Pattern.compile("`(\\w+(?:Test|IT))`")
                .matcher(promised.split("\n## ", 2)[0])
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(named).hasSizeGreaterThan(10);
        assertThat(tests).containsAll(named);
    }
}
