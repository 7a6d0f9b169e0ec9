package dev.kiln.evidence;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Protocol.Phase;
import dev.kiln.model.RunInfo;
import dev.kiln.model.Treatment;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code run.json}: the records of the model as they are. Durations are ISO 8601. */
final class RunJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addMixIn(Phase.class, PhaseAsJson.class)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** Tells the two kinds of phase apart; kept here because the model depends on nothing. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Phase.Load.class, name = "load"),
        @JsonSubTypes.Type(value = Phase.Pause.class, name = "pause")
    })
    private interface PhaseAsJson {}

    private RunJson() {}

    static byte[] write(RunInfo info) {
        return MAPPER.writeValueAsBytes(info);
    }

    /** @param file named in errors */
    static RunInfo read(byte[] json, Path file) {
        try {
            JsonNode tree = MAPPER.readTree(json);
            int version = tree.path("schemaVersion").asInt(0);
            if (version > RunInfo.SCHEMA_VERSION) {
                throw new KilnException(
                        Exit.USAGE,
                        file + " has evidence format " + version + "; this Kiln reads up to " + RunInfo.SCHEMA_VERSION,
                        "read it with the Kiln that wrote it, or a newer one");
            }
            if (version < 1) {
                throw unreadable(file, "no schemaVersion");
            }
            if (tree instanceof ObjectNode node) {
                asOfToday(node);
            }
            return MAPPER.treeToValue(tree, RunInfo.class);
        } catch (JacksonException e) {
            KilnException unreadable = unreadable(file, e.getOriginalMessage());
            unreadable.initCause(e);
            throw unreadable;
        }
    }

    /** Adds what earlier Kilns did not write. */
    private static void asOfToday(ObjectNode run) {
        if (!run.has("treatment")) {
            run.set("treatment", MAPPER.valueToTree(Treatment.NONE));
        }
        for (String none : List.of("provenance", "remote", "quietWait", "referenceEnd")) {
            if (!run.has(none)) {
                run.putNull(none);
            }
        }
        if (!run.has("repeatedFor")) {
            run.putArray("repeatedFor");
        }
        if (run.get("protocol") instanceof ObjectNode protocol && !protocol.has("reference")) {
            protocol.putNull("reference");
        }
        if (run.get("runs") instanceof ObjectNode runs && !runs.has("repeat")) {
            runs.put("repeat", false);
        }
    }

    private static KilnException unreadable(Path file, String why) {
        return new KilnException(
                Exit.USAGE,
                file + " is no run.json that Kiln can read: " + why,
                "leave this run out, or restore the file");
    }
}
