package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.model.experiment.Modifier.BoostedStart;
import dev.kiln.tune.Screening.Screened;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Trials runs what a search asks for; a search that continues after a kill asks for the same again. */
public interface Trials {
    /**
     * Results are what the runs of a stage showed.
     *
     * @param valid by name of the variant, those with a valid run and without a failure
     * @param failed why a variant is none that anybody could use, by its name: it died, or broke requests
     * @param untried those of the failed ones that never ran: their AOT cache could not be made
     * @param invalid why no run of a variant counts, by its name; the variant is not at fault, for all that is known
     */
    record Results(
            Map<String, Configuration> valid,
            Map<String, String> failed,
            Set<String> untried,
            Map<String, String> invalid) {
        /** Makes the results of variants that all ran. */
        Results(Map<String, Configuration> valid, Map<String, String> failed) {
            this(valid, failed, Set.of(), Map.of());
        }

        /** Returns why no run of a variant counts; empty where that is not known. */
        Optional<String> why(String variant) {
            return Optional.ofNullable(failed.get(variant))
                    .or(() -> Optional.ofNullable(invalid.get(variant)))
                    .filter(why -> !why.isBlank());
        }

        /** Says that no run of a variant counts, and why. */
        String notMeasured(String variant) {
            return "no run of " + variant + " counts"
                    + why(variant).map(why -> ": " + why).orElse("");
        }

        Optional<Configuration> of(String variant) {
            return Optional.ofNullable(valid.get(variant));
        }
    }

    /**
     * Runs the baseline and each candidate once in each block, in a random order. Runs that this stage already has are
     * not repeated.
     *
     * @param stage name of a folder
     * @param blocks in all; fewer are run where the budget ends before
     */
    Results run(String stage, List<Candidate> candidates, int blocks);

    /**
     * Screens are what short runs of candidates showed, beside one of the baseline.
     *
     * @param served by name of the candidate; none where a run was not valid
     * @param results of the same runs
     */
    record Screens(Map<String, Screened> served, Results results) {}

    /**
     * Runs each candidate once under the first seconds of the load only; a run ends as soon as it has surely gained or lost
     * against the baseline's last run. Where that is of an earlier process, or failed requests, the baseline runs first, and all
     * candidates again. Runs that this stage has otherwise are not repeated.
     *
     * @param candidates in the order in which they run
     */
    Screens screen(String stage, List<Candidate> candidates);

    /**
     * Tells whether the budget is enough for the missing short runs of a stage.
     *
     * @param reserve runs of the whole protocol that must be left after it
     */
    boolean affordsScreens(String stage, List<Candidate> candidates, int reserve);

    /**
     * Tells whether the budget is enough for the missing runs of a stage.
     *
     * @param reserve runs that must be left after it
     */
    boolean affords(String stage, List<Candidate> candidates, int blocks, int reserve);

    /**
     * Tells whether another look at a proof is one of those that were planned. Looks of an earlier process count.
     *
     * @param id of the look, which is the same when a search goes on
     * @param most looks of the whole search
     */
    boolean mayLook(String id, int most);

    /** Returns the seconds that a run takes, as far as that is known; empty where nobody has seen one. */
    default OptionalDouble runSeconds() {
        return OptionalDouble.empty();
    }

    /** Returns the plan with as many pairs of runs as fit, now that it is known what a run takes. */
    default BudgetPlan fitting(BudgetPlan planned) {
        return planned;
    }

    /** Counts a look at a proof. */
    void looks(String id);

    /** Returns the candidates that may cure what the baseline's runs showed. */
    FoundCandidates candidates(Goal goal);

    /**
     * @param candidates the most promising first
     * @param leftOut what could cure it and cannot be tried here, each with the reason
     * @param without what can do nothing to this service, each with the reason
     * @param uncured titles of confirmed causes that nothing is tried against
     */
    record FoundCandidates(
            List<Candidate> candidates, List<String> leftOut, List<String> without, List<String> uncured) {}

    /** Returns the candidate with a boost of another length. */
    Candidate boosted(Candidate candidate, BoostedStart boost);

    /** Takes what the search knows of its candidates, and keeps up to date, to show it while the search goes on. */
    default void shows(Map<Candidate, SearchRecord> records) {}

    /** Prints a line for the user about the progress of the search. */
    void tell(String text);
}
