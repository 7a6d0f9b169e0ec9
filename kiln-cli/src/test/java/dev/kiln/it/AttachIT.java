package dev.kiln.it;

import static dev.kiln.it.Kiln.assertTold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Services that Kiln did not start: they are measured, left as they were, and go on. */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class AttachIT extends InSandbox {
    private static final List<String> SHORT = List.of("--connections", "4", "--protocol", "load=4s,pause=1s,load=3s");

    private Kiln attach(String what, String url, List<String> more) {
        return attach(sandbox.jvm(), what, url, more);
    }

    private Kiln attach(ProcessBuilder jvm, String what, String url, List<String> more) {
        List<String> words = new ArrayList<>(List.of("run", "--attach", what, "--url", url));
        words.addAll(more);
        words.addAll(List.of("--results", sandbox.results().toString()));
        return Kiln.start(sandbox, jvm, words.toArray(String[]::new));
    }

    private JsonNode run() throws IOException {
        return JsonMapper.shared().readTree(sandbox.experiment().resolve("baseline/1/run.json"));
    }

    static Stream<Jdk> jdks() {
        return new JdkFinder().find().stream().filter(jdk -> jdk.feature() == 17 || jdk.feature() == 25);
    }

    /** Returns the flags that somebody has set: C2 changes defaults of its own when it begins. */
    private static List<String> flags(Jdk jdk, long pid) throws Exception {
        Process asked = new ProcessBuilder(
                        jdk.home().resolve("bin/jcmd").toString(), Long.toString(pid), "VM.flags", "-all")
                .redirectErrorStream(true)
                .start();
        String said = new String(asked.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(asked.waitFor()).as(said).isZero();
        return said.lines().filter(line -> !line.contains("{default}")).toList();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmIsMeasuredByItsPidAndLeftAsItWas(Jdk jdk) throws Exception {
        ForeignService service = ForeignService.start(sandbox, jdk);
        // Its first question starts the JVM's thread that answers it.
        List<String> flags = flags(jdk, service.pid());
        List<String> before = service.looks();

        Answer answer =
                attach(Long.toString(service.pid()), service.url(), SHORT).end();

        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(service.looks()).isEqualTo(before);
        assertThat(flags(jdk, service.pid())).isEqualTo(flags);
        service.requireServes();
        JsonNode run = run();
        assertThat(run.path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
        assertThat(run.path("attached").path("pid").asLong()).isEqualTo(service.pid());
        assertThat(run.path("attached").path("ageNanos").asLong()).isPositive();
        assertThat(run.path("attached").path("cpuNanos").asLong()).isPositive();
        assertThat(run.path("jvm").path("version").asString()).startsWith(Integer.toString(jdk.feature()));
        assertThat(run.path("command").toString()).contains("Serving").doesNotContain("taskset");
        assertThat(run.path("cpus").path("pinned").asBoolean()).isFalse();
        assertThat(Files.readAllLines(sandbox.experiment().resolve("baseline/1/threads.csv")))
                .hasSizeGreaterThan(50);
        assertThat(Files.readAllLines(sandbox.experiment().resolve("baseline/1/compiler.csv")))
                .hasSizeGreaterThan(5);
        assertThat(answer.out()).contains("had run for");
        JsonNode result = JsonMapper.shared().readTree(sandbox.experiment().resolve("result.json"));
        JsonNode told = result.path("variants").get(0).path("runs").get(0);
        assertThat(told.path("referencePeak").isNull()).isFalse();
        assertThat(told.path("timeToReferencePeak").path("90").isNull()).isTrue();
        assertThat(told.path("startSeconds").isNull()).isTrue();
        assertThat(told.path("requests").asLong()).isGreaterThan(1000);
        assertThat(result.path("how").path("attached").path("ranSeconds").isNumber())
                .isTrue();
    }

    /** Without questions Kiln only reads: not even the thread that would answer them is there. */
    @Test
    @FullRun
    void aServiceIsFoundByItsPortAndOnlyLookedAt() throws Exception {
        ForeignService service = ForeignService.start(sandbox, JdkFinder.current());
        List<String> before = service.looks();
        List<String> more = new ArrayList<>(SHORT);
        more.addAll(List.of("--no-jit-queries", "--no-thread-dumps"));

        Answer answer = attach("port:" + service.port(), "http://localhost:${port}/", more)
                .end();

        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(service.looks()).isEqualTo(before);
        service.requireServes();
        assertThat(run().path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
        assertThat(run().path("attached").path("to").asString()).isEqualTo("port:" + service.port());
        assertThat(run().path("attached").path("pid").asLong()).isEqualTo(service.pid());
    }

    @Test
    @FullRun
    void aKilledKilnLeavesItRunningAndSoDoesTheNext() throws Exception {
        ForeignService service = ForeignService.start(sandbox, JdkFinder.current());
        List<String> before = service.looks();
        List<String> more =
                List.of("--connections", "4", "--protocol", "load=120s", "--no-jit-queries", "--no-thread-dumps");

        attach(Long.toString(service.pid()), service.url(), more)
                .await("load", sandbox::isLoaded)
                .signal("KILL")
                .end();

        service.requireServes();
        assertThat(service.looks()).isEqualTo(before);
        Answer next = attach(Long.toString(service.pid()), service.url(), more)
                .awaitSaid("req/s")
                .signal("INT")
                .end();
        assertThat(next.exit()).as(next.err()).isEqualTo(130);
        service.requireServes();
        assertThat(service.looks()).isEqualTo(before);
    }

    @Test
    void oneThatEndsInTheMiddleIsAResult() throws Exception {
        ForeignService service = ForeignService.start(sandbox, JdkFinder.current());
        Kiln kiln = attach(
                        Long.toString(service.pid()),
                        service.url(),
                        List.of("--connections", "4", "--protocol", "load=120s"))
                .await("load", sandbox::isLoaded);

        service.end();

        assertTold(
                kiln.end(),
                1,
                "process " + service.pid() + ", to which Kiln had attached, ended during the run",
                "see its log, and start it again");
        assertThat(run().path("outcome").asString()).isEqualTo("TARGET_FAILED");
        assertThat(Files.size(sandbox.experiment().resolve("baseline/1/load.csv")))
                .isGreaterThan(1000);
    }

    @Test
    void whatIsNoJvmIsMeasuredWithoutOne() throws Exception {
        Path python = Path.of("/usr/bin/python3");
        assumeTrue(Files.isExecutable(python), "no python3");
        ForeignService service = ForeignService.start(sandbox, List.of(python.toString(), "-u", "-c", """
                import http.server
                class Of(http.server.BaseHTTPRequestHandler):
                    protocol_version = 'HTTP/1.1'
                    def do_GET(self):
                        body = ('of ' + self.path).encode()
                        self.send_response(200)
                        self.send_header('Content-Length', str(len(body)))
                        self.end_headers()
                        self.wfile.write(body)
                    def log_message(self, *args):
                        pass
                server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Of)
                print('port %d.' % server.server_address[1])
                server.serve_forever()
                """));
        List<String> before = service.looks();

        Answer answer =
                attach(Long.toString(service.pid()), service.url(), SHORT).end();

        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(run().path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
        assertThat(run().path("jvm").isNull()).isTrue();
        service.requireServes();
        assertThat(service.looks().getFirst()).isEqualTo(before.getFirst());
    }

    @Test
    void aListenerOfAnotherUserIsSaidToBeOne() throws Exception {
        List<String> nobody = List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--");
        Path jar = Path.of("target", "kiln.jar").toAbsolutePath();
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can become somebody else");
        List<String> look = new ArrayList<>(nobody);
        look.addAll(List.of("test", "-r", jar.toString()));
        assumeTrue(new ProcessBuilder(look).start().waitFor() == 0, "not built, or closed to others: " + jar);
        for (Path folder : List.of(sandbox.results(), sandbox.state(), sandbox.temporary())) {
            Files.setPosixFilePermissions(folder, java.nio.file.attribute.PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        ForeignService service = ForeignService.start(sandbox, JdkFinder.current());

        Answer answer = attach(
                        sandbox.jvm(nobody, jar.toString(), dev.kiln.cli.Main.class.getName()),
                        "port:" + service.port(),
                        service.url(),
                        SHORT)
                .end();

        assertTold(
                answer,
                3,
                "attach: port " + service.port()
                        + " is held by a process of user root, and this user may not see which");
        service.requireServes();
    }

    @Test
    @FullRun
    void aContainerIsFoundByItsName() throws Exception {
        String runtime = Stream.of("podman", "docker")
                .filter(LentContainer::works)
                .findFirst()
                .orElse("");
        assumeTrue(!runtime.isEmpty(), "no runtime that can start a container");
        String name = "kiln-it-attach-" + ProcessHandle.current().pid();
        Jdk jdk = JdkFinder.current();
        ForeignService.compile(sandbox);
        List<String> command = new ArrayList<>(List.of(runtime, "run", "--rm", "--network", "host", "--name", name));
        command.addAll(LentContainer.LIMITS);
        Stream.of(
                        "/usr",
                        "/lib",
                        "/lib64",
                        "/bin",
                        jdk.home().toString(),
                        sandbox.root().toString())
                .filter(path -> Files.exists(Path.of(path)))
                .forEach(path -> command.addAll(List.of("--mount", "type=bind,source=" + path + ",target=" + path)));
        command.addAll(List.of("--entrypoint", jdk.java().toString(), LentContainer.IMAGE));
        command.addAll(List.of(
                "-Dsun.net.httpserver.nodelay=true", "-cp", sandbox.root().toString(), "Serving", "4"));
        try {
            ForeignService front = ForeignService.start(sandbox, command);

            Answer answer = attach(name, front.url(), SHORT).end();

            assertThat(answer.humane()).as(answer.err()).isTrue();
            assertThat(run().path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
            assertThat(run().path("attached").path("to").asString()).isEqualTo(name);
            assertThat(run().path("jvm").path("version").asString()).startsWith(Integer.toString(jdk.feature()));
            front.requireServes();
        } finally {
            new ProcessBuilder(runtime, "rm", "--force", name).start().waitFor();
        }
    }
}
