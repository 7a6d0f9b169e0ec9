package dev.kiln.serve;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.console.Console;
import dev.kiln.evidence.StudyFile;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.SearchStudy;
import dev.kiln.model.run.SearchStudy.SearchTable;
import dev.kiln.model.run.SearchStudy.SearchTable.CandidateOutcome;
import dev.kiln.model.run.SearchStudy.SearchTable.SearchRow;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A folder of results with its server, as {@code kiln serve} starts it. */
public final class Served implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final StringWriter log = new StringWriter();
    private final WebServer server;

    public Served(Path root) {
        this(root, Optional.empty());
    }

    Served(Path root, Optional<String> token) {
        PrintWriter errors = new PrintWriter(log);
        server = new Pages(new Library(root), Console.leftOut(errors))
                .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), token, errors);
    }

    /** An experiment with a report: the second variant peaks higher. */
    public static Path judged(Path folder, String... variants) {
        RecordedRuns runs = new RecordedRuns(folder);
        List<String> all = List.of(variants);
        for (int i = 0; i < all.size(); i++) {
            runs.variant(all, all.get(i), 3, 20 + 10 * i, 1000 + 200 * i);
        }
        Kiln reported = Kiln.run("report", folder.toString());
        if (!reported.err().isEmpty()) {
            throw new IllegalStateException(reported.err());
        }
        return folder;
    }

    /** A search that is in its second round: of two candidates one is out, and one waits. */
    public static Path search(Path folder) {
        String bound = "compiler-priority";
        RecordedRuns alone = new RecordedRuns(folder.resolve("1-baseline"));
        alone.variant(List.of("platform"), "platform", 2, 40, 1000);
        RecordedRuns two = new RecordedRuns(folder.resolve("2-screen"));
        List.of("platform", bound).forEach(name -> two.variant(List.of("platform", bound), name, 2, 30, 1000));
        List<String> four = List.of("platform", bound, "xbatch", "virtual-threads");
        RecordedRuns first = new RecordedRuns(folder.resolve("3-round-1"));
        four.forEach(name -> first.variant(four, name, 1, 30, 1000));
        List<String> three = four.subList(0, 3);
        RecordedRuns second = new RecordedRuns(folder.resolve("3-round-2"));
        three.subList(0, 2).forEach(name -> second.variant(three, name, 1, 30, 1000));
        new RecordedRuns(folder.resolve("3-round-2"), 60, 100, "EPYC", Outcome.RUNNING)
                .variant(three, "xbatch", 1, 30, 1000);
        write(
                folder,
                List.of(
                        new SearchRow(
                                bound,
                                List.of("favoured <compilers>"),
                                List.of(12.1, 10.4, 11.0),
                                CandidateOutcome.OPEN,
                                "not decided yet"),
                        new SearchRow(
                                "xbatch",
                                List.of("JVM flags -Xbatch"),
                                List.of(9.5),
                                CandidateOutcome.OPEN,
                                "not decided yet"),
                        new SearchRow(
                                "virtual-threads",
                                List.of("virtual threads"),
                                List.of(-0.3),
                                CandidateOutcome.OUT,
                                "others gained more"),
                        new SearchRow(
                                "c1-only",
                                List.of("C1 alone"),
                                List.of(),
                                CandidateOutcome.OUT,
                                "its peak is 0.80 of the baseline's"),
                        new SearchRow(
                                "aot-traffic",
                                List.of("AOT cache trained by traffic"),
                                List.of(),
                                CandidateOutcome.OPEN,
                                "not tried: the budget ended before")),
                Optional.empty());
        return folder;
    }

    /** Ends the search: the first candidate is proven. */
    public static void endSearch(Path folder) {
        List<SearchRow> rows =
                StudyFile.SEARCH.read(folder).table().orElseThrow().candidates();
        SearchRow best = rows.getFirst();
        List<SearchRow> ended = new ArrayList<>(rows);
        ended.set(0, new SearchRow(best.name(), best.changes(), best.gains(), CandidateOutcome.PROVEN, "proven"));
        write(folder, ended, Optional.of("Improved: with compiler-priority the warm-up cost is 10 s instead of 22 s."));
    }

    private static void write(Path folder, List<SearchRow> rows, Optional<String> verdict) {
        StudyFile.SEARCH.write(
                folder,
                new SearchStudy(
                        1,
                        720,
                        Optional.of(new SearchTable(
                                "recorded",
                                "platform",
                                "warm-up-cost",
                                3600,
                                System.currentTimeMillis(),
                                rows,
                                verdict))));
    }

    public String url(String path) {
        return "http://localhost:" + server.port() + path;
    }

    int port() {
        return server.port();
    }

    HttpResponse<String> get(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url(path)));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Bugs that it met. */
    String log() {
        return log.toString();
    }

    @Override
    public void close() {
        server.close();
        client.close();
    }
}
