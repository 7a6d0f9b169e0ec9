package dev.kiln.compare;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Units that can be turned into one another. */
final class Units {
    private static final Map<String, Double> SECONDS =
            Map.of("s", 1.0, "ms", 1e-3, "us", 1e-6, "\u00b5s", 1e-6, "ns", 1e-9);
    private static final Map<String, Double> BYTES =
            Map.of("B", 1.0, "kB", 1e3, "MB", 1e6, "GB", 1e9, "KiB", 1024.0, "MiB", 1048576.0, "GiB", 1073741824.0);

    private Units() {}

    /** What to multiply a value by; empty if the units have nothing to do with one another. */
    static OptionalDouble factor(String from, String to) {
        if (from.equals(to)) {
            return OptionalDouble.of(1);
        }
        for (Map<String, Double> dimension : List.of(SECONDS, BYTES)) {
            Double a = dimension.get(from);
            Double b = dimension.get(to);
            if (a != null && b != null) {
                return OptionalDouble.of(a / b);
            }
        }
        return OptionalDouble.empty();
    }
}
