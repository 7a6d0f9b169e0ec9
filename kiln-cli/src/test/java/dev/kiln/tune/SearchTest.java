package dev.kiln.tune;

import static dev.kiln.tune.Simulated.BASELINE;
import static dev.kiln.tune.Simulated.DEFICIT;
import static dev.kiln.tune.Simulated.LOAD_SECONDS;
import static dev.kiln.tune.Simulated.PEAK;
import static dev.kiln.tune.Simulated.duds;
import static dev.kiln.tune.Simulated.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.model.KilnException;
import dev.kiln.tune.Simulated.Run;
import dev.kiln.tune.Simulated.Truth;
import dev.kiln.tune.Tuning.CauseShare;
import dev.kiln.tune.Tuning.Tried;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Searches on services whose true figures are known. */
class SearchTest {
    @Test
    void noDudIsEverRecommended() {
        for (int seed = 1; seed <= 40; seed++) {
            Tuning tuning = duds(seed).search();
            assertThat(tuning.verdict())
                    .as("seed " + seed + ": " + told(tuning))
                    .isNotEqualTo(TuneVerdict.IMPROVED);
        }
    }

    @Test
    void theCureIsFoundAmongThem() {
        for (int seed = 1; seed <= 20; seed++) {
            Tuning tuning = duds(seed).with("cure", new Truth(0.4 * DEFICIT)).search();
            assertThat(tuning.verdict())
                    .as("seed " + seed + ": " + told(tuning))
                    .isEqualTo(TuneVerdict.IMPROVED);
            assertThat(tuning.winner().orElseThrow().candidate().name()).startsWith("cure");
            assertThat(tuning.winner().orElseThrow().effect().orElseThrow().hi())
                    .isLessThan(1);
        }
    }

    @Test
    void whatIsKnownOfEachCandidateIsShownWhileTheSearchGoesOn() {
        Simulated simulated = duds(1).with("cure", new Truth(0.4 * DEFICIT));
        Tuning tuning = simulated.search();

        assertThat(simulated.seen.getFirst()).containsOnlyKeys("nothing", "slower", "breaks", "lower", "lucky", "cure");
        assertThat(simulated.seen.getFirst().values())
                .allMatch(one ->
                        one.gains().isEmpty() && !one.out() && one.soFar().equals("not tried yet"));
        assertThat(Optional.ofNullable(simulated.seen.get(1).get("cure"))
                        .orElseThrow()
                        .gains())
                .singleElement(InstanceOfAssertFactories.DOUBLE)
                .isPositive();
        assertThat(simulated.seen.getLast().get("breaks"))
                .isEqualTo(new Simulated.Seen(List.of(), true, "1 % of its requests failed"));
        assertThat(simulated.now().values())
                .extracting(Simulated.Seen::soFar)
                .containsExactlyElementsOf(
                        tuning.tried().stream().map(Tried::words).toList());
    }

    /** Which one is the best is known at the end: a page that says so of others before is wrong. */
    @Test
    void nothingIsTheBestWhileTheSearchGoesOn() {
        Simulated simulated = duds(1).with("cure", new Truth(0.4 * DEFICIT));
        Tuning tuning = simulated.search();

        assertThat(simulated.seen)
                .flatExtracting(Map::values)
                .map(Simulated.Seen::soFar)
                .contains("not decided yet")
                .doesNotContain("another was the best");
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.IMPROVED);
        assertThat(tuning.tried()).extracting(Tried::words).contains("another was the best", "proven");
        Tuning none = duds(1).search();
        assertThat(none.verdict()).isNotEqualTo(TuneVerdict.IMPROVED);
        assertThat(none.tried()).extracting(Tried::words).doesNotContain("another was the best");
    }

    @Test
    void whatHelpsTogetherIsOneCureAndEachPartIsToldApart() {
        Tuning tuning = new Simulated(1)
                .with("threads", new Truth(0.4 * DEFICIT))
                .with("cache", new Truth(0.5 * DEFICIT))
                .with("nothing", new Truth(DEFICIT))
                .search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.IMPROVED);
        Tuning.TuneProof proof = tuning.winner().orElseThrow();
        assertThat(proof.candidate().name()).contains("threads", "cache");
        assertThat(proof.shares()).hasSize(3);
        double all = proof.shares().stream().mapToDouble(CauseShare::seconds).sum();
        assertThat(all).isBetween(0.8 * DEFICIT, 1.2 * DEFICIT);
        assertThat(proof.shares().getLast().cause()).isEmpty();
    }

    @Test
    void whereNoCauseIsConfirmedThereIsNothingToGain() {
        Simulated healthy = new Simulated(1);
        healthy.truths.put(BASELINE, new Truth(4));
        Tuning tuning = healthy.search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.NOTHING_TO_GAIN);
        assertThat(tuning.why()).startsWith("no cause that Kiln can cure held back the runs of baseline");
    }

    /** A lock may have held it back, or a pool: who reads that nothing is to be gained must know of it. */
    @Test
    void aCauseWithoutARemedyThatCanBeTriedIsTold() {
        Simulated locked = new Simulated(1);
        locked.uncured.add("requests wait for a lock");
        Tuning tuning = locked.search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        assertThat(tuning.why()).contains("; nothing is tried against what did: requests wait for a lock, though its ");
    }

    /** What nobody reads is no candidate that was left out. */
    @Test
    void whatCanDoNothingIsToldAndLeavesNothingOpen() {
        Simulated healthy = new Simulated(1);
        healthy.truths.put(BASELINE, new Truth(4));
        healthy.without.add("virtual-threads: the service has no Spring Boot");
        Tuning tuning = healthy.search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.NOTHING_TO_GAIN);
        assertThat(tuning.why()).contains("(virtual-threads: the service has no Spring Boot)");
    }

    /** The larger of two runs is above the tenth that counts more often than what both lose. */
    @Test
    void aLittleLossIsJudgedByAllRuns() {
        int one = 0;
        for (int seed = 1; seed <= 40; seed++) {
            Simulated nearly = new Simulated(seed);
            nearly.truths.put(BASELINE, new Truth(0.095 * LOAD_SECONDS));
            TuneVerdict verdict = nearly.search().verdict();
            double[] lost = nearly.drawn.values().stream()
                    .flatMap(runs -> runs.getOrDefault(BASELINE, List.of()).stream())
                    .mapToDouble(Run::deficit)
                    .toArray();
            boolean little = Arrays.stream(lost).average().orElseThrow() <= 0.1 * LOAD_SECONDS;
            assertThat(verdict == TuneVerdict.NOTHING_TO_GAIN)
                    .as("seed " + seed)
                    .isEqualTo(little);
            one += little && Arrays.stream(lost).max().orElseThrow() > 0.1 * LOAD_SECONDS ? 1 : 0;
        }
        assertThat(one).isPositive();
    }

    @Test
    void aLossWithoutAKnownCauseIsNotNothing() {
        Tuning tuning = new Simulated(1).search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        assertThat(tuning.why()).contains("though its warm-up cost ", "% of the load");
    }

    @Test
    void oneThatChangesNothingIsShownToGainAtMostATenth() {
        Tuning tuning = new Simulated(1)
                .with("nothing", new Truth(DEFICIT, PEAK, 0, 0.02))
                .search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.NOTHING_TO_GAIN);
        assertThat(tuning.why()).contains("at most a tenth");
    }

    @Test
    void oneThatBreaksRequestsIsNoCureWhereItIsTheOnlyOne() {
        Tuning tuning = new Simulated(1)
                .with("breaks", new Truth(0.3 * DEFICIT, PEAK, 0.01, 0.02))
                .search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        assertThat(tuning.why()).isEqualTo("breaks: 1 % of its requests failed");
    }

    @Test
    void whereSomethingWasLeftOutNobodyKnowsThatThereIsNothing() {
        Simulated trials = new Simulated(1).with("nothing", new Truth(DEFICIT, PEAK, 0, 0.02));
        trials.leftOut.add("cure: not permitted");
        Tuning open = trials.search();
        assertThat(open.verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        assertThat(open.why())
                .startsWith("nothing: warm-up cost is ")
                .endsWith(": it gains at most a tenth; what others gain is not known: cure: not permitted");
        Simulated hurried = new Simulated(1)
                .with("nothing", new Truth(DEFICIT, PEAK, 0, 0.02))
                .with("cure", new Truth(0.4 * DEFICIT));
        hurried.runsLeft = 13;
        Tuning left = hurried.search();
        assertThat(left.verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        assertThat(left.why()).endsWith("; what others gain is not known: cure: not enough fresh runs");
    }

    @Test
    void whatNobodyMeasuredIsNotNothing() {
        Simulated unlucky = new Simulated(1)
                .with("nothing", new Truth(DEFICIT, PEAK, 0, 0.02))
                .with("cure", new Truth(0.4 * DEFICIT));
        unlucky.spoiled.add("cure");
        Tuning tuning = unlucky.search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        assertThat(tuning.tried().get(1).words()).isEqualTo("no run of cure was valid in the proof");
        Simulated cached = new Simulated(1)
                .with("nothing", new Truth(DEFICIT, PEAK, 0, 0.02))
                .with("cure", new Truth(0.4 * DEFICIT));
        cached.untried.add("cure");
        assertThat(cached.search().verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        Simulated broken = new Simulated(1)
                .with("nothing", new Truth(DEFICIT, PEAK, 0, 0.02))
                .with("breaks", new Truth(0.4 * DEFICIT, PEAK, 0.01, 0.02));
        assertThat(broken.search().verdict()).as("it was tried, and is no cure").isEqualTo(TuneVerdict.NOTHING_TO_GAIN);
    }

    @Test
    void aCureWhoseP99IsLikelyWorseIsNotRecommended() {
        int recommended = 0;
        for (int seed = 1; seed <= 40; seed++) {
            Simulated trials = new Simulated(seed).with("cure", new Truth(0.4 * DEFICIT));
            trials.slower.put("cure", 1.65);
            Tuning tuning = trials.search();
            recommended += tuning.verdict() == TuneVerdict.IMPROVED ? 1 : 0;
            assertThat(tuning.why()).contains("p99");
        }
        assertThat(recommended).isZero();
    }

    /** One peaks higher alone than with the other: then the parts would not add up against the peaks of pairs. */
    @Test
    void theSharesAddUpToTheLoss() {
        Tuning tuning = new Simulated(1)
                .with("threads", new Truth(0.5 * DEFICIT, 1.05 * PEAK, 0, 0.02))
                .with("cache", new Truth(0.5 * DEFICIT, PEAK, 0, 0.02))
                .search();
        Tuning.TuneProof proof = tuning.winner().orElseThrow();
        assertThat(proof.shares()).as(told(tuning)).hasSize(3);
        assertThat(proof.shares().stream().mapToDouble(CauseShare::seconds).sum())
                .isCloseTo(proof.before().orElseThrow(), within(2.5));
    }

    /** It serves 120,000 requests where the other serves 110,000, and the baseline 90,000. */
    @Test
    void theOneThatServesMoreIsTheBetterOne() {
        Tuning tuning = new Simulated(1)
                .with("soon", new Truth(10, PEAK, 0, 0.02))
                .with("high", new Truth(60, 2 * PEAK, 0, 0.02))
                .search();
        List<Double> gains =
                tuning.tried().stream().map(one -> one.gain().orElseThrow()).toList();
        assertThat(gains.get(1)).as(told(tuning)).isGreaterThan(gains.get(0));
    }

    /** A service that serves a whole rate shows no peak, and none is asked of it. */
    @Test
    void underARateTheTimeToTheSloIsImproved() {
        Simulated trials = new Simulated(1).with("cure", new Truth(0.4 * DEFICIT));
        trials.goal = Goal.SLO;
        Tuning tuning = trials.search();
        assertThat(tuning.verdict()).as(told(tuning)).isEqualTo(TuneVerdict.IMPROVED);
        assertThat(tuning.winner().orElseThrow().shares()).isEmpty();
    }

    /** After the first round 21 of 30 runs are left, and a second one would leave 13: a single look. */
    @Test
    void theProofCanLookTwiceBeforeAnotherRound() {
        for (int budget : new int[] {30, 37}) {
            Simulated trials = duds(1).with("cure", new Truth(0.4 * DEFICIT));
            trials.runsLeft = budget;
            trials.search();
            assertThat(trials.asked.containsKey("3-round-2"))
                    .as("budget " + budget)
                    .isEqualTo(budget == 37);
        }
    }

    @Test
    void theBudgetIsKept() {
        for (int budget = 14; budget < 60; budget += 5) {
            Simulated trials = duds(1).with("cure", new Truth(0.4 * DEFICIT));
            trials.runsLeft = budget;
            trials.search();
            assertThat(trials.runsLeft).as("budget " + budget).isNotNegative();
        }
    }

    @Test
    void aBaselineWithoutAValidRunIsNoBeginning() {
        Trials none = new Simulated(1) {
            @Override
            public Results run(String stage, List<Candidate> some, int blocks) {
                return new Results(Map.of(), Map.of());
            }
        };
        assertThatThrownBy(
                        () -> new Search(none, BASELINE, Goal.DEFICIT, 0.97, BudgetPlan.USUAL, 0.95, (a, b) -> a).run())
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("no run of baseline is valid");
    }
}
