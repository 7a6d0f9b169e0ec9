package dev.kiln.model.run;

import java.util.Optional;

/**
 * A SearchStudy is what others than the search itself read of {@code tune.json}.
 *
 * @param spentSeconds of the budget, when it was written
 * @param table empty where an earlier Kiln wrote it
 */
public record SearchStudy(int schemaVersion, double spentSeconds, Optional<SearchTable> table) {
    public static final int SCHEMA_VERSION = 1;
}
