package dev.kiln.stats;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the golden files. */
public final class Goldens {
    public static final List<String> SYNTHETIC = List.of(
            "step_up", "flat", "exp_ramp", "slowdown", "staircase", "oscillating", "still_climbing", "cooldown_jump");

    private static final JsonMapper MAPPER = new JsonMapper();

    private Goldens() {}

    public static JsonNode resource(String name) {
        try (InputStream in = Goldens.class.getResourceAsStream("/golden/" + name + ".json")) {
            return MAPPER.readTree(Objects.requireNonNull(in, name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The published runs are not part of the project: they lie beside it, or are missing. */
    public static Optional<Path> publishedDirectory() {
        Path root = Path.of(System.getProperty("user.dir")).toAbsolutePath();
        while (root != null && !Files.exists(root.resolve("mvnw"))) {
            root = root.getParent();
        }
        return Optional.ofNullable(root)
                .map(r -> r.resolveSibling("shared").resolve("golden"))
                .filter(Files::isDirectory);
    }

    public static List<Path> published(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(f -> f.getFileName().toString().matches("(spring4|quarkus3)-.*\\.json"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JsonNode read(Path file) {
        return MAPPER.readTree(file);
    }

    public static double[] doubles(JsonNode array) {
        double[] out = new double[array.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = array.get(i).asDouble();
        }
        return out;
    }
}
