package dev.kiln.explain.study;

import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.Claims.ClaimResult;
import dev.kiln.explain.study.Claims.ClaimResult.State;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Claim.Check;
import dev.kiln.model.experiment.Claim.Figure;
import dev.kiln.model.experiment.Claim.Number;
import dev.kiln.model.experiment.Claim.Op;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.Treatment.AotUse;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ClaimsTest {
    private static Claim claim(Check... checks) {
        return new Claim("claimed", "published", List.of(checks), Optional.empty());
    }

    private static Figure figure(Metric metric, String variant) {
        return new Figure(1, "", metric.id(), variant);
    }

    private static Check check(Metric metric, String variant, Op op, double number) {
        return new Check(figure(metric, variant), op, new Number(number, "" + number));
    }

    private static ClaimResult answer(Claim claim, HandMade... runs) {
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        for (HandMade run : runs) {
            assessment.add(run.evidence());
        }
        return assessment.result("by hand", List.of(claim)).claims().getFirst();
    }

    /** 400 requests/s until the pause and 1000 after it; then one that is at its peak after 20 s. */
    private static HandMade starved() {
        return measured("starved", 1000, seconds(60, 400));
    }

    private static HandMade fed() {
        return measured("fed", 1200, then(seconds(20, 300), seconds(40, 1200)));
    }

    @Test
    void figuresOfTwoVariantsAreHeldAgainstEachOther() {
        ClaimResult agrees = answer(
                claim(
                        new Check(
                                figure(Metric.END_OF_WARMUP, "starved"),
                                Op.LESS,
                                new Figure(0.7, "0.7", "peak", "starved")),
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

    @Test
    void aTimeThatIsNeverReachedIsLongerThanAny() {
        ClaimResult never = answer(claim(check(Metric.T90, "starved", Op.MORE, 1e9)), starved());
        assertThat(never.state()).isEqualTo(State.AGREES);
        assertThat(never.checks().getFirst().left()).hasValue(Double.POSITIVE_INFINITY);

        assertThat(answer(claim(check(Metric.T90, "fed", Op.AT_MOST, 25)), fed())
                        .state())
                .isEqualTo(State.AGREES);
    }

    /** After the pause it climbs on: its true peak is at least what was measured, and may be anything above it. */
    private static HandMade climbing() {
        double[] after = java.util.stream.IntStream.range(0, 30)
                .mapToDouble(second -> 500 + 20 * second)
                .toArray();
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
            assertThat(open.state()).as(op.text()).isEqualTo(State.NOT_OBSERVABLE);
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

    @Test
    void whatWasNotRecordedIsNotObservable() {
        ClaimResult none = answer(claim(check(Metric.C2_QUEUE, "fed", Op.MORE, 3000)), fed());
        assertThat(none.state()).isEqualTo(State.NOT_OBSERVABLE);
        assertThat(none.missing()).containsExactly("c2-queue of fed was not recorded");

        assertThat(answer(claim(check(Metric.PEAK, "other", Op.MORE, 1)), fed()).missing())
                .containsExactly("other was not run");
        assertThat(answer(new Claim("c", "", List.of(), Optional.of("no means")), fed()))
                .returns(State.NOT_OBSERVABLE, ClaimResult::state)
                .returns(List.of("no means"), ClaimResult::missing);
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
    void whatTheJvmToldIsReadInTheSecondHalfOfTheWarmUp() {
        HandMade made = fed();
        made.jit.add(jit(20, 9000, 10, 90));
        made.jit.add(jit(50, 3000, 90, 10));
        made.jit.add(jit(55, 3200, 90, 30));
        made.jit.add(jit(60, 3400, 60, 40));

        assertThat(answer(claim(check(Metric.C2_QUEUE, "fed", Op.MORE, 3000)), made)
                        .checks()
                        .getFirst()
                        .left())
                .hasValue(3200);
        assertThat(answer(claim(check(Metric.LEVEL3_SHARE, "fed", Op.LESS, 50)), made)
                        .checks()
                        .getFirst()
                        .left())
                .hasValue(25);
    }

    private static JitSample jit(double second, int queue, int level2, int level3) {
        return new JitSample(
                nanos(second),
                OptionalInt.of(0),
                OptionalInt.of(queue),
                Optional.of(new JitSample.Levels(5, level2, level3, 7)),
                Optional.empty());
    }

    @Test
    void switchesAreOfWorkersAndThreadsOfAll() {
        HandMade made = fed();
        for (int tid = 1; tid <= 3; tid++) {
            ThreadRole role = tid == 3 ? ThreadRole.C2 : ThreadRole.WORKER;
            String name = tid == 3 ? "C2 CompilerThre" : "http-nio-" + tid;
            made.thread(40, tid, name, role, 1, 1).thread(70, tid, name, role, 4, 2);
        }

        ClaimResult threads = answer(claim(check(Metric.BUSY_THREADS, "fed", Op.AT_LEAST, 3)), made);
        assertThat(threads.checks().getFirst().left()).hasValue(3);
        // Each thread of the fixture switches 100 times a second.
        assertThat(answer(claim(check(Metric.VOLUNTARY, "fed", Op.AT_LEAST, 99)), made)
                        .state())
                .isEqualTo(State.AGREES);
    }

    @Test
    void aRejectedCacheMakesTheRunInvalidAndNoFigureIsReadFromIt() {
        AotUse rejected = new AotUse(
                "app.aot", "startup", false, 0, Optional.of(true), Optional.of("Mismatched values for property x"));
        HandMade made = fed().treated(new Treatment(List.of(), List.of(), Optional.of(rejected)));

        assertThat(made.digest().invalidReasons())
                .containsExactly("the AOT cache was not used: Mismatched values for property x");
        ClaimResult start = answer(claim(check(Metric.START, "fed", Op.LESS, 100)), made);
        assertThat(start.state()).isEqualTo(State.NOT_OBSERVABLE);
        assertThat(start.missing())
                .containsExactly(
                        "no run of fed is valid: the AOT cache was not used: Mismatched values for property x");
    }

    @Test
    void whatWasDoneToARunIsAFootnote() {
        AotUse used = new AotUse(
                "app.aot",
                "traffic",
                true,
                14_000,
                Optional.of(false),
                Optional.empty(),
                Optional.of(new Treatment.AotTraining(23_100_000_000L, 9_800_000_000L, 92_000_000)));
        HandMade made = fed().treated(new Treatment(List.of("xbatch", "cpus: 1"), List.of(), Optional.of(used)));

        assertThat(HandMade.assess(made, starved()).footnotes())
                .contains(
                        "modified: xbatch, cpus: 1 (run fed 1)",
                        "AOT cache used, trained by traffic (recorded in 23.1 s, created in 9.8 s, 92 MB); its"
                                + " training data is not replayed (run fed 1)");
        assertThat(answer(claim(check(Metric.AOT_CLASSES, "fed", Op.MORE, 10_000)), made)
                        .state())
                .isEqualTo(State.AGREES);
    }
}
