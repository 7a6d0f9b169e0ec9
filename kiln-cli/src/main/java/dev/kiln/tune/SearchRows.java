package dev.kiln.tune;

import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.SearchTable;
import dev.kiln.model.run.SearchTable.CandidateFate;
import dev.kiln.model.run.SearchTable.SearchRow;
import dev.kiln.tune.Trials.Standing;
import dev.kiln.tune.Tuning.TuneProof;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** SearchRows make the table of a search of what it knows, without the secrets in its changes. */
final class SearchRows {
    private SearchRows() {}

    /** Returns the table of a search that begins. */
    static SearchTable begun(Experiment experiment, Goal goal, Duration budget) {
        return new SearchTable(
                experiment.name(),
                experiment.variants().getFirst().name(),
                goal.id(),
                budget.toMillis() / 1e3,
                System.currentTimeMillis(),
                List.of(),
                Optional.empty());
    }

    /** Returns a row for each candidate of a search that goes on. */
    static List<SearchRow> of(Variant baseline, List<Standing> standings, Secrets secrets) {
        return standings.stream()
                .map(one -> new SearchRow(
                        one.candidate().name(),
                        changes(baseline, one.candidate(), secrets),
                        one.gains(),
                        one.out() ? CandidateFate.OUT : CandidateFate.OPEN,
                        secrets.text(one.fate())))
                .toList();
    }

    /** Writes how a search ended beside what it knew. */
    static void end(Path directory, Tuning tuning, Variant baseline, Secrets secrets) {
        TunePlan.FILE
                .find(directory)
                .ifPresent(plan -> plan.table()
                        .ifPresent(table -> TunePlan.FILE.write(
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
                                    ? CandidateFate.PROVEN
                                    : known.map(SearchRow::fate).orElse(CandidateFate.OPEN),
                            secrets.text(one.words()));
                })
                .toList();
    }

    private static List<String> changes(Variant baseline, Candidate candidate, Secrets secrets) {
        return secrets.texts(Candidates.changes(baseline, candidate.variant()));
    }
}
