package dev.kiln.plan;

import dev.kiln.model.Observation;
import dev.kiln.plan.Node.Kind;
import java.util.EnumSet;

/** {@code observe:}, what Kiln does to see more of a target. */
final class ObserveBinder {
    private ObserveBinder() {}

    static Observation bind(Node node, Problems problems) {
        return Fields.of(node, Section.OBSERVE, "a map such as {jit: off}", problems)
                .flatMap(fields ->
                        fields.scalar("jit", "on or off", EnumSet.of(Kind.TEXT, Kind.BOOLEAN), ObserveBinder::isOn))
                .map(Observation::new)
                .orElse(Observation.DEFAULT);
    }

    /** Older YAML, and so some editors, take on and off for booleans. */
    private static boolean isOn(String text) {
        return switch (text) {
            case "on", "true" -> true;
            case "off", "false" -> false;
            default -> throw BadValue.of("'" + text + "'", "on or off");
        };
    }
}
