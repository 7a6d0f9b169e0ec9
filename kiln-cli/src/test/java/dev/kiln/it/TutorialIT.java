package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.DocumentedCommands;
import dev.kiln.cli.DocumentedCommands.Documented;
import dev.kiln.fixtures.CurveServer;
import dev.kiln.host.process.Ports;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.runner.Bench;
import dev.kiln.runner.BuiltWorkloads;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The commands of the README, the tutorial and the doctor's guide that start or watch a service, as a reader types them, in a
 * folder with an {@code app.jar}. Their loads are shortened, and the service has a known capacity. DemoIT is the demo.
 */
@Execution(ExecutionMode.CONCURRENT)
final class TutorialIT {
    private static final List<String> SHORT = List.of("--protocol", "load=2s,pause=1s,load=1s");
    private static final String PORT = "TUTORIAL_PORT";

    private final Sandbox sandbox = new Sandbox();

    @AfterEach
    void leaveNothing() {
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    /** The reader's own service: it listens where it likes to, and takes no arguments. */
    static final class App {
        private App() {}

        public static void main(String[] args) throws Exception {
            CurveServer.main(new String[] {"--port", System.getenv(PORT), "--curve", "flat:rate=400"});
        }
    }

    private void writeApp() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, App.class.getName());
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        Path.of(Kiln.home(App.class.getName())).toUri() + " "
                                + Path.of(Kiln.fixtures()).toUri());
        try (OutputStream file = Files.newOutputStream(sandbox.root().resolve("app.jar"))) {
            new JarOutputStream(file, manifest).close();
        }
    }

    /** @param pattern of a part of the command */
    private static Documented documented(String page, String pattern) {
        List<Documented> found = DocumentedCommands.all().stream()
                .filter(command -> command.page().equals(page)
                        && Pattern.compile(pattern).matcher(command.text()).find())
                .toList();
        assertThat(found).as("%s: %s", page, pattern).hasSize(1);
        return found.getFirst();
    }

    /** With the port of the service, less load, and as many runs as given. */
    private Answer run(Documented command, String runs) throws IOException {
        writeApp();
        String port = Integer.toString(Ports.free());
        List<String> words = new ArrayList<>(command.words().stream()
                .map(word -> word.replace("http://localhost:8080/", "http://localhost:" + port + "/"))
                .toList());
        int given = words.indexOf("--runs");
        words.set(given + 1, runs);
        words.addAll(1, SHORT);
        ProcessBuilder jvm = sandbox.jvm();
        jvm.environment().put(PORT, port);
        // The reader's java, which is new enough for the reader's service.
        jvm.environment()
                .merge(
                        "PATH",
                        Path.of(System.getProperty("java.home"), "bin").toString(),
                        (path, jdk) -> jdk + ":" + path);
        return Kiln.start(sandbox, jvm, words.toArray(String[]::new)).end();
    }

    private Path experiment() throws IOException {
        try (Stream<Path> all = Files.list(sandbox.results())) {
            return all.findFirst().orElseThrow();
        }
    }

    /** One table, one sentence and the path of the report. */
    private void assertReported(Answer answer, String... variants) throws IOException {
        // A crowded machine makes runs invalid, and the exit code says so.
        assertThat(answer.exit()).as(answer.out() + answer.err()).isBetween(0, 1);
        assertThat(answer.humane()).as(answer.out() + answer.err()).isTrue();
        assertThat(answer.out())
                .containsPattern("req/s, end +peak, +T90 ")
                .containsPattern("Report: \\S*"
                        + Pattern.quote(experiment().getFileName().toString()) + "/report\\.html");
        for (String variant : variants) {
            assertThat(answer.out()).containsPattern("(?m)^" + variant + " ");
        }
        try (Stream<Path> folders = Files.list(experiment()).filter(Files::isDirectory)) {
            assertThat(folders.map(folder -> folder.getFileName().toString())).containsExactlyInAnyOrder(variants);
        }
        assertThat(experiment().resolve("report.html")).isNotEmptyFile();
    }

    @Test
    void theReadmesServiceIsStartedWithAndWithoutVirtualThreads() throws IOException {
        Documented command = documented("README.md", "-- java -jar app.jar");
        assertThat(command.words()).containsSequence("--runs", "3");

        Answer answer = run(command, "1");

        assertReported(answer, "baseline", "vt");
        assertThat(Files.readString(experiment().resolve("vt/1/run.json")))
                .contains("-Dspring.threads.virtual.enabled=true");
        assertThat(Files.readString(experiment().resolve("baseline/1/run.json")))
                .doesNotContain("-Dspring.threads.virtual.enabled=true");
    }

    /** With the columns that the page has DuckDB read. */
    @FullRun
    @Test
    void aServiceOfOnesOwn() throws IOException {
        assertReported(run(documented("tutorial.md", "--runs 1 -- java -jar app.jar"), "1"), "baseline");

        Path run = experiment().resolve("baseline/1");
        assertThat(Files.readAllLines(run.resolve("threads.csv")).getFirst().split(",", -1))
                .contains("tid", "cpu_ns", "wait_ns", "role");
        assertThat(Files.readAllLines(run.resolve("threads.csv"))).anyMatch(line -> line.contains(",C2,"));
    }

    @Test
    @FullRun
    void variantsAreFlags() throws IOException {
        assertReported(run(documented("tutorial.md", "--variant"), "1"), "baseline", "c1", "batch");
    }

    /** Planned and run from the folder of the clone. */
    @Test
    @FullRun
    void theShortestExperimentRunsInAFreshClone() throws IOException {
        Path file = Bench.root().resolve("experiments/first-look.yaml");
        BuiltWorkloads.ready("fruits-quarkus");
        List<String> words =
                new ArrayList<>(documented("tutorial.md", "run experiments/first-look.yaml").words().stream()
                        .map(word -> word.equals("experiments/first-look.yaml") ? file.toString() : word)
                        .toList());
        words.addAll(1, SHORT);

        ProcessBuilder jvm = sandbox.jvm();
        jvm.command().add(1 + jvm.command().indexOf("-XX:+UseSerialGC"), "-Dkiln.root=" + Bench.root());
        Answer answer = Kiln.start(sandbox, jvm, words.toArray(String[]::new)).end();

        assertReported(answer, "baseline");
    }

    @Test
    void theDoctorListsTheJvmsAndLooksAtOne() {
        List<String> list = documented("find-out-why-a-pod-is-slow-after-a-deployment.md", "^doctor$")
                .words();
        try (LivingJvm jvm = LivingJvm.start(sandbox, JdkFinder.current(), List.of(), List.of(), "1", "100", "10000")) {
            String pid = Long.toString(jvm.pid());
            Answer all = Kiln.inProcess(list.toArray(String[]::new));
            Answer one = Kiln.inProcess("doctor", pid);

            assertThat(all.exit()).as(all.err()).isZero();
            assertThat(all.out()).contains(pid);
            assertThat(one.exit()).as(one.err()).isIn(0, 6, 7, 8);
            assertThat(one.out()).startsWith("Living (pid " + pid + ") is ");
        }
    }
}
