package dev.kiln.model.run;

/**
 * A TunePlan is what a search for a remedy stores of itself to go on after it was ended: {@code tune.json}.
 *
 * @param question what is searched for, and on what: a search with another question is another search
 * @param spentSeconds of the budget
 */
public record TunePlan(int schemaVersion, String question, double spentSeconds) {
    public static final int SCHEMA_VERSION = 1;
}
