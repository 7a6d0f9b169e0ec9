package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.jvm.Jdk;
import dev.kiln.testing.SmallProgram;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A ForeignService runs before Kiln does, and somebody else started it. */
record ForeignService(Process process, int port) {
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

    /** Starts a JVM that serves; its every flag is here. */
    static ForeignService start(Sandbox sandbox, Jdk jdk) throws Exception {
        compile(sandbox);
        ForeignService service = start(
                sandbox,
                List.of(
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

    /** Puts the class {@code Serving} into the sandbox. */
    static void compile(Sandbox sandbox) throws IOException {
        SmallProgram.compile(sandbox.root(), "Serving", SOURCE);
    }

    /** Starts any program that serves and says its port; the sandbox ends it. */
    static ForeignService start(Sandbox sandbox, List<String> command) throws Exception {
        Path said = Files.createTempFile(sandbox.root(), "service", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(sandbox.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        Waiting.until("the service to listen", () -> port(said) > 0 || !process.isAlive());
        assertThat(process.isAlive()).as(Files.readString(said)).isTrue();
        return new ForeignService(process, port(said));
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
