package dev.kiln.remote;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Where.AttachPoint;
import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Wire writes and reads messages as lines of JSON. */
public final class Wire {
    /** The protocol of this Kiln. An agent of another one may take the same words for something else. */
    static final int PROTOCOL = 2;

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addMixIn(Modifier.class, KindAsJson.class)
            .addMixIn(AttachPoint.class, KindAsJson.class)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    /** The mixin's property tells the kinds apart. It is here because the model depends on nothing. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "kind")
    private interface KindAsJson {}

    private Wire() {}

    /** A NotUnderstood is a line that no Kiln of this version wrote. */
    static final class NotUnderstood extends IOException {
        private static final long serialVersionUID = 1L;

        private NotUnderstood(String line, RuntimeException cause) {
            super("not understood: " + line.substring(0, Math.min(200, line.length())), cause);
        }
    }

    /** Returns the message as a line, without its end. */
    public static String line(Object message) {
        return MAPPER.writeValueAsString(message);
    }

    /**
     * Reads a message of one line.
     *
     * @throws NotUnderstood if no Kiln of this version wrote the line
     */
    public static <T> T read(String line, Class<T> type) throws NotUnderstood {
        try {
            T message = MAPPER.readValue(line, type);
            if (message == null) {
                throw new NotUnderstood(line, new IllegalArgumentException("null is no message"));
            }
            return message;
        } catch (JacksonException e) {
            throw new NotUnderstood(line, e);
        }
    }
}
