package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.it.Kiln.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A run that is watched while it goes, and the folder that it leaves. */
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class ServeIT {
    private static final Pattern URL = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/\\S*");

    private final Sandbox sandbox = new Sandbox();
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Kiln> servers = new ArrayList<>();

    @AfterEach
    void leaveNothing() {
        servers.stream().filter(Kiln::isAlive).forEach(server -> server.signal("KILL"));
        client.shutdownNow();
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    private static String url(String text) {
        Matcher found = URL.matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return found.group();
    }

    private Kiln serve() {
        Kiln server = Kiln.start(sandbox, "serve", sandbox.results().toString(), "--listen", "127.0.0.1:0");
        servers.add(server);
        return server.await("its address", () -> URL.matcher(server.out()).find());
    }

    /** The events up to one that is wanted, or to the end. */
    private List<String> events(String url, String until) throws IOException, InterruptedException {
        List<String> names = new ArrayList<>();
        try (InputStream in = client.send(
                                HttpRequest.newBuilder(URI.create(url)).build(),
                                HttpResponse.BodyHandlers.ofInputStream())
                        .body();
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    names.add(line.substring(7));
                    if (names.getLast().equals(until)) {
                        break;
                    }
                }
            }
        }
        return names;
    }

    @Test
    void aRunIsSeenAsItGoesAndItsFolderAfterwards() throws IOException, InterruptedException {
        Path experiment = sandbox.file("service.yaml", """
                name: seen
                target:
                  command: %s --curve step:at=3,from=100,to=400
                load:
                  url: http://localhost:${port}/
                  connections: 20
                protocol: [{load: 5s}, {pause: 1s}, {load: 2s}]
                runs: 1
                """.formatted(Kiln.CURVE_SERVER));
        Kiln kiln = Kiln.start(
                sandbox,
                "run",
                experiment.toString(),
                "--results",
                sandbox.results().toString(),
                "--live",
                "127.0.0.1:0");
        String watch = url(kiln.awaitSaid("live: http").err());
        assertThat(watch).contains("/watch/seen-");

        // One who stays to the end, and one who is there before the first run, and goes.
        CompletableFuture<List<String>> stays = CompletableFuture.supplyAsync(() -> {
            try {
                return events(watch.replace("/watch/", "/live/"), "over");
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        List<String> first = events(watch.replace("/watch/", "/live/"), "second");
        assertThat(first).startsWith("plan", "run").endsWith("second");
        assertThat(kiln.isAlive()).as("the load has only begun").isTrue();
        Answer answer = kiln.end();
        assertThat(answer.out()).as(answer.err()).contains("Report: ");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(stays.join()).as("what ends the run is told").endsWith("over");

        Kiln server = serve();
        String root = url(server.out());
        String page = client.send(
                        HttpRequest.newBuilder(URI.create(root)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        assertThat(page).contains("/experiment/seen-", " of 1</td>");
        List<String> all = events(root + "live/" + watch.replaceAll(".*/watch/", ""), "over");
        assertThat(all.stream().filter("second"::equals).count()).isBetween(5L, 7L);
        assertThat(all).contains("latency", "compilers", "ended").endsWith("over");
        assertThat(server.signal("TERM").end().exit()).isEqualTo(143);
    }

    @Test
    void anAddressThatIsTakenOrNoneIsSaidInOneSentence() {
        Kiln server = serve();
        String taken = url(server.out()).replaceAll("http://|/$", "");

        Answer second = Kiln.inProcess("serve", sandbox.results().toString(), "--listen", taken);
        assertThat(second.exit()).isEqualTo(3);
        assertThat(second.err())
                .startsWith("kiln: cannot listen at " + taken + ": ")
                .contains("give another address: --listen 127.0.0.1:8322");
        assertThat(Kiln.inProcess("serve", sandbox.results().toString(), "--listen", "8321")
                        .err())
                .contains("cannot listen at '8321': it is no address with a port");
        assertThat(Kiln.inProcess("serve", sandbox.results().toString(), "--token", "a b")
                        .err())
                .contains("--token: only letters, digits");
        assertThat(Kiln.inProcess("serve", sandbox.root().resolve("nowhere").toString())
                        .exit())
                .isEqualTo(2);
        assertThat(server.signal("INT").end().exit()).isEqualTo(130);
    }
}
