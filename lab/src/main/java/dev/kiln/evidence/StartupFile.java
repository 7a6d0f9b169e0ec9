package dev.kiln.evidence;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.StartupEvidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code startup.json}: the records of the model as they are; replaced as a whole after each start. */
public final class StartupFile {
    public static final String NAME = "startup.json";

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private StartupFile() {}

    public static void write(Path directory, StartupEvidence evidence) {
        Path file = directory.resolve(NAME);
        Path next = directory.resolve(NAME + ".next");
        try {
            Files.write(next, MAPPER.writeValueAsBytes(evidence));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw CsvWriter.cannotWrite(file, e);
        }
    }

    /** @param directory that {@link #write} wrote to */
    public static StartupEvidence read(Path directory) {
        Path file = directory.resolve(NAME);
        try {
            JsonNode tree = MAPPER.readTree(Files.readAllBytes(file));
            int version = tree.path("schemaVersion").asInt(0);
            if (version < 1 || version > StartupEvidence.SCHEMA_VERSION) {
                throw new KilnException(
                        Exit.USAGE,
                        file + " has format " + version + "; this Kiln reads up to " + StartupEvidence.SCHEMA_VERSION,
                        "read it with the Kiln that wrote it, or a newer one");
            }
            return MAPPER.treeToValue(tree, StartupEvidence.class);
        } catch (IOException | JacksonException e) {
            throw new KilnException(
                    Exit.USAGE,
                    "no start-up comparison in " + directory + ": " + e.getMessage(),
                    "name a folder that kiln startup wrote, or a CSV with the header Run,A,B",
                    e);
        }
    }
}
