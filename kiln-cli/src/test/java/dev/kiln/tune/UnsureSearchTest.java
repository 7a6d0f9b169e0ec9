package dev.kiln.tune;

import static dev.kiln.tune.Simulated.BASELINE;
import static dev.kiln.tune.Simulated.DEFICIT;
import static dev.kiln.tune.Simulated.PEAK;
import static dev.kiln.tune.Simulated.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.compare.Configuration;
import dev.kiln.model.KilnException;
import dev.kiln.report.TerminalStyle;
import dev.kiln.tune.Simulated.Truth;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What lower bounds and other goals leave open: a search says no more than its runs carry. */
class UnsureSearchTest {
    private static final String BOUND = "its peak is at least 1,000 req/s: C2 still waited for a CPU";

    /** Of which no cause is known, and which loses little. */
    private static Simulated healthy() {
        Simulated healthy = new Simulated(1);
        healthy.truths.put(BASELINE, new Truth(4));
        return healthy;
    }

    private static Simulated cured(Truth cure) {
        return new Simulated(1).with("cure", cure);
    }

    private static void assertUnsure(Simulated trials, String why) {
        Tuning tuning = trials.search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        assertThat(tuning.why()).contains(why);
    }

    /** It said that there is nothing to gain. */
    @Test
    void againstAPeakThatMayBeHigherNobodyKnowsThatLittleIsLost() {
        Simulated trials = healthy();
        trials.bounds.put(BASELINE, BOUND);

        assertUnsure(trials, ", though its warm-up cost may be more than it seems, because " + BOUND);
    }

    /** That the warm-up costs little was taken for that. */
    @Test
    void whereNoCauseIsKnownThePeakMayBeHigherStill() {
        Simulated trials = healthy();
        trials.goal = Goal.PEAK;

        assertUnsure(trials, ", though whether its peak could be higher is not known");
    }

    @Test
    void theTimeToThePeakIsNotJudgedByTheCost() {
        Simulated trials = healthy();
        trials.goal = Goal.T90;

        assertUnsure(
                trials,
                ", though not every run came to its " + Goal.T90.metric().label() + " within the load");
    }

    @Test
    void moreThanALowerBoundIsNoHigherPeak() {
        Simulated trials = cured(new Truth(DEFICIT, 1.5 * PEAK, 0, 0.02));
        trials.goal = Goal.PEAK;
        assertThat(trials.search().verdict()).isEqualTo(TuneVerdict.IMPROVED);

        Simulated bounded = cured(new Truth(DEFICIT, 1.5 * PEAK, 0, 0.02));
        bounded.goal = Goal.PEAK;
        bounded.bounds.put(BASELINE, BOUND);
        assertUnsure(bounded, ", but the baseline's figure is at least that: " + BOUND);
        assertThat(bounded.asked.get("5-proof-cure"))
                .as("no more pairs show a peak that none has shown")
                .isEqualTo(5);
    }

    @Test
    void aSecondRunMayShowThePeakThatTheFirstDidNot() {
        Simulated trials = unlucky(true);
        assertThat(trials.search().verdict()).isEqualTo(TuneVerdict.IMPROVED);
        assertThat(trials.asked.get("1-baseline")).isEqualTo(2);

        Simulated never = unlucky(false);
        assertThatThrownBy(never::search).hasMessageContaining("the runs of baseline have no warm-up cost");
        assertThat(never.asked.get("1-baseline")).isEqualTo(2);
    }

    /** The first run of its baseline shows no peak, and perhaps no run does. */
    private static Simulated unlucky(boolean once) {
        Simulated trials = new Simulated(1) {
            @Override
            public Results run(String stage, List<Candidate> some, int blocks) {
                Results all = super.run(stage, some, blocks);
                return stage.equals("1-baseline") && (blocks == 1 || !once)
                        ? new Results(Map.of(BASELINE, Configuration.none(BASELINE)), Map.of())
                        : all;
            }
        };
        trials.plan = new BudgetPlan(1, 4, 5, 9);
        return trials.with("cure", new Truth(0.4 * DEFICIT));
    }

    @Test
    void whatALowerBoundLeavesOpenOfACureIsTold() {
        Simulated trials = cured(new Truth(0.4 * DEFICIT));
        trials.bounds.put(BASELINE, BOUND);
        Tuning tuning = trials.search();

        assertThat(tuning.verdict()).as(told(tuning)).isEqualTo(TuneVerdict.IMPROVED);
        assertThat(text(tuning))
                .contains(
                        "The baseline's peak is at least what was measured (" + BOUND
                                + "), so whether all of it is kept is not known; the warm-up costs are at least those told",
                        "(reference: until-found)");
        assertThat(TuneJson.render(tuning, Simulated.candidate(BASELINE).variant(), Optional.empty()))
                .containsSubsequence("\"peakAtLeast\" : true", "\"winner\"", "\"peakAtLeast\" : false");
        assertThat(text(cured(new Truth(0.4 * DEFICIT)).search())).doesNotContain("at least what was measured");
    }

    /** A cure was out for a peak that nobody had seen. */
    @Test
    void aPeakThatMayBeHigherIsNotShownToBeLower() {
        Truth lower = new Truth(0.4 * DEFICIT, 0.9 * PEAK, 0, 0.02);
        assertThat(cured(lower).search().why()).contains("its peak is 0.9");

        Simulated trials = cured(lower);
        trials.bounds.put("cure", BOUND);
        assertUnsure(trials, ", but its peak may be 0.");
    }

    /** Whoever has a load after a pause was told to have one. */
    @Test
    void whyTheBaselineHasNoPeakIsTold() {
        Simulated trials = new Simulated(1) {
            @Override
            public Results run(String stage, List<Candidate> some, int blocks) {
                Configuration found = Configuration.none(BASELINE);
                return new Results(
                        Map.of(
                                BASELINE,
                                new Configuration(
                                        BASELINE,
                                        found.origin(),
                                        List.of(),
                                        List.of(),
                                        List.of(),
                                        false,
                                        List.of("it shows no peak: throughput declined"))),
                        Map.of());
            }
        };
        assertThatThrownBy(trials::search)
                .isInstanceOf(KilnException.class)
                .hasMessageContaining(
                        "the runs of baseline have no warm-up cost: it shows no peak: throughput declined");
    }

    /** It said that the budget had ended, of which most was left: each run began with a minute of start. */
    @Test
    void aBudgetThatIsTooSmallForAProofSaysWhatThatTakes() {
        Simulated trials = new Simulated(1) {
            @Override
            public OptionalDouble runSeconds() {
                return OptionalDouble.of(165);
            }
        };
        trials.with("cure", new Truth(0.4 * DEFICIT)).runsLeft = 5;
        Tuning tuning = trials.search();

        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        assertThat(tuning.why())
                .isEqualTo(
                        "what is left of the budget is not enough for a proof on fresh runs (5 pairs of runs of about"
                                + " 165 s); with --resume, or the same --results, and a larger --budget the search goes on");
    }

    private static String text(Tuning tuning) {
        return TuneText.terminal(tuning, Simulated.candidate(BASELINE).variant(), TerminalStyle.plain())
                .replaceAll("\\s+", " ");
    }
}
