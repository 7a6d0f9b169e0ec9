package dev.kiln.tune;

import dev.kiln.evidence.StudyFile;
import dev.kiln.model.run.SearchStudy;
import dev.kiln.model.run.SearchTable;
import dev.kiln.model.run.SearchTable.SearchRow;
import dev.kiln.report.Listed.StudyKind;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.type.TypeReference;

/**
 * A TunePlan is what a search for a remedy stores of itself to go on after it was ended, and to be seen while it goes on:
 * {@code tune.json}.
 *
 * @param question what is searched for, and on what: a search with another question is another search
 * @param spentSeconds of the budget
 * @param plan of the budget that it began with; empty where an earlier Kiln wrote it
 * @param looks at proofs so far; empty where an earlier Kiln wrote it
 * @param table what a page shows; empty where an earlier Kiln wrote it
 */
public record TunePlan(
        int schemaVersion,
        String question,
        double spentSeconds,
        Optional<BudgetPlan> plan,
        Optional<List<String>> looks,
        Optional<SearchTable> table) {
    public static final int SCHEMA_VERSION = SearchStudy.SCHEMA_VERSION;

    /** This document holds the plan of a search for a cure, with which it can be continued. */
    public static final StudyFile<TunePlan> FILE = new StudyFile<>(
            StudyKind.SEARCH.file(),
            new TypeReference<>() {},
            SCHEMA_VERSION,
            "no search in %1$s: ",
            "name a folder that kiln tune wrote, or an empty one",
            false);

    /** Returns the plan of the search that begins, or goes on. */
    TunePlan showing(SearchTable begun) {
        return new TunePlan(schemaVersion, question, spentSeconds, plan, looks, Optional.of(begun));
    }

    /** Returns the plan with what is spent and known now. */
    TunePlan after(double spent, List<String> looked, List<SearchRow> known) {
        return new TunePlan(
                schemaVersion,
                question,
                spent,
                plan,
                Optional.of(looked),
                table.map(shown -> shown.with(known, System.currentTimeMillis())));
    }
}
