package dev.kiln.report;

import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.OptionalDouble;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Writes JSON key by key: the order is the code's, numbers are rounded and never have an exponent. */
final class JsonOut implements AutoCloseable {
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

    static JsonOut compact(Writer to) {
        return new JsonOut(COMPACT.createGenerator(to));
    }

    static JsonOut pretty(Writer to) {
        return new JsonOut(PRETTY.createGenerator(to));
    }

    void object(String name, Runnable content) {
        out.writeName(name);
        object(content);
    }

    void object(Runnable content) {
        out.writeStartObject();
        content.run();
        out.writeEndObject();
    }

    void array(String name, Runnable content) {
        out.writeName(name);
        array(content);
    }

    void array(Runnable content) {
        out.writeStartArray();
        content.run();
        out.writeEndArray();
    }

    void texts(String name, Collection<String> values) {
        array(name, () -> values.forEach(out::writeString));
    }

    void text(String name, String value) {
        out.writeStringProperty(name, value);
    }

    void flag(String name, boolean value) {
        out.writeBooleanProperty(name, value);
    }

    void integer(String name, long value) {
        out.writeNumberProperty(name, value);
    }

    void nothing(String name) {
        out.writeNullProperty(name);
    }

    void number(String name, OptionalDouble value, int decimals) {
        out.writeName(name);
        number(value.orElse(Double.NaN), decimals);
    }

    void number(String name, double value, int decimals) {
        out.writeName(name);
        number(value, decimals);
    }

    /** All digits: reads back as the same double. */
    void exact(String name, OptionalDouble value) {
        out.writeName(name);
        exact(value.orElse(Double.NaN));
    }

    void exact(String name, double value) {
        exact(name, OptionalDouble.of(value));
    }

    void exact(double value) {
        if (!Double.isFinite(value)) {
            out.writeNull();
            return;
        }
        BigDecimal digits = BigDecimal.valueOf(value);
        out.writeNumber(digits.scale() < 0 ? digits.setScale(0) : digits);
    }

    void whole(int value) {
        out.writeNumber(value);
    }

    /** What is no number is null. */
    void number(double value, int decimals) {
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
