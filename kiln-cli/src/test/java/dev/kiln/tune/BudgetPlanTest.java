package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.tune.BudgetPlan.Lengths;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BudgetPlanTest {
    /** A service that starts in 10 s, under 60 s of load, a pause of 15 s and 20 s of load. */
    private static final Lengths USUAL = new Lengths(8, 109, Optional.of(44.0), 0, 34);

    private static BudgetPlan of(int minutes, Lengths lengths) {
        return BudgetPlan.of(60.0 * minutes, lengths).orElseThrow();
    }

    @Test
    void moreTimeIsMoreScreensThenPairsThenLooks() {
        assertThat(BudgetPlan.of(60 * 17, USUAL)).isEmpty();
        assertThat(of(20, USUAL)).isEqualTo(new BudgetPlan(1, 4, 4, 1));
        assertThat(of(25, USUAL)).isEqualTo(new BudgetPlan(1, 5, 5, 1));
        assertThat(of(28, USUAL)).isEqualTo(new BudgetPlan(2, 7, 5, 1));
        assertThat(of(60, USUAL)).isEqualTo(new BudgetPlan(2, 8, 5, 2));
        assertThat(of(24 * 60, USUAL)).isEqualTo(new BudgetPlan(2, 8, 5, 9));
    }

    @Test
    void thePlanFitsIntoItsBudget() {
        for (int minutes = 18; minutes < 200; minutes++) {
            BudgetPlan plan = of(minutes, USUAL);
            double seconds =
                    8 + 34 + plan.screens() * 44 + (plan.baselineRuns() + 2 * plan.pairs() * plan.looks()) * 109.0;
            assertThat(seconds).as(plan.toString()).isLessThanOrEqualTo(60.0 * minutes);
        }
    }

    @Test
    void theLooksShareTheError() {
        assertThat(of(20, USUAL).errorOfALook(0.05)).isEqualTo(0.05);
        assertThat(of(24 * 60, USUAL).errorOfALook(0.09)).isEqualTo(0.01);
    }

    /** Without a closed loop nothing is screened. */
    @Test
    void aServiceUnderARateIsSearchedAsBefore() {
        Lengths rate = new Lengths(8, 109, Optional.empty(), 0, 109);
        assertThat(of(60, rate)).isEqualTo(BudgetPlan.USUAL);
        assertThat(BudgetPlan.of(60 * 20, rate)).isEmpty();
    }

    /** The last run is planned, so that what it takes is taken from nothing that was planned as well. */
    @Test
    void theRunOfWhatIsHandedOverHasItsTime() {
        assertThat(BudgetPlan.of(BudgetPlan.leastOf(USUAL), USUAL)).hasValue(new BudgetPlan(1, 1, 4, 1));
        assertThat(BudgetPlan.leastOf(USUAL)).isEqualTo(8 + 44 + 9 * 109 + 34);
        Lengths longer = new Lengths(8, 109, Optional.of(44.0), 0, 109);
        assertThat(of(20, longer).screens())
                .as("a whole run at the end takes the time of screens")
                .isLessThan(of(20, USUAL).screens());
    }

    @Test
    void aStageThatTrainsACacheTakesItsTimeEachTime() {
        Lengths cached = new Lengths(8, 109, Optional.of(44.0), 50, 84);
        assertThat(BudgetPlan.leastOf(cached)).isEqualTo(BudgetPlan.leastOf(USUAL) + 4 * 50);
    }

    @Test
    void thePlanIsSaidInWords() {
        assertThat(of(20, USUAL).text(1200, USUAL, Optional.empty()))
                .isEqualTo(
                        "plan for 20 min: 1 run of the baseline, the service as it is (2 min); up to 4 candidates, each"
                                + " screened by at most 30 s of load (3 min); a proof of the best by 4 pairs of runs (15 min),"
                                + " and no second look; at the end a run with the files that are handed over (1 min)");
        assertThat(of(60, USUAL).text(3600, USUAL, Optional.empty()))
                .contains("a proof of the best by 5 pairs", ", 2 looks at most;");
        assertThat(of(20, USUAL).text(1200, USUAL, Optional.of("ghz reports nothing before its end")))
                .contains("each screened by 30 s of load, because ghz reports nothing before its end (3 min)");
    }

    @Test
    void aPlanGivesUpPairsBeforeTheSearchGivesUp() {
        BudgetPlan plan = new BudgetPlan(1, 4, 5, 2);
        assertThat(plan.fitting((screens, runs) -> true)).isEqualTo(plan);
        assertThat(plan.fitting((screens, runs) -> screens + runs <= 10))
                .as("two screens are worth more than a pair")
                .isEqualTo(new BudgetPlan(1, 4, 4, 2));
        assertThat(plan.fitting((screens, runs) -> screens + runs <= 7)).isEqualTo(new BudgetPlan(1, 4, 3, 2));
        assertThat(plan.fitting((screens, runs) -> screens + runs <= 5))
                .as("fewer than three pairs have no interval")
                .isEqualTo(plan);
    }
}
