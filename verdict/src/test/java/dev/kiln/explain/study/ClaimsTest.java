package dev.kiln.explain.study;

import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static dev.kiln.explain.study.Claimed.answer;
import static dev.kiln.explain.study.Claimed.check;
import static dev.kiln.explain.study.Claimed.claim;
import static dev.kiln.explain.study.Claimed.fed;
import static dev.kiln.explain.study.Claimed.figure;
import static dev.kiln.explain.study.Claimed.starved;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.ExperimentResult.ClaimResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult.State;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Claim.Check;
import dev.kiln.model.experiment.Claim.Figure;
import dev.kiln.model.experiment.Claim.Op;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.Treatment.AotUse;
import dev.kiln.stats.AnalysisConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClaimsTest {
    /** Of one variant its own peak counts; between two the higher one, or the one that peaks low would win. */
    @Test
    void timesOfTwoVariantsAreHeldAgainstOnePeak() {
        HandMade low = measured("low", 823, then(seconds(10, 400), seconds(50, 786)));
        HandMade high = measured("high", 1220, then(seconds(26, 700), seconds(34, 1220)));

        assertThat(answer(claim(new Check(figure(Metric.T90, "high"), Op.LESS, figure(Metric.T90, "low"))), low, high)
                        .state())
                .isEqualTo(State.AGREES);
        assertThat(answer(claim(check(Metric.T90, "low", Op.AT_MOST, 15)), low, high)
                        .state())
                .isEqualTo(State.AGREES);
    }

    /** Whoever asks much of many variants wants the answers first. */
    @Test
    void theHeadlineOfSeveralVariantsBeginsWithTheClaims() {
        Assessment asked = new Assessment(
                AnalysisConfig.defaults(),
                List.of(
                        claim(check(Metric.PEAK, "fed", Op.MORE, 500)),
                        claim(check(Metric.PEAK, "fed", Op.MORE, 100)),
                        claim(check(Metric.PEAK, "fed", Op.LESS, 500)),
                        claim(check(Metric.PEAK, "unknown", Op.LESS, 500))));
        Assessment plain = new Assessment(AnalysisConfig.defaults());
        for (HandMade run : List.of(starved(), fed(), measured("third", 1000, seconds(60, 400)))) {
            asked.add(run.evidence());
            plain.add(run.evidence());
        }
        Headline headline = Headline.of(asked.result("by hand"));
        Headline without = Headline.of(plain.result("by hand"));

        assertThat(headline.answer()).isEqualTo("Of 4 claims 2 agree, 1 does not agree, 1 is open.");
        assertThat(headline.sure().getFirst())
                .isEqualTo(without.answer())
                .startsWith("fed reached 90 % of its peak after ")
                .endsWith(" (best and worst of 3).");
        assertThat(headline.sure().subList(1, headline.sure().size())).isEqualTo(without.sure());
    }

    @Test
    void figuresOfTwoVariantsAreHeldAgainstEachOther() {
        ClaimResult agrees = answer(
                claim(
                        new Check(
                                figure(Metric.END_OF_WARMUP, "starved"),
                                Op.LESS,
                                new Figure(0.7, "0.7", "peak", "starved", Optional.empty())),
                        new Check(figure(Metric.PEAK, "fed"), Op.MORE, figure(Metric.PEAK, "starved"))),
                starved(),
                fed());

        assertThat(agrees.state()).isEqualTo(State.AGREES);
        assertThat(agrees.checks().getFirst().left()).hasValue(400);
        assertThat(agrees.checks().getFirst().right().orElseThrow()).isCloseTo(700, within(1e-9));
        assertThat(agrees.missing()).isEmpty();

        ClaimResult refuted = answer(
                claim(check(Metric.PEAK, "fed", Op.MORE, 1000), check(Metric.PEAK, "starved", Op.MORE, 1000)),
                starved(),
                fed());
        assertThat(refuted.state()).isEqualTo(State.DISAGREES);
    }

    /** A machine that becomes slower: by the runs of one block 10 % are shown, by all together nothing. */
    @Test
    void runsOfOneBlockAreHeldAgainstEachOther() {
        Claim less = claim(new Check(
                figure(Metric.PEAK, "old"),
                Op.LESS,
                new Figure(0.95, "0.95", Metric.PEAK.id(), "new", Optional.empty())));
        HandMade[] runs = IntStream.rangeClosed(1, 3)
                .boxed()
                .flatMap(block -> Stream.of(
                        measured("old", 1100 - 200 * block, seconds(60, 400)).numbered(block),
                        measured("new", (1100 - 200 * block) / 0.9, seconds(60, 400))
                                .numbered(block)))
                .toArray(HandMade[]::new);
        ClaimResult paired = answer(less, runs);
        assertThat(paired.state()).isEqualTo(State.AGREES);
        assertThat(paired.checks().getFirst().ratio().orElseThrow().hi()).isLessThan(1);

        ClaimResult two = answer(less, Arrays.copyOf(runs, 4));
        assertThat(two.state()).as("two pairs are too few").isEqualTo(State.OPEN);
    }

    /** The load lasts 60 s. */
    @Test
    void aTimeThatWasNotReachedIsLongerThanTheLoadAndNoMoreIsKnown() {
        ClaimResult longer = answer(claim(check(Metric.T90, "starved", Op.MORE, 60)), starved());
        assertThat(longer.state()).isEqualTo(State.AGREES);
        assertThat(longer.checks().getFirst().left()).hasValue(Double.POSITIVE_INFINITY);
        assertThat(answer(claim(check(Metric.T90, "starved", Op.AT_MOST, 60)), starved())
                        .state())
                .isEqualTo(State.DISAGREES);
        assertThat(answer(claim(check(Metric.T90, "starved", Op.MORE, 61)), starved())
                        .missing())
                .containsExactly(
                        "t90(starved) > 61.0: a time that was not reached in the load may be any longer one, so this"
                                + " is not decided");

        assertThat(ofTimes(Op.LESS, 0.5)).as("20 s, and half of more than 60").isEqualTo(State.AGREES);
        assertThat(ofTimes(Op.LESS, 0.3)).as("20 s, and 0.3 of more than 60").isEqualTo(State.OPEN);
        assertThat(ofTimes(Op.MORE, 0.5)).isEqualTo(State.DISAGREES);
        assertThat(answer(
                                claim(new Check(
                                        figure(Metric.T90, "starved"),
                                        Op.MORE,
                                        new Figure(0.5, "0.5", "t90", "starved", Optional.empty()))),
                                starved())
                        .state())
                .as("both were not reached")
                .isEqualTo(State.OPEN);
        assertThat(answer(claim(check(Metric.T90, "fed", Op.AT_MOST, 25)), fed())
                        .state())
                .isEqualTo(State.AGREES);
    }

    private static State ofTimes(Op op, double factor) {
        return answer(
                        claim(new Check(
                                figure(Metric.T90, "fed"),
                                op,
                                new Figure(factor, "" + factor, "t90", "starved", Optional.empty()))),
                        starved(),
                        fed())
                .state();
    }

    /** After the pause it climbs on: its true peak is at least what was measured, and may be anything above it. */
    private static HandMade climbing() {
        double[] after =
                IntStream.range(0, 30).mapToDouble(second -> 500 + 20 * second).toArray();
        return new HandMade("climbing", 1).load("warmup", 10, seconds(60, 400)).load("measure", 90, after);
    }

    @Test
    void aLowerBoundDecidesInOneDirectionOnly() {
        ClaimResult above = answer(claim(check(Metric.PEAK, "climbing", Op.MORE, 600)), climbing());
        assertThat(above.state()).isEqualTo(State.AGREES);
        assertThat(answer(claim(check(Metric.PEAK, "climbing", Op.AT_MOST, 600)), climbing())
                        .state())
                .isEqualTo(State.DISAGREES);

        for (Op op : List.of(Op.AT_MOST, Op.LESS, Op.MORE, Op.AT_LEAST)) {
            ClaimResult open = answer(claim(check(Metric.PEAK, "climbing", op, 1000)), climbing());
            assertThat(open.state()).as(op.text()).isEqualTo(State.OPEN);
            assertThat(open.checks().getFirst().open()).isTrue();
            assertThat(open.missing())
                    .singleElement()
                    .asString()
                    .startsWith("peak of climbing is a lower bound, so this is not decided: throughput was");
        }
        ClaimResult right = answer(
                claim(new Check(figure(Metric.END_OF_WARMUP, "climbing"), Op.LESS, figure(Metric.PEAK, "climbing"))),
                climbing());
        assertThat(right.state()).as("a higher peak leaves it true").isEqualTo(State.AGREES);
    }

    @Test
    void theMedianOverRunsIsTaken() {
        ClaimResult middle = answer(
                claim(check(Metric.END_OF_WARMUP, "a", Op.AT_MOST, 500)),
                measured("a", 1000, seconds(60, 400)),
                measured("a", 1000, seconds(60, 500)).numbered(2),
                measured("a", 1000, seconds(60, 900)).numbered(3));

        assertThat(middle.checks().getFirst().left()).hasValue(500);
    }

    private static HandMade[] peaking(String variant, double... peaks) {
        HandMade[] runs = new HandMade[peaks.length];
        for (int i = 0; i < peaks.length; i++) {
            runs[i] = measured(variant, peaks[i], then(seconds(20, 300), seconds(40, peaks[i])))
                    .numbered(i + 1);
        }
        return runs;
    }

    @Test
    void peaksThatDifferFromRunToRunDecideOnlyBeyondThat() {
        Claim close = claim(check(Metric.PEAK, "fed", Op.MORE, 1000));
        ClaimResult open = answer(close, peaking("fed", 900, 1050, 1250));
        assertThat(open.state()).isEqualTo(State.OPEN);
        assertThat(open.missing().getFirst()).contains("by the runs' interval, so this is not decided");
        // The reference peak of these runs, as the report has it.
        assertThat(open.checks().getFirst().left().orElseThrow()).isCloseTo(1057, within(1.0));
        assertThat(answer(close, peaking("fed", 1200, 1250, 1300)).state()).isEqualTo(State.AGREES);
        assertThat(answer(close, peaking("fed", 700, 720, 740)).state()).isEqualTo(State.DISAGREES);
    }

    @Test
    void theRatioIsOfTheLeftSideToTheRightOne() {
        HandMade[] runs = Stream.of(peaking("fed", 1190, 1200, 1210), peaking("slow", 595, 600, 605))
                .flatMap(Stream::of)
                .toArray(HandMade[]::new);
        ClaimResult twice =
                answer(claim(new Check(figure(Metric.PEAK, "fed"), Op.MORE, figure(Metric.PEAK, "slow"))), runs);
        assertThat(twice.checks().getFirst().ratio().orElseThrow())
                .satisfies(ratio -> assertThat(ratio.lo()).isBetween(1.93, 1.99))
                .satisfies(ratio -> assertThat(ratio.hi()).isBetween(2.01, 2.07));
        ClaimResult half =
                answer(claim(new Check(figure(Metric.PEAK, "slow"), Op.LESS, figure(Metric.PEAK, "fed"))), runs);
        assertThat(half.checks().getFirst().ratio().orElseThrow().hi()).isBetween(0.5, 0.52);
    }

    /** The level that was held before the end is the peak, and the interval is of that. */
    @Test
    void theIntervalIsOfThePeaksThatTheReportHas() {
        HandMade[] held = new HandMade[3];
        for (int i = 0; i < held.length; i++) {
            double[] warmup = then(then(seconds(20, 300), seconds(40, 1200 + i)), seconds(20, 900));
            held[i] = measured("fed", 900, warmup).numbered(i + 1);
        }
        ClaimResult peak = answer(claim(check(Metric.PEAK, "fed", Op.MORE, 1000)), held);
        assertThat(peak.state()).isEqualTo(State.AGREES);
        assertThat(peak.checks().getFirst().ratio().orElseThrow().lo()).isGreaterThan(1.1);
    }

    @Test
    void whereATimeWasNeverReachedAllRunsMustAgree() {
        Claim soon = claim(check(Metric.T90, "fed", Op.AT_MOST, 30));
        HandMade never = measured("fed", 1200, seconds(60, 400)).numbered(3);
        ClaimResult divided = answer(soon, fed(), fed().numbered(2), never);
        assertThat(divided.state()).isEqualTo(State.OPEN);
        assertThat(divided.missing())
                .containsExactly("t90(fed) <= 30.0: some runs say yes and others no, so this is not decided");
        HandMade[] alike = {never, measured("fed", 1200, seconds(60, 500)).numbered(4)};
        assertThat(answer(soon, alike).state()).isEqualTo(State.DISAGREES);
    }

    @Test
    void aRefutedCheckOutweighsOneThatCannotBeSeen() {
        assertThat(answer(
                                claim(
                                        check(Metric.C2_QUEUE, "fed", Op.MORE, 3000),
                                        check(Metric.PEAK, "fed", Op.LESS, 1)),
                                fed())
                        .state())
                .isEqualTo(State.DISAGREES);
    }

    @Test
    void whatWasDoneToARunIsAFootnote() {
        AotUse used = new AotUse(
                "app.aot",
                "traffic",
                true,
                OptionalLong.of(14_000),
                Optional.of(false),
                Optional.empty(),
                Optional.of(new Treatment.AotTraining(23_100_000_000L, 9_800_000_000L, 92_000_000)),
                Optional.of(0.836));
        HandMade made = fed().treated(new Treatment(List.of("xbatch", "cpus: 1"), List.of(), Optional.of(used)));

        assertThat(HandMade.assess(made, starved()).footnotes())
                .contains(
                        "modified: xbatch, cpus: 1 (run fed 1)",
                        "AOT cache used, trained by traffic (recorded in 23.1 s, created in 9.8 s, 92 MB); its"
                                + " training data is not replayed (run fed 1)",
                        "of the samples of the hottest methods, in methods whose profile the AOT cache has: fed 84 %");
        assertThat(answer(claim(check(Metric.AOT_CLASSES, "fed", Op.MORE, 10_000)), made)
                        .state())
                .isEqualTo(State.AGREES);
        assertThat(answer(claim(check(Metric.AOT_COVERAGE, "fed", Op.MORE, 83.5)), made)
                        .state())
                .isEqualTo(State.AGREES);
    }
}
