package dev.kiln.runner;

import dev.kiln.host.process.LogTail;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Ports;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Workload;
import dev.kiln.postgres.Postgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** One of the fruit services, launched as its workload file says. */
final class FruitService implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /**
     * An answer as a client sees it.
     *
     * @param location without the port, which differs by design
     * @param body the bytes, as one character each
     */
    record Answer(int status, String mediaType, String location, String body) {}

    private final PinnedProcess process;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port = Ports.free();
    private final Path log;

    FruitService(Bench bench, Workload workload, boolean virtualThreads, Postgres database) {
        log = bench.folder().resolve(workload.name() + (virtualThreads ? "-virtual.log" : "-platform.log"));
        Placeholders values = new Placeholders(Map.of(
                Placeholders.PORT,
                Integer.toString(port),
                Placeholders.DB_URL,
                database.jdbcUrl(),
                Placeholders.DB_USER,
                Postgres.USER,
                Placeholders.DB_PASSWORD,
                database.password(),
                Placeholders.RUN_DIR,
                folder(bench).toString()));
        Map<String, String> environment = new HashMap<>();
        workload.launch().environment().forEach((name, value) -> environment.put(name, values.fill(value)));
        List<String> written = virtualThreads
                ? workload.launch().virtualThreadsCommand()
                : workload.launch().command();
        List<String> command =
                new ArrayList<>(written.stream().map(values::fill).toList());
        command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // What is compared does not depend on how fast it is made.
        command.addAll(1, List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        process = bench.start(workload.directory(), environment, command, log);
    }

    private static Path folder(Bench bench) {
        try {
            return Files.createTempDirectory(bench.folder(), "run-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitReady() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                ask("GET", "/fruits", Map.of(), "");
                return;
            } catch (UncheckedIOException notYet) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    throw new AssertionError("not ready:\n" + LogTail.lastLines(log, 30), notYet);
                }
            }
            Thread.sleep(100);
        }
    }

    Answer ask(FruitRequests.Request request) throws InterruptedException {
        Map<String, String> headers = new HashMap<>();
        request.type().ifPresent(type -> headers.put("Content-Type", type));
        return ask(request.method(), request.path(), headers, request.body());
    }

    private Answer ask(String method, String path, Map<String, String> headers, String body)
            throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .method(
                        method,
                        body.isEmpty() && headers.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .timeout(PATIENCE);
        headers.forEach(request::header);
        try {
            HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
            return new Answer(
                    response.statusCode(),
                    header(response, "content-type").replaceAll("\\s*;.*", ""),
                    header(response, "location").replace("localhost:" + port, "localhost"),
                    new String(response.body(), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String header(HttpResponse<byte[]> response, String name) {
        return String.join(", ", response.headers().allValues(name));
    }

    /** CPU time so far, in ns, of all threads whose name, as the kernel has it, is such. */
    long cpuNanos(Predicate<String> name) {
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            return tasks.filter(task -> name.test(read(task.resolve("comm")).strip()))
                    .mapToLong(task ->
                            Long.parseLong("0" + read(task.resolve("schedstat")).split(" ", -1)[0]))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException ended) {
            return "";
        }
    }

    @Override
    public void close() {
        client.close();
        process.stop(Duration.ofSeconds(10));
    }
}
