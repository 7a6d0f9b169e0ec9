package dev.kiln.tune;

import dev.kiln.evidence.StudyFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.SearchStudy;
import dev.kiln.model.run.SearchStudy.SearchTable;
import dev.kiln.model.run.SearchStudy.SearchTable.CandidateOutcome;
import dev.kiln.model.run.SearchStudy.SearchTable.SearchRow;
import dev.kiln.report.Listed.StudyKind;
import dev.kiln.results.Reporting;
import dev.kiln.tune.Tuning.TuneProof;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    /** Returns the plan of the search that the folder holds, or a new one. */
    static TunePlan of(Path directory, Experiment experiment, Goal by, BudgetPlan budgeted) {
        String question = TuneQuestion.of(experiment, by);
        Optional<TunePlan> before = FILE.find(directory);
        if (before.isPresent() && !before.get().question().equals(question)) {
            throw KilnException.usage(
                    directory + " holds the search of another experiment or goal, or of an older build of the target",
                    "give the same arguments to go on with it, or name another folder: --results DIR");
        }
        if (before.isEmpty() && Reporting.hasRuns(directory)) {
            throw KilnException.usage(directory + " holds other runs", "name another folder: --results DIR");
        }
        return before.orElseGet(() ->
                new TunePlan(SCHEMA_VERSION, question, 0, Optional.of(budgeted), Optional.empty(), Optional.empty()));
    }

    /** Returns the plan of the search that begins, or goes on, with a table to show. */
    TunePlan showing(Experiment experiment, Goal goal, Duration budget) {
        return showing(new SearchTable(
                experiment.name(),
                experiment.variants().getFirst().name(),
                goal.id(),
                budget.toMillis() / 1e3,
                System.currentTimeMillis(),
                List.of(),
                Optional.empty()));
    }

    /** Returns the plan of a search whose budget is divided otherwise. */
    TunePlan with(BudgetPlan other) {
        return new TunePlan(schemaVersion, question, spentSeconds, Optional.of(other), looks, table);
    }

    private TunePlan showing(SearchTable shown) {
        return new TunePlan(schemaVersion, question, spentSeconds, plan, looks, Optional.of(shown));
    }

    /** Returns the plan with what is spent and known now, without the secrets in the changes of candidates. */
    TunePlan after(
            double spent, List<String> looked, Map<Candidate, SearchRecord> known, Variant baseline, Secrets secrets) {
        List<SearchRow> rows = new ArrayList<>();
        known.forEach((candidate, record) -> rows.add(new SearchRow(
                candidate.name(),
                changes(baseline, candidate, secrets),
                record.gains,
                record.out ? CandidateOutcome.OUT : CandidateOutcome.OPEN,
                secrets.text(record.soFar()))));
        return new TunePlan(
                schemaVersion,
                question,
                spent,
                plan,
                Optional.of(looked),
                table.map(shown -> shown.with(rows, System.currentTimeMillis())));
    }

    /** Writes how a search ended beside what it knew. */
    static void end(Path directory, Tuning tuning, Variant baseline, Secrets secrets) {
        FILE.find(directory)
                .ifPresent(plan -> plan.table()
                        .ifPresent(table -> FILE.write(
                                directory,
                                plan.showing(
                                        table.with(ended(table, tuning, baseline, secrets), System.currentTimeMillis())
                                                .ended(secrets.text(TuneText.sentence(tuning, baseline)))))));
    }

    private static List<SearchRow> ended(SearchTable before, Tuning tuning, Variant baseline, Secrets secrets) {
        Optional<String> winner = tuning.winner()
                .filter(proof -> tuning.verdict() == TuneVerdict.IMPROVED)
                .map(TuneProof::candidate)
                .map(Candidate::name);
        return tuning.tried().stream()
                .map(one -> {
                    Optional<SearchRow> known = before.candidates().stream()
                            .filter(row -> row.name().equals(one.candidate().name()))
                            .findFirst();
                    return new SearchRow(
                            one.candidate().name(),
                            changes(baseline, one.candidate(), secrets),
                            known.map(SearchRow::gains)
                                    .orElseGet(() -> one.gain().stream().toList()),
                            winner.equals(Optional.of(one.candidate().name()))
                                    ? CandidateOutcome.PROVEN
                                    : known.map(SearchRow::outcome).orElse(CandidateOutcome.OPEN),
                            secrets.text(one.words()));
                })
                .toList();
    }

    private static List<String> changes(Variant baseline, Candidate candidate, Secrets secrets) {
        return secrets.texts(Candidates.changes(baseline, candidate.variant()));
    }
}
