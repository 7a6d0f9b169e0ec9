package dev.kiln.remote;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kiln.model.experiment.Modifier;
import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Wire writes and reads messages as lines of JSON. */
public final class Wire {
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().addMixIn(Modifier.class, ModifierAsJson.class).build();

    /** The mixin's property tells the kinds apart. It is here because the model depends on nothing. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "kind")
    private interface ModifierAsJson {}

    private Wire() {}

    /** Returns the message as a line, without its end. */
    public static String line(Object message) {
        return MAPPER.writeValueAsString(message);
    }

    /**
     * Reads a message of one line.
     *
     * @throws IOException if no Kiln of this version wrote the line
     */
    public static <T> T read(String line, Class<T> type) throws IOException {
        try {
            return MAPPER.readValue(line, type);
        } catch (JacksonException e) {
            throw new IOException("not understood: " + line.substring(0, Math.min(200, line.length())), e);
        }
    }
}
