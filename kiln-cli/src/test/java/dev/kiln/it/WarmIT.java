package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.Ports;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A JVM that serves, and is warmed up while it lives. */
final class WarmIT {
    private final Sandbox sandbox = new Sandbox();
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void leaveNothing() {
        started.forEach(process -> process.destroyForcibly().onExit().join());
        sandbox.close();
    }

    /** A service with methods to compile. */
    private Process service(int port) throws IOException {
        Path log = sandbox.root().resolve("service.log");
        List<String> command = List.of(
                (Kiln.FAULT_SERVER.replace("${port}", Integer.toString(port)) + " --work methods:20").split(" ", -1));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        started.add(process);
        Waiting.until("the service to listen", () -> answers(port) || !process.isAlive());
        return process;
    }

    private static boolean answers(int port) {
        try (java.net.Socket socket = new java.net.Socket(java.net.InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static JsonNode warm(long pid, int exit, String... words) {
        List<String> all = new ArrayList<>(List.of("warm", Long.toString(pid), "--json", "-"));
        all.addAll(List.of(words));
        Answer answer = Kiln.inProcess(all.toArray(String[]::new));
        assertThat(answer.exit()).as(answer.out() + answer.err()).isEqualTo(exit);
        return JsonMapper.shared().readTree(answer.out());
    }

    /** How long it takes is a matter of the machine; that it ends, and with what share of the CPU, is not. */
    @Test
    @FullRun
    void aServiceIsWarmWithinItsShare() throws IOException {
        int port = Ports.free();
        Process service = service(port);
        int metrics = Ports.free();
        Kiln doctor = Kiln.start(sandbox, "doctor", Long.toString(service.pid()), "--metrics", ":" + metrics);
        Waiting.until("the doctor to serve", () -> answers(metrics) || !doctor.isAlive());
        assertThat(ask(metrics, "/ready").statusCode()).isEqualTo(503);
        JsonNode said = warm(
                service.pid(), 0, "--url", "http://127.0.0.1:" + port + "/", "--budget", "10m", "--at-most", "0.4");
        assertThat(said.get("warm").asBoolean()).isTrue();
        assertThat(said.get("state").asString()).isEqualTo("warm");
        assertThat(said.get("requests").asLong()).isGreaterThan(100);
        assertThat(said.get("failures").asLong()).isZero();
        assertThat(said.get("seconds").asDouble()).isGreaterThan(10);
        assertThat(said.get("cpuShare").asDouble()).isBetween(0.01, 0.5);
        assertThat(service.isAlive()).isTrue();

        // Whether the doctor saw it warm before the load ended is a matter of the machine. An idle service keeps what
        // it was
        // told; ReadinessTest has the rest of the rule.
        String idle = idle(metrics);
        int told = ask(metrics, "/ready").statusCode();
        assertThat(told).isIn(200, 503);
        Waiting.until("the doctor to look again", () -> !idle(metrics).equals(idle));
        assertThat(ask(metrics, "/ready").statusCode()).isEqualTo(told);
        doctor.signal("INT");
        doctor.end();
    }

    /** The metrics of a service that has nothing to do. */
    private static String idle(int metrics) {
        Waiting.until(
                "the doctor to call it idle",
                () -> ask(metrics, "/metrics").body().contains("kiln_jvm_state{kiln_jvm_state=\"idle\"} 1"));
        return ask(metrics, "/metrics").body();
    }

    private static HttpResponse<String> ask(int port, String path) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of a log, what changes nothing; and never warm for requests that nobody answers. */
    @Test
    void requestsThatFailMakeNothingWarm() throws IOException {
        int port = Ports.free();
        Process service = service(port);
        Path log = sandbox.file("access.log", """
                ::1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5
                ::1 - - [10/Oct/2000:13:55:38 -0700] "DELETE /a HTTP/1.1" 200 5
                """);
        Answer answer = Kiln.inProcess(
                "warm",
                Long.toString(service.pid()),
                "--url",
                "http://127.0.0.1:" + Ports.free() + "/",
                "--requests",
                log.toString(),
                "--budget",
                "12s");
        assertThat(answer.exit()).as(answer.out() + answer.err()).isEqualTo(1);
        assertThat(answer.err()).contains("1 of 2 requests are left out, because they may change data");
        assertThat(answer.out())
                .contains("Not warm after 12 s", " failed (first GET /a: ")
                .endsWith("kiln doctor " + service.pid() + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--url http://localhost:1/ --at-most 2 | --at-most: found 2.0, expected a share from 0.1 to 1",
                "--url http://localhost:1/ --budget 5s | --budget 5s is too short",
                "--url localhost | --url: found 'localhost', expected a URL such as http://localhost:8080/path",
                "--url http://localhost:1/ --requests nosuch.har | --requests: ",
                "--url http://a/ --url http://b/ --requests a.log | --requests with 2 URLs",
                "--budget 20s | --url",
            })
    void whatCannotBeDoneIsSaidAtOnce(String words, String message) {
        List<String> all = new ArrayList<>(List.of("warm", "1"));
        all.addAll(List.of(words.split(" ", -1)));
        Answer answer = Kiln.inProcess(all.toArray(String[]::new));
        assertThat(answer.exit()).as(answer.err()).isEqualTo(2);
        assertThat(answer.err()).contains(message);
    }
}
