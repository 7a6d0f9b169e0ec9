package dev.kiln.tune;

import dev.kiln.evidence.StudyFile;
import java.util.Optional;
import tools.jackson.core.type.TypeReference;

/**
 * A TunePlan is what a search for a remedy stores of itself to go on after it was ended: {@code tune.json}.
 *
 * @param question what is searched for, and on what: a search with another question is another search
 * @param spentSeconds of the budget
 * @param plan of the budget that it began with; empty of a search of an earlier version
 */
public record TunePlan(int schemaVersion, String question, double spentSeconds, Optional<BudgetPlan> plan) {
    public static final int SCHEMA_VERSION = 1;

    /** This document holds the plan of a search for a cure, with which it can be continued. */
    public static final StudyFile<TunePlan> FILE = new StudyFile<>(
            "tune.json",
            new TypeReference<>() {},
            SCHEMA_VERSION,
            "no search in %1$s: ",
            "name a folder that kiln tune wrote, or an empty one",
            false);

    TunePlan spent(double seconds) {
        return new TunePlan(schemaVersion, question, seconds, plan);
    }
}
