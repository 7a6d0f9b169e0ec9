package dev.kiln.plan;

import dev.kiln.model.Experiment;
import dev.kiln.model.Observe;
import dev.kiln.plan.Node.Kind;
import java.util.EnumSet;
import java.util.function.UnaryOperator;

/** {@code observe:}, what watches the runs from within. */
final class ObserveBinder {
    /** Key of what runs the first variant with and without each instrument. */
    static final String EFFECT = "effect";

    private static final String EXPECTED =
            "a map such as {flight-recorder: true}, with on or off for jit, flight-recorder, async-profiler, effect";

    private final Problems problems;

    ObserveBinder(Problems problems) {
        this.problems = problems;
    }

    /** Returns what makes an experiment one that is watched like this. */
    UnaryOperator<Experiment> bind(Node node) {
        return Fields.of(node, Section.OBSERVE, EXPECTED, problems)
                .map(fields -> {
                    Observe observe = new Observe(
                            on(fields, Observe.JIT, true),
                            on(fields, Observe.FLIGHT_RECORDER, false),
                            on(fields, Observe.ASYNC_PROFILER, false));
                    boolean effect = on(fields, EFFECT, false);
                    UnaryOperator<Experiment> made =
                            experiment -> effect ? ObserverEffect.of(experiment) : experiment.with(observe);
                    return made;
                })
                .orElseGet(UnaryOperator::identity);
    }

    /** YAML 1.1 has {@code off} as a boolean, YAML 1.2 as a text. */
    private static boolean on(Fields fields, String key, boolean absent) {
        return fields.scalar(key, "on or off", EnumSet.of(Kind.BOOLEAN, Kind.TEXT), ObserveBinder::parse)
                .orElse(absent);
    }

    private static boolean parse(String text) {
        return switch (text) {
            case "true", "on", "yes" -> true;
            case "false", "off", "no" -> false;
            default -> throw BadValue.of("'" + text + "'", "on or off");
        };
    }

    static String show(Observe observe) {
        String instruments = String.join(", ", observe.instruments());
        return instruments.isEmpty() ? "from outside alone" : "with " + instruments;
    }
}
