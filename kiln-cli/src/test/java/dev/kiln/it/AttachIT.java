package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
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
final class AttachIT {
    /** A service for JDK 17 and later; its argument is the number of threads that serve. */
    private static final String SOURCE = """
            import java.net.InetSocketAddress;
            import java.util.concurrent.Executors;
            import java.util.concurrent.ThreadPoolExecutor;
            public class Serving {
                public static void main(String[] args) throws Exception {
                    var pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(Integer.parseInt(args[0]));
                    pool.prestartAllCoreThreads();
                    var server = com.sun.net.httpserver.HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 50);
                    server.setExecutor(pool);
                    server.createContext("/", exchange -> {
                        byte[] body = ("of " + exchange.getRequestURI()).getBytes();
                        exchange.sendResponseHeaders(200, body.length);
                        try (var out = exchange.getResponseBody()) {
                            out.write(body);
                        }
                    });
                    server.start();
                    System.out.println("port " + server.getAddress().getPort() + ".");
                }
            }
            """;

    /** Podman's own defaults need a right that root may lack. */
    static final List<String> LIMITS = List.of("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024");

    private static final List<String> SHORT = List.of("--connections", "4", "--protocol", "load=6s,pause=1s,load=3s");

    private final Sandbox sandbox = new Sandbox();
    private final List<Service> started = new ArrayList<>();

    @AfterEach
    void leaveNothing() {
        started.forEach(Service::end);
        sandbox.close();
    }

    /** A Service runs before Kiln does. */
    private record Service(Process process, int port) {
        long pid() {
            return process.pid();
        }

        String url() {
            return "http://localhost:" + port + "/";
        }

        void end() {
            process.destroyForcibly();
        }

        void requireServes() throws Exception {
            assertThat(process.isAlive()).isTrue();
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(url())).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo("of /");
        }

        /** Returns all of the process that somebody could have changed from outside, a line each. */
        List<String> looks() throws IOException {
            List<String> looks = new ArrayList<>();
            Path proc = Path.of("/proc/" + pid());
            try (Stream<Path> tasks = Files.list(proc.resolve("task"))) {
                for (Path task : tasks.sorted().toList()) {
                    String stat = Files.readString(task.resolve("stat"));
                    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                    looks.add(Files.readString(task.resolve("comm")).strip() + " nice " + fields[16] + " policy "
                            + fields[38] + " " + affinity(task));
                }
            }
            looks.add(Files.readString(proc.resolve("cgroup")));
            looks.add("in " + Files.readSymbolicLink(proc.resolve("cwd")));
            looks.add(Files.readString(proc.resolve("oom_score_adj")) + Files.readString(proc.resolve("limits")));
            return looks;
        }

        private static String affinity(Path task) throws IOException {
            return Files.readAllLines(task.resolve("status")).stream()
                    .filter(line -> line.startsWith("Cpus_allowed_list"))
                    .findFirst()
                    .orElse("");
        }
    }

    private Service start(Jdk jdk) throws Exception {
        Path source = sandbox.file("Serving.java", SOURCE);
        int exit = javax.tools.ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "--release", "17", "-d", sandbox.root().toString(), source.toString());
        assertThat(exit).isZero();
        Service service = start(List.of(
                jdk.java().toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "-Dsun.net.httpserver.nodelay=true",
                "-cp",
                sandbox.root().toString(),
                "Serving",
                "4"));
        service.requireServes();
        return service;
    }

    private Service start(List<String> command) throws Exception {
        Path said = Files.createTempFile(sandbox.root(), "service", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(sandbox.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        Service starting = new Service(process, 0);
        started.add(starting);
        Waiting.until("the service to listen", () -> port(said) > 0 || !process.isAlive());
        assertThat(process.isAlive()).as(Files.readString(said)).isTrue();
        return new Service(process, port(said));
    }

    private static int port(Path said) {
        try {
            String text = Files.readString(said);
            int at = text.indexOf("port ");
            int end = text.indexOf('.', at);
            return at < 0 || end < 0 ? 0 : Integer.parseInt(text.substring(at + 5, end));
        } catch (IOException e) {
            return 0;
        }
    }

    private Kiln attach(String what, String url, List<String> more) {
        return attach(sandbox.jvm(), what, url, more);
    }

    private Kiln attach(ProcessBuilder jvm, String what, String url, List<String> more) {
        List<String> words = new ArrayList<>(List.of("run", "--attach", what, "--url", url));
        words.addAll(more);
        words.addAll(List.of("--results", sandbox.results().toString()));
        return Kiln.start(sandbox, jvm, words.toArray(String[]::new));
    }

    private Path experiment() throws IOException {
        try (Stream<Path> folders = Files.list(sandbox.results())) {
            return folders.filter(Files::isDirectory).findFirst().orElseThrow();
        }
    }

    private JsonNode run() throws IOException {
        return JsonMapper.shared().readTree(experiment().resolve("baseline/1/run.json"));
    }

    private static Answer refused(String... words) {
        return Kiln.inProcess(words);
    }

    private static void assertTold(Answer answer, int exit, String... parts) {
        assertThat(answer.exit()).as(answer.err()).isEqualTo(exit);
        assertThat(answer.err()).contains(parts);
        assertThat(answer.humane()).as(answer.err()).isTrue();
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
        Service service = start(jdk);
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
        assertThat(Files.readAllLines(experiment().resolve("baseline/1/threads.csv")))
                .hasSizeGreaterThan(50);
        assertThat(Files.readAllLines(experiment().resolve("baseline/1/compiler.csv")))
                .hasSizeGreaterThan(5);
        assertThat(answer.out()).contains("had run for");
        JsonNode result = JsonMapper.shared().readTree(experiment().resolve("result.json"));
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
    void aServiceIsFoundByItsPortAndOnlyLookedAt() throws Exception {
        Service service = start(JdkFinder.current());
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
        Service service = start(JdkFinder.current());
        List<String> before = service.looks();
        List<String> more =
                List.of("--connections", "4", "--protocol", "load=120s", "--no-jit-queries", "--no-thread-dumps");

        attach(Long.toString(service.pid()), service.url(), more)
                .await("load", this::isLoaded)
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

    private boolean isLoaded() {
        try (Stream<Path> files = Files.walk(sandbox.results())) {
            return files.anyMatch(
                    file -> file.endsWith("load.csv") && file.toFile().length() > 1000);
        } catch (IOException | java.io.UncheckedIOException e) {
            return false;
        }
    }

    @Test
    void oneThatEndsInTheMiddleIsAResult() throws Exception {
        Service service = start(JdkFinder.current());
        Kiln kiln = attach(
                        Long.toString(service.pid()),
                        service.url(),
                        List.of("--connections", "4", "--protocol", "load=120s"))
                .await("load", this::isLoaded);

        service.end();

        assertTold(
                kiln.end(),
                1,
                "process " + service.pid() + ", to which Kiln had attached, ended during the run",
                "see its log, and start it again");
        assertThat(run().path("outcome").asString()).isEqualTo("TARGET_FAILED");
        assertThat(Files.size(experiment().resolve("baseline/1/load.csv"))).isGreaterThan(1000);
    }

    @Test
    void whatIsNoJvmIsMeasuredWithoutOne() throws Exception {
        Path python = Path.of("/usr/bin/python3");
        assumeTrue(Files.isExecutable(python), "no python3");
        Service service = start(List.of(python.toString(), "-u", "-c", """
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
    void whatCannotBeAttachedToIsSaidOnceAndNothingIsRun() throws Exception {
        Service service = start(JdkFinder.current());
        String url = service.url();
        String pid = Long.toString(service.pid());
        String results = sandbox.results().toString();
        assertTold(
                refused("run", "--attach", "4194304", "--url", url, "--results", results),
                2,
                "attach: there is no process 4194304 on this machine");
        assertTold(
                refused("run", "--attach", "port:1", "--url", url, "--results", results),
                2,
                "attach: nothing listens on port 1 of this machine");
        assertTold(
                refused("run", "--attach", "kiln-it-absent", "--url", url, "--results", results),
                2,
                "container 'kiln-it-absent'");
        assertTold(
                refused("run", "--attach", "kube:shop", "--url", url, "--results", results),
                2,
                "--attach: found 'kube:shop', expected a PID, port:8080, the name of a container or kube:NAMESPACE/POD");
        for (String changing : List.of("--flight-recorder", "--async-profiler", "--cold")) {
            assertTold(refused("run", "--attach", pid, "--url", url, changing, "--results", results), 2, "kiln: ");
        }
        assertTold(refused("run", "--attach", pid, "--url", url, "--runs", "3"), 2, "runs: found more than one");
        assertTold(refused("run", "--attach", pid, "--url", url, "--variant", "a=-Xint"), 2, "jvmFlags with attach");
        assertTold(refused("run", "--attach", pid, "--url", url, "--jdks", "17"), 2, "jdk");
        assertTold(refused("run", "--attach", pid), 2, "--attach without --url");
        assertTold(refused("run", "--attach", pid, "--url", url, "--", "java"), 2, "--attach beside a command");
        assertTold(refused("tune", "--attach", pid, "--url", url), 2, "attach: a search starts the service anew");
        assertTold(
                refused("sweep", "--attach", pid, "--url", url, "--connections", "1,2"),
                2,
                "a second run of process " + pid);
        Path twice = sandbox.file(
                "twice.yaml",
                "variants:\n  a: {attach: " + pid + "}\n  b: {attach: 'port:" + service.port() + "'}\nload: {url: '"
                        + url + "'}\n");
        assertTold(
                refused("run", twice.toString(), "--results", results),
                2,
                "attach: variants a and b are the same process");
        service.requireServes();
        assertThat(sandbox.results()).isEmptyDirectory();
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
        Service service = start(JdkFinder.current());

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
                .filter(AttachIT::starts)
                .findFirst()
                .orElse("");
        assumeTrue(!runtime.isEmpty(), "no runtime that can start a container");
        String name = "kiln-it-attach-" + ProcessHandle.current().pid();
        Jdk jdk = JdkFinder.current();
        sandbox.file("Serving.java", SOURCE);
        javax.tools.ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "--release",
                        "17",
                        "-d",
                        sandbox.root().toString(),
                        sandbox.root().resolve("Serving.java").toString());
        List<String> command = new ArrayList<>(List.of(runtime, "run", "--rm", "--network", "host", "--name", name));
        command.addAll(LIMITS);
        Stream.of(
                        "/usr",
                        "/lib",
                        "/lib64",
                        "/bin",
                        jdk.home().toString(),
                        sandbox.root().toString())
                .filter(path -> Files.exists(Path.of(path)))
                .forEach(path -> command.addAll(List.of("--mount", "type=bind,source=" + path + ",target=" + path)));
        command.addAll(List.of("--entrypoint", jdk.java().toString(), "kiln-it-attach"));
        command.addAll(List.of(
                "-Dsun.net.httpserver.nodelay=true", "-cp", sandbox.root().toString(), "Serving", "4"));
        try {
            Service front = start(command);

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

    /** Makes the image {@code kiln-it-attach} of empty folders, and starts a container of it once. */
    static boolean starts(String runtime) {
        try {
            Path root = Files.createTempDirectory("kiln-it-");
            for (String folder :
                    Arrays.asList("proc", "sys", "dev", "tmp", "run", "etc", "usr", "lib", "lib64", "bin")) {
                Files.createDirectory(root.resolve(folder));
            }
            Files.writeString(root.resolve("etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
            String image = "tar -C " + root + " -c . | " + runtime + " import - kiln-it-attach";
            String once = runtime + " run --rm --network host " + String.join(" ", LIMITS)
                    + " -v /usr:/usr:ro -v /lib:/lib:ro -v /lib64:/lib64:ro"
                    + " -v /bin:/bin:ro --entrypoint /bin/true kiln-it-attach";
            return new ProcessBuilder("sh", "-c", image + " && " + once)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
