package dev.kiln.explain.study;

import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static dev.kiln.explain.study.Claimed.answer;
import static dev.kiln.explain.study.Claimed.check;
import static dev.kiln.explain.study.Claimed.claim;
import static dev.kiln.explain.study.Claimed.figure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.ExperimentResult.ClaimResult.State;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Claim.Check;
import dev.kiln.model.experiment.Claim.Figure;
import dev.kiln.model.experiment.Claim.Op;
import dev.kiln.model.run.Course.Outcome;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A time is known to its bin: runs that agree to the second may differ by one, and one second more is no answer. */
class ClaimedTimesTest {
    /** Runs that come to their peak at the same second each. */
    private static Stream<HandMade> warmAt(String variant, int second, int runs) {
        return IntStream.rangeClosed(1, runs)
                .mapToObj(run -> measured(variant, 1200, then(seconds(second, 300), seconds(60 - second, 1200)))
                        .numbered(run));
    }

    private static ExperimentResult.ClaimResult sooner(double factor, int first, int second, int runs) {
        Figure left = new Figure(factor, "" + factor, Metric.T90.id(), "a", Optional.empty());
        return answer(
                claim(new Check(left, Op.LESS, figure(Metric.T90, "b"))),
                Stream.concat(warmAt("a", first, runs), warmAt("b", second, runs))
                        .toArray(HandMade[]::new));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aSecondMoreDecidesNothing(int runs) {
        assertThat(sooner(1.02, 20, 21, runs).state()).isEqualTo(State.OPEN);
        assertThat(sooner(1.02, 20, 23, runs).state()).isEqualTo(State.AGREES);
        assertThat(sooner(1.02, 23, 20, runs).state()).isEqualTo(State.DISAGREES);
        assertThat(sooner(2, 20, 41, runs).state())
                .as("twice a time is known to twice its bin")
                .isEqualTo(State.OPEN);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aNumberIsExactAndTheTimeIsNot(int runs) {
        HandMade[] all = warmAt("a", 20, runs).toArray(HandMade[]::new);
        Claim close = claim(check(Metric.T90, "a", Op.AT_MOST, 20.2));
        assertThat(answer(close, all).state()).isEqualTo(State.OPEN);
        assertThat(answer(claim(check(Metric.T90, "a", Op.AT_MOST, 20.6)), all).state())
                .isEqualTo(State.AGREES);
        assertThat(answer(claim(check(Metric.T90, "a", Op.AT_MOST, 19.4)), all).state())
                .isEqualTo(State.DISAGREES);
    }

    /** A run that does not count served so little that its bins were joined, and all times of its variant were known to these. */
    @Test
    void aRunThatDoesNotCountMakesNoTimeCoarser() {
        HandMade failed = measured("a", 3, then(seconds(20, 1), seconds(40, 3)))
                .numbered(4)
                .ended(Outcome.LAB_FAILED, "the load generator ended");
        Claim sooner = claim(new Check(
                new Figure(1.02, "1.02", Metric.T90.id(), "a", Optional.empty()), Op.LESS, figure(Metric.T90, "b")));
        assertThat(answer(
                                sooner,
                                Stream.concat(Stream.concat(warmAt("a", 20, 3), Stream.of(failed)), warmAt("b", 23, 3))
                                        .toArray(HandMade[]::new))
                        .state())
                .isEqualTo(State.AGREES);
    }

    @Test
    void oneRunSaysWhy() {
        assertThat(sooner(1, 20, 20, 1).missing())
                .containsExactly("1.0 * t90(a) < t90(b): times are known to 1 s, so this is not decided");
    }
}
