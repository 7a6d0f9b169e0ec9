package dev.kiln.report;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** A JsonOut writes JSON key by key: the order is the code's, numbers are rounded and never have an exponent. */
public final class JsonOut implements AutoCloseable {
    private static final ObjectWriter COMPACT = JsonMapper.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build()
            .writer();
    private static final ObjectWriter PRETTY =
            COMPACT.with(new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));

    private final JsonGenerator out;

    private JsonOut(JsonGenerator out) {
        this.out = out;
    }

    public static JsonOut compact(Writer to) {
        return new JsonOut(COMPACT.createGenerator(to));
    }

    /** Returns one object as a text of several lines. */
    public static String render(Consumer<JsonOut> content) {
        StringWriter text = new StringWriter();
        write(text, out -> out.object(() -> content.accept(out)));
        return text.toString();
    }

    public static void write(Writer to, Consumer<JsonOut> content) {
        try {
            try (JsonOut out = new JsonOut(PRETTY.createGenerator(to))) {
                content.accept(out);
            }
            to.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void object(String name, Runnable content) {
        out.writeName(name);
        object(content);
    }

    public void object(Runnable content) {
        out.writeStartObject();
        content.run();
        out.writeEndObject();
    }

    /** Writes an object, or null if there is none. */
    public <T> void object(String name, Optional<T> value, Consumer<T> content) {
        value.ifPresentOrElse(known -> object(name, () -> content.accept(known)), () -> nothing(name));
    }

    /** Writes an object if there is one, and else not even its name. */
    public <T> void some(String name, Optional<T> value, Consumer<T> content) {
        value.ifPresent(known -> object(name, () -> content.accept(known)));
    }

    /** Writes an array with an object for each value, and without one not even its name. */
    public <T> void some(String name, Collection<T> values, Consumer<T> content) {
        if (!values.isEmpty()) {
            objects(name, values, content);
        }
    }

    /** Writes an array with an object for each value. */
    public <T> void objects(String name, Collection<T> values, Consumer<T> content) {
        out.writeName(name);
        objects(values, content);
    }

    public <T> void objects(Collection<T> values, Consumer<T> content) {
        array(() -> values.forEach(value -> object(() -> content.accept(value))));
    }

    public void array(String name, Runnable content) {
        out.writeName(name);
        array(content);
    }

    public void array(Runnable content) {
        out.writeStartArray();
        content.run();
        out.writeEndArray();
    }

    public void texts(String name, Collection<String> values) {
        array(name, () -> values.forEach(out::writeString));
    }

    public void text(String name, String value) {
        out.writeStringProperty(name, value);
    }

    /** Writes the text, or null if there is none. */
    public void text(String name, Optional<String> value) {
        value.ifPresentOrElse(known -> text(name, known), () -> nothing(name));
    }

    public void flag(String name, boolean value) {
        out.writeBooleanProperty(name, value);
    }

    public void integer(String name, long value) {
        out.writeNumberProperty(name, value);
    }

    public void integer(String name, OptionalInt value) {
        value.ifPresentOrElse(known -> integer(name, known), () -> nothing(name));
    }

    public void integer(String name, OptionalLong value) {
        value.ifPresentOrElse(known -> integer(name, known), () -> nothing(name));
    }

    /** Writes nanoseconds as seconds, or null if there are none. */
    public void seconds(String name, OptionalLong nanos, int decimals) {
        number(name, nanos.stream().mapToDouble(known -> known / 1e9).findFirst(), decimals);
    }

    public void nothing(String name) {
        out.writeNullProperty(name);
    }

    public void number(String name, OptionalDouble value, int decimals) {
        out.writeName(name);
        number(value.orElse(Double.NaN), decimals);
    }

    public void number(String name, Optional<Double> value, int decimals) {
        number(name, value.orElse(Double.NaN), decimals);
    }

    public void number(String name, double value, int decimals) {
        out.writeName(name);
        number(value, decimals);
    }

    /** Writes all digits, so that the same double is read back. */
    public void exact(String name, OptionalDouble value) {
        exact(name, value.orElse(Double.NaN));
    }

    public void exact(String name, double value) {
        out.writeName(name);
        if (!Double.isFinite(value)) {
            out.writeNull();
            return;
        }
        BigDecimal digits = BigDecimal.valueOf(value);
        out.writeNumber(digits.scale() < 0 ? digits.setScale(0) : digits);
    }

    /** Writes a rounded number; null for infinity and for what is not a number. */
    public void number(double value, int decimals) {
        if (!Double.isFinite(value)) {
            out.writeNull();
            return;
        }
        BigDecimal rounded = BigDecimal.valueOf(value)
                .setScale(decimals, RoundingMode.HALF_UP)
                .stripTrailingZeros();
        out.writeNumber(rounded.scale() < 0 ? rounded.setScale(0) : rounded);
    }

    @Override
    public void close() {
        out.close();
    }
}
