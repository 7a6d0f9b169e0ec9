package dev.kiln.report.html;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A Chromium without a window, driven over its DevTools protocol. */
final class Chromium implements AutoCloseable, WebSocket.Listener {
    static final String ABSENT = "needs chromium, chromium-browser or google-chrome on the PATH";

    private static final Pattern LISTENS = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final int PATIENCE_SECONDS = 600;

    private final Process process;
    private final Path profile;
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final Map<String, BrowserPage> pages = new ConcurrentHashMap<>();
    private final StringBuilder message = new StringBuilder();

    /** Every message of a page that the protocol sends by itself. */
    interface Events {
        void on(String method, JsonNode parameters);
    }

    private Chromium(Process process, Path profile, URI endpoint) {
        this.process = process;
        this.profile = profile;
        socket = http.newWebSocketBuilder().buildAsync(endpoint, this).join();
    }

    static Optional<Path> find() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .flatMap(folder -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Root cannot have Chromium's own sandbox; the pages are our own. */
    static Chromium launch(Path program) throws IOException {
        Path profile = Files.createTempDirectory("kiln-chromium-");
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--disable-dev-shm-usage",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new Chromium(process, profile, endpoint(process));
    }

    private static URI endpoint(Process process) throws IOException {
        var errors = process.errorReader(StandardCharsets.UTF_8);
        List<String> said = new ArrayList<>();
        for (String line = errors.readLine(); line != null; line = errors.readLine()) {
            said.add(line);
            Matcher listens = LISTENS.matcher(line);
            if (listens.find()) {
                Thread.startVirtualThread(() -> errors.lines().forEach(l -> {}));
                return URI.create(listens.group(1));
            }
        }
        throw new IOException("Chromium did not start: " + said);
    }

    BrowserPage page(int width, int height) {
        String target = call("", "Target.createTarget", Map.of("url", "about:blank", "newWindow", true))
                .path("targetId")
                .asString();
        String session = call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .path("sessionId")
                .asString();
        BrowserPage page = new BrowserPage(this, session);
        pages.put(session, page);
        page.begin(width, height);
        return page;
    }

    JsonNode call(String session, String method, Map<String, ?> parameters) {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        Map<String, ?> request = session.isEmpty()
                ? Map.of("id", id, "method", method, "params", parameters)
                : Map.of("id", id, "method", method, "params", parameters, "sessionId", session);
        socket.sendText(JsonMapper.shared().writeValueAsString(request), true).join();
        JsonNode reply = answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        if (reply.has("error")) {
            throw new IllegalStateException(method + ": " + reply.get("error"));
        }
        return reply.path("result");
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        message.append(data);
        if (last) {
            JsonNode told = JsonMapper.shared().readTree(message.toString());
            message.setLength(0);
            if (told.has("id")) {
                Optional.ofNullable(answers.remove(told.get("id").asInt())).ifPresent(answer -> answer.complete(told));
            } else if (told.has("sessionId")
                    && pages.containsKey(told.get("sessionId").asString())) {
                pages.get(told.get("sessionId").asString())
                        .on(told.path("method").asString(), told.path("params"));
            }
        }
        from.request(1);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
        socket.abort();
        http.close();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
            try (Stream<Path> files = Files.walk(profile)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lists that the socket's thread writes and a test reads. */
    static <T> List<T> shared() {
        return new CopyOnWriteArrayList<>();
    }
}
