package dev.kiln.model;

import java.util.Optional;

/**
 * A level of a sweep: a configuration under the load of so many connections, which is a variant of its own.
 *
 * @param configuration name of the variant that was swept
 */
public record SweepLevel(String configuration, int connections) {
    private static final String BEFORE_CONNECTIONS = "-c";

    /** The name of the variant. */
    public String variant() {
        return configuration + BEFORE_CONNECTIONS + connections;
    }

    /** The level that a run was of, by its variant's name and the connections that were held open; empty for any other run. */
    public static Optional<SweepLevel> of(String variant, int connections) {
        String end = BEFORE_CONNECTIONS + connections;
        return variant.endsWith(end) && variant.length() > end.length()
                ? Optional.of(new SweepLevel(variant.substring(0, variant.length() - end.length()), connections))
                : Optional.empty();
    }
}
