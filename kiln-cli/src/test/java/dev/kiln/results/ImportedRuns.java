package dev.kiln.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** ImportedRuns are what an import leaves: its folder, and its runs in JSON. */
abstract class ImportedRuns {
    @TempDir
    Path folder;

    String experiment() throws IOException {
        try (var folders = Files.list(folder.resolve("out"))) {
            return folders.findFirst().orElseThrow().getFileName().toString();
        }
    }

    static JsonNode run(Map<String, JsonNode> runs, String name) {
        return Objects.requireNonNull(runs.get(name), name);
    }

    static Map<String, JsonNode> runs(Path json) {
        Map<String, JsonNode> runs = new LinkedHashMap<>();
        for (JsonNode variant : JsonMapper.shared().readTree(json).path("variants")) {
            for (JsonNode run : variant.path("runs")) {
                runs.put(variant.path("name").asString() + " " + run.path("run").asInt(), run);
            }
        }
        return runs;
    }
}
