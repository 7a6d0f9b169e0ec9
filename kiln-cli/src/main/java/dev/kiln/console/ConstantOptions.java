package dev.kiln.console;

import dev.kiln.model.KilnException;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.text.Nearest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** ConstantOptions set any constant of the analysis: {@code --set delta=0.05}. */
public final class ConstantOptions {
    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "Set a constant of the analysis, such as delta=0.05. May be repeated.")
    private List<String> settings = List.of();

    /** Names that constants had before. */
    private static final Map<String, String> OLDER = Map.of("cycleChanges", "cycleStays");

    public AnalysisConfig config() {
        AnalysisConfig config = AnalysisConfig.defaults();
        for (String setting : settings) {
            int sign = setting.indexOf('=');
            if (sign < 1) {
                throw usage("--set " + setting + ": expected NAME=VALUE, such as delta=0.05");
            }
            config = with(
                    config,
                    setting.substring(0, sign).strip(),
                    setting.substring(sign + 1).strip());
        }
        return config;
    }

    /** Tells whether any constant is another than the usual one. */
    public boolean changed() {
        return !settings.isEmpty();
    }

    static AnalysisConfig with(AnalysisConfig config, String told, String value) {
        String name = OLDER.getOrDefault(told, told);
        List<String> names = names(AnalysisConfig.class);
        if (!names.contains(name)) {
            throw usage("--set " + name + ": " + Nearest.complaint("constant", name, names));
        }
        return changed(config, name, value);
    }

    /** Constants stand in records within the record. */
    private static List<String> names(Class<?> group) {
        return Arrays.stream(group.getRecordComponents())
                .flatMap(component -> component.getType().isRecord()
                        ? names(component.getType()).stream()
                        : Stream.of(component.getName()))
                .toList();
    }

    private static <T extends Record> T changed(T group, String name, String value) {
        RecordComponent[] components = group.getClass().getRecordComponents();
        try {
            Object[] values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                Object old = components[i].getAccessor().invoke(group);
                values[i] = old instanceof Record nested
                        ? changed(nested, name, value)
                        : components[i].getName().equals(name) ? parse(components[i], value) : old;
            }
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            @SuppressWarnings("unchecked")
            T copy = (T) group.getClass().getDeclaredConstructor(types).newInstance(values);
            return copy;
        } catch (InvocationTargetException e) {
            throw usage("--set " + name + "=" + value + ": "
                    + e.getTargetException().getMessage());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object parse(RecordComponent component, String value) {
        boolean whole = component.getType() == int.class;
        try {
            return whole ? (Object) Integer.parseInt(value) : (Object) Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw usage("--set " + component.getName() + "=" + value + ": expected a "
                    + (whole ? "whole number" : "number, such as 0.05"));
        }
    }

    private static KilnException usage(String message) {
        return KilnException.usage(message, "kiln analyze prints every constant and its value");
    }
}
