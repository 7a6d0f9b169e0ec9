package dev.kiln.evidence;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kiln.model.Claim;
import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code claims.json} in the folder of an experiment: what its figures are to be held against. */
public final class ClaimsFile {
    private static final String NAME = "claims.json";
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addMixIn(Claim.Term.class, TermAsJson.class)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** Kept here because the model depends on nothing. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Claim.Number.class, name = "number"),
        @JsonSubTypes.Type(value = Claim.Figure.class, name = "figure")
    })
    private interface TermAsJson {}

    private ClaimsFile() {}

    /** Writes nothing where there are none. */
    public static void write(Path experiment, List<Claim> claims) {
        if (claims.isEmpty()) {
            return;
        }
        Path file = experiment.resolve(NAME);
        try {
            Files.createDirectories(experiment);
            Files.write(file, MAPPER.writerFor(LIST).writeValueAsBytes(claims));
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot write " + file + ": " + IoReason.of(e),
                    "check the folder and its disk's space",
                    e);
        }
    }

    private static final TypeReference<List<Claim>> LIST = new TypeReference<>() {};

    /** None where the experiment has none. */
    public static List<Claim> read(Path experiment) {
        Path file = experiment.resolve(NAME);
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            return MAPPER.readValue(Files.readAllBytes(file), LIST);
        } catch (IOException e) {
            throw unreadable(file, IoReason.of(e), e);
        } catch (JacksonException e) {
            throw unreadable(file, e.getOriginalMessage(), e);
        }
    }

    private static KilnException unreadable(Path file, String why, Exception cause) {
        return new KilnException(
                Exit.USAGE,
                file + " holds no claims that Kiln can read: " + why,
                "restore the file, or delete it",
                cause);
    }
}
