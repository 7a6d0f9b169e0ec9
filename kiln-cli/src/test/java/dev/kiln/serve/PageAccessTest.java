package dev.kiln.serve;

import static dev.kiln.serve.PageTexts.brief;
import static dev.kiln.serve.PageTexts.list;
import static dev.kiln.serve.PageTexts.raw;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.RecordedRuns;
import dev.kiln.serve.WebServer.Site;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server of pages answers to whom, and what no folder, client or request can do to others. */
class PageAccessTest {
    @TempDir
    private Path results;

    @Test
    void hostileNamesAreOnlyText() {
        String hostile = "<img src=x onerror=alert(1)>\u202egnp";
        Path folder = results.resolve("<script>alert(2)<!--");
        new RecordedRuns(folder).variant(List.of(hostile), hostile, 2, 20, 1000);
        try (Served served = new Served(results)) {
            String page = served.get("/").body();

            assertThat(page).doesNotContain("<img", "<script>alert", "\u202e").contains("&lt;img src=x onerror");
            assertThat(page.split("<script>", -1)).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/experiment/../../etc/passwd",
                "/experiment/%2e%2e/%2e%2e/etc/passwd",
                "/experiment/..%2f..%2fetc%2fpasswd",
                "/experiment/",
                "/experiment/link",
                "/live/..",
                "/watch/%00",
                "/etc/passwd",
                "/api/",
                "/api/../api/experiments2"
            })
    void nothingOutsideTheFolderIsServed(String path) throws IOException {
        Served.judged(results.resolve("in/good"), "a");
        Path outside = Served.judged(results.resolve("out"), "secret");
        Files.createSymbolicLink(results.resolve("in/link"), outside);
        try (Served served = new Served(results.resolve("in"))) {
            HttpResponse<String> answer = raw(served, path);

            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).doesNotContain("root:x", "secret");
            assertThat(list(served)).hasSize(1);
        }
    }

    @Test
    void aReportThatIsALinkIsNotFollowed() throws IOException {
        Path good = Served.judged(results.resolve("good"), "a");
        Path secret = results.resolve("secret.txt");
        Files.writeString(secret, "a secret");
        Files.delete(good.resolve("report.html"));
        Files.createSymbolicLink(good.resolve("report.html"), secret);
        try (Served served = new Served(results)) {
            assertThat(brief(served.get("/experiment/good")))
                    .contains("<title>recorded")
                    .doesNotContain("a secret");
        }
    }

    @Test
    void onlyReadsAndOnlyForThisMachine() throws IOException {
        Served.judged(results.resolve("good"), "a");
        try (Served served = new Served(results)) {
            HttpResponse<String> posted = served.send(HttpRequest.newBuilder(URI.create(served.url("/")))
                    .POST(HttpRequest.BodyPublishers.ofString("x"))
                    .build());
            assertThat(posted.statusCode()).isEqualTo(405);
            assertThat(posted.headers().firstValue("Allow")).contains("GET, HEAD");
            assertThat(withHost(served, "evil.example")).startsWith("HTTP/1.1 421");
            assertThat(withHost(served, "localhost:" + served.port())).startsWith("HTTP/1.1 200");
            assertThat(served.get("/")
                            .headers()
                            .firstValue("Content-Security-Policy")
                            .orElse(""))
                    .contains("default-src 'none'", "frame-ancestors 'none'");
            assertThat(served.get("/experiment/good")
                            .headers()
                            .firstValue("Content-Security-Policy")
                            .orElse(""))
                    .as("its scripts cannot read the other pages")
                    .startsWith("sandbox allow-scripts allow-downloads;");
        }
    }

    /** It could read no answer, but have Kiln read gigabytes for it. */
    @Test
    void noPageOfAnotherSiteAsksAnything() {
        Served.judged(results.resolve("good"), "a");
        try (Served served = new Served(results)) {
            for (String path : List.of("/experiment/good", "/api/experiments", "/live/good", "/nothing")) {
                for (String as : List.of("image", "iframe", "script", "empty")) {
                    assertThat(served.get(path, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", as)
                                    .statusCode())
                            .isEqualTo(403);
                    assertThat(served.get(path, "Sec-Fetch-Site", "same-site", "Sec-Fetch-Dest", as)
                                    .statusCode())
                            .isEqualTo(403);
                }
            }
            String[] led = {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", "document"};
            HttpResponse<String> unasked = served.get("/experiment/good?a=%22%3E%3Cb%3E&b", led);
            assertThat(unasked.statusCode()).as("a script goes there").isEqualTo(403);
            assertThat(unasked.body())
                    .contains("<a href=\"/experiment/good?a=%22%3E%3Cb%3E&amp;b\">")
                    .doesNotContain("<title>good");
            String[] clicked = {led[0], led[1], led[2], led[3], "Sec-Fetch-User", "?1"};
            assertThat(served.get("/experiment/good", clicked).statusCode())
                    .as("a link that somebody follows")
                    .isEqualTo(200);
            assertThat(served.get("/api/experiments", "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Dest", "empty")
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    /** All events of each would stay in memory. */
    @Test
    void whatNobodyWatchesIsForgotten() {
        for (int i = 0; i < 2 * Pages.MOST_LIVE; i++) {
            new RecordedRuns(results.resolve("e" + i)).variant(List.of("a"), "a", 1, 20, 1000);
        }
        Pages pages = new Pages(new Library(results), run -> {});
        for (int i = 0; i < 2 * Pages.MOST_LIVE; i++) {
            assertThat(pages.answer(new WebServer.WebRequest("/live/e" + i, Map.of(), Optional.empty())))
                    .isInstanceOf(WebServer.EventStream.class);
        }
        assertThat(pages.kept()).isEqualTo(Pages.MOST_LIVE);
    }

    private static String withHost(Served served, String host) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void whereOthersCanReachItEachRequestNeedsTheToken() {
        Served.judged(results.resolve("good"), "a");
        try (Served served = new Served(results, Optional.of("0123abc"))) {
            assertThat(served.get("/").statusCode()).isEqualTo(401);
            assertThat(served.get("/live/good").statusCode()).isEqualTo(401);
            assertThat(served.get("/?token=0123abd").statusCode()).isEqualTo(401);
            HttpResponse<String> login = served.get("/experiment/good?token=0123abc");
            assertThat(login.statusCode()).isEqualTo(303);
            assertThat(login.headers().firstValue("Location"))
                    .as("the token leaves the address")
                    .contains("/experiment/good");
            assertThat(served.get("//elsewhere.example/?token=0123abc")
                            .headers()
                            .firstValue("Location")
                            .orElse("//"))
                    .as("no other server")
                    .doesNotStartWith("//");
            String cookie = login.headers().firstValue("Set-Cookie").orElse("");
            assertThat(cookie).contains("HttpOnly", "SameSite=Lax");
            assertThat(served.get("/", "Cookie", "a=b; " + cookie.replaceAll(";.*", ""))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(served.get("/", "Authorization", "Bearer 0123abc").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aHundredClientsThatSendNothingHoldNobodyUp() throws IOException {
        Served.judged(results.resolve("good"), "a");
        List<Socket> idle = new ArrayList<>();
        try (Served served = new Served(results)) {
            for (int i = 0; i < 100; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.port());
                idle.add(socket);
                if (i % 2 == 0) {
                    // Asks for a large page, and reads nothing of it.
                    socket.setReceiveBufferSize(1024);
                    socket.getOutputStream()
                            .write("GET /experiment/good HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                    .getBytes(StandardCharsets.UTF_8));
                }
            }
            assertThat(served.get("/").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    /** A pipe, or gigabytes of nothing, in one folder of somebody else. */
    @ParameterizedTest
    @CsvSource({
        "summary.json,false",
        "platform/1/run.json,false",
        "report.html,false",
        "startup.json,false",
        "labels.properties,false",
        "tune.json,false",
        "platform/1/load.csv,false",
        "summary.json,true",
        "platform/1/run.json,true",
        "report.html,true",
        "startup.json,true",
        "tune.json,true"
    })
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void oneBadFolderCostsNoOther(String name, boolean huge) throws Exception {
        Served.judged(results.resolve("good"), "platform");
        Path bad = results.resolve("bad");
        new RecordedRuns(bad).variant(List.of("platform"), "platform", 1, 20, 1000);
        Path file = bad.resolve(name);
        Files.deleteIfExists(file);
        if (huge) {
            try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
                made.setLength(3L << 30);
            }
        } else {
            new ProcessBuilder("mkfifo", file.toString()).start().waitFor();
        }
        try (Served served = new Served(results)) {
            assertThat(served.get("/").statusCode()).isEqualTo(200);
            assertThat(list(served)).hasSize(2);
            assertThat(served.get("/experiment/good").statusCode()).isEqualTo(200);
            assertThat(served.get("/service/test").statusCode()).isIn(200, 404);
            assertThat(served.get("/experiment/bad").statusCode()).isIn(200, 303, 404, 500);
            assertThat(served.get("/experiment/good").body()).contains("platform");
            assertThat(served.log()).isEmpty();
        }
    }

    @Test
    void anErrorCostsOnePage() {
        Site broken = request -> {
            if (request.path().equals("/deep")) {
                throw new StackOverflowError();
            }
            return WebServer.text(200, "fine");
        };
        StringWriter log = new StringWriter();
        try (WebServer server = WebServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                broken,
                new PrintWriter(log))) {
            assertThat(status(server, "/deep")).isEqualTo(500);
            assertThat(status(server, "/other")).isEqualTo(200);
            assertThat(log.toString()).contains("/deep: a bug in Kiln");
        }
    }

    private static int status(WebServer server, String path) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
