package dev.kiln.report;

import dev.kiln.stats.AnalysisConfig;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The constants of the analysis, read from the record's components so that none is ever left out of a report. */
final class Constants {
    private Constants() {}

    record Constant(String name, Object value) {
        void write(JsonOut out) {
            switch (value) {
                case Double d -> out.number(name, d, 9);
                case Number n -> out.integer(name, n.longValue());
                case Boolean b -> out.flag(name, b);
                default -> out.text(name, String.valueOf(value));
            }
        }

        /** {@code minSegment} as {@code min segment}. */
        String words() {
            return name.replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
        }

        String text() {
            return value instanceof Double d ? Text.plain(d) : String.valueOf(value);
        }
    }

    static List<Constant> of(AnalysisConfig config) {
        return flat(config).toList();
    }

    /** Records within the record are groups of constants. */
    private static Stream<Constant> flat(Record group) {
        return Arrays.stream(group.getClass().getRecordComponents()).flatMap(component -> {
            Object value = value(component, group);
            return value instanceof Record nested ? flat(nested) : Stream.of(new Constant(component.getName(), value));
        });
    }

    private static Object value(RecordComponent component, Record group) {
        try {
            return component.getAccessor().invoke(group);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
