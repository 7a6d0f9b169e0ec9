package dev.kiln.stats;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the golden files. */
public final class Goldens {
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

    public static double[] doubles(JsonNode array) {
        double[] out = new double[array.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = array.get(i).asDouble();
        }
        return out;
    }
}
