package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.model.experiment.Modifier.CpuBoost;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Runs what a search asks for; a search that goes on after a kill asks for the same again. */
public interface Trials {
    /**
     * What the runs of a stage showed.
     *
     * @param valid by name of the variant, those with a valid run and without a failure
     * @param failed why a variant is none that anybody could use, by its name: it died, or broke requests
     * @param untried those of the failed ones that never ran: their AOT cache could not be made
     */
    record Results(Map<String, Configuration> valid, Map<String, String> failed, Set<String> untried) {
        /** Of variants that all ran. */
        Results(Map<String, Configuration> valid, Map<String, String> failed) {
            this(valid, failed, Set.of());
        }

        Optional<Configuration> of(String variant) {
            return Optional.ofNullable(valid.get(variant));
        }
    }

    /**
     * Runs the baseline and each candidate once in each block, in an order that is drawn. What was run before under this
     * stage is not run again.
     *
     * @param stage name of a folder
     * @param blocks in all; fewer are run where the budget ends before
     */
    Results run(String stage, List<Candidate> candidates, int blocks);

    /**
     * Whether the budget is enough for what is still to be run of a stage.
     *
     * @param reserve runs that must be left after it
     */
    boolean affords(String stage, List<Candidate> candidates, int blocks, int reserve);

    /** What may cure what the baseline's runs showed. */
    Found candidates();

    /**
     * @param candidates the most promising first
     * @param leftOut what could cure it and cannot be tried here, each with the reason
     */
    record Found(List<Candidate> candidates, List<String> leftOut) {}

    /** The candidate with a boost of another length. */
    Candidate boosted(Candidate candidate, CpuBoost boost);

    /** Tells the user how the search goes. */
    void tell(String text);
}
