package dev.kiln.cli;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.text.Nearest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Option;

/** {@code --set delta=0.05}: any constant of the analysis. */
final class ConstantOptions {
    private static final RecordComponent[] KNOWN = AnalysisConfig.class.getRecordComponents();

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A constant of the analysis, such as delta=0.05; the result prints all. May be repeated.")
    private List<String> settings = List.of();

    AnalysisConfig config() {
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

    static AnalysisConfig with(AnalysisConfig config, String name, String value) {
        List<String> names = Arrays.stream(KNOWN).map(RecordComponent::getName).toList();
        int index = names.indexOf(name);
        if (index < 0) {
            throw usage("--set " + name + ": " + Nearest.complaint("constant", name, names));
        }
        try {
            Object[] values = new Object[KNOWN.length];
            for (int i = 0; i < KNOWN.length; i++) {
                values[i] = KNOWN[i].getAccessor().invoke(config);
            }
            values[index] = parse(KNOWN[index], value);
            Class<?>[] types =
                    Arrays.stream(KNOWN).map(RecordComponent::getType).toArray(Class<?>[]::new);
            return AnalysisConfig.class.getDeclaredConstructor(types).newInstance(values);
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
        return new KilnException(Exit.USAGE, message, "kiln analyze prints every constant and its value");
    }
}
