package dev.kiln.evidence;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.SoakPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code soak.json} in the folder of a soak: what it takes to go on with it. */
public final class SoakFile {
    public static final String NAME = "soak.json";

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private SoakFile() {}

    public static void write(Path directory, SoakPlan plan) {
        Path file = directory.resolve(NAME);
        try {
            Files.createDirectories(directory);
            Files.write(file, MAPPER.writeValueAsBytes(plan));
        } catch (IOException e) {
            throw CsvWriter.cannotWrite(file, e);
        }
    }

    public static SoakPlan read(Path directory) {
        Path file = directory.resolve(NAME);
        try {
            JsonNode tree = MAPPER.readTree(Files.readAllBytes(file));
            int version = tree.path("schemaVersion").asInt(0);
            if (version < 1 || version > SoakPlan.SCHEMA_VERSION) {
                throw new KilnException(
                        Exit.USAGE,
                        file + " has format " + version + "; this Kiln reads up to " + SoakPlan.SCHEMA_VERSION,
                        "read it with the Kiln that wrote it, or a newer one");
            }
            return MAPPER.treeToValue(tree, SoakPlan.class);
        } catch (IOException | JacksonException e) {
            throw new KilnException(
                    Exit.USAGE,
                    "no soak in " + directory + ": " + e.getMessage(),
                    "name a folder that kiln soak wrote, such as results/run-20260102-030405",
                    e);
        }
    }
}
