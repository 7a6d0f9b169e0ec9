package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import java.util.List;
import java.util.Map;

/** Runs what a search asks for; a search that goes on after a kill asks for the same again. */
public interface Trials {
    /**
     * Runs the baseline and each candidate once in each block, in an order that is drawn. What was run before under this
     * stage is not run again.
     *
     * @param stage name of a folder
     * @param blocks in all
     * @return by name of the variant, those with a valid run; fewer blocks than asked for where the budget has ended
     */
    Map<String, Configuration> run(String stage, List<Candidate> candidates, int blocks);

    /** Whether the budget is enough for so many runs more. */
    boolean affords(int runs);

    /** What may cure what the baseline's runs showed, the most promising first. */
    List<Candidate> candidates();

    /** Tells the user how the search goes. */
    void tell(String text);
}
