package dev.kiln.serve;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** PageTexts are what tests look for in the answers of a server of pages. */
final class PageTexts {
    private PageTexts() {}

    static JsonNode list(Served served) {
        return JsonMapper.shared().readTree(served.get("/api/experiments").body());
    }

    static JsonNode named(JsonNode list, String folder) {
        return list.valueStream()
                .filter(one -> one.path("folder").asString().equals(folder))
                .findFirst()
                .orElseThrow();
    }

    /** Without the library that draws, which is all of a page's length. */
    static String brief(HttpResponse<String> answer) {
        return Stream.of(answer.body().split("(?=<script)|(?<=</script>)", -1))
                .filter(part -> part.length() < 200_000)
                .collect(Collectors.joining())
                .replace('\u00a0', ' ');
    }

    /** As a killed Kiln leaves it, some time ago. */
    static void longAgo(Path folder) throws IOException {
        written(folder, -3600);
    }

    /** As of a clock that was ahead. */
    static void tomorrow(Path folder) throws IOException {
        written(folder, 86_400);
    }

    private static void written(Path folder, long secondsFromNow) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(secondsFromNow)));
            }
        }
    }

    /** Java's client tidies paths up. */
    static HttpResponse<String> raw(Served served, String path) {
        return served.send(
                HttpRequest.newBuilder(URI.create(served.url("") + path)).build());
    }
}
