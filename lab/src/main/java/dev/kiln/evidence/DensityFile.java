package dev.kiln.evidence;

import dev.kiln.model.DensityStudy;
import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code density.json} in the folder of a sweep: for how much memory processes are to be counted, and what was verified. */
public final class DensityFile {
    private static final String NAME = "density.json";
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private DensityFile() {}

    public static void write(Path experiment, DensityStudy study) {
        Path file = experiment.resolve(NAME);
        try {
            Files.createDirectories(experiment);
            Files.write(file, MAPPER.writeValueAsBytes(study));
        } catch (IOException e) {
            throw CsvWriter.cannotWrite(file, e);
        }
    }

    /** Empty where the sweep was asked for none. */
    public static Optional<DensityStudy> read(Path experiment) {
        Path file = experiment.resolve(NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(MAPPER.readValue(Files.readAllBytes(file), DensityStudy.class));
        } catch (IOException e) {
            throw unreadable(file, IoReason.of(e), e);
        } catch (JacksonException e) {
            throw unreadable(file, e.getOriginalMessage(), e);
        }
    }

    private static KilnException unreadable(Path file, String why, Exception cause) {
        return new KilnException(Exit.USAGE, file + " cannot be read: " + why, "restore the file, or delete it", cause);
    }
}
