package dev.kiln.explain.study;

import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
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
import dev.kiln.explain.study.ExperimentResult.ClaimResult.Ratio;
import dev.kiln.explain.study.ExperimentResult.ClaimResult.State;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Claim.Check;
import dev.kiln.model.experiment.Claim.Op;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.PartSample.Modes;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.Treatment.AotUse;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which figure a claim reads of which part of a run, and when there is none. */
class ClaimedFiguresTest {
    @Test
    void aPeakThatNoRunHasIsNotObservable() {
        double[] falling =
                IntStream.range(0, 30).mapToDouble(s -> 1000 - 17.0 * s).toArray();
        HandMade made =
                new HandMade("fed", 1).load("warmup", 10, seconds(60, 400)).load("measure", 90, falling);
        ClaimResult none = answer(claim(check(Metric.PEAK, "fed", Op.MORE, 1e6)), made);
        assertThat(none.state()).isEqualTo(State.OPEN);
        assertThat(none.missing()).singleElement().asString().startsWith("fed has no peak: throughput declined");
    }

    /** At 95 % the interval of a peak whose width chose the number of runs holds in 92 %. */
    @Test
    void aPeakWhoseIntervalChoseTheRunsIsHeldAtItsLevel() {
        Claim more = claim(new Check(figure(Metric.PEAK, "new"), Op.MORE, figure(Metric.PEAK, "old")));
        HandMade[] runs = IntStream.rangeClosed(1, 3)
                .boxed()
                .flatMap(block -> Stream.of(
                        measured("old", 1000, seconds(60, 400)).numbered(block),
                        measured("new", 1100 + 10 * block, seconds(60, 400)).numbered(block)))
                .toArray(HandMade[]::new);
        Ratio fixed = answer(more, runs).checks().getFirst().ratio().orElseThrow();
        for (HandMade run : runs) {
            run.runs = new Runs(5, 10, OptionalDouble.of(0.05));
        }
        Ratio chosen = answer(more, runs).checks().getFirst().ratio().orElseThrow();

        assertThat(fixed.confidence()).isEqualTo(0.95);
        assertThat(chosen.confidence()).isCloseTo(0.97, within(1e-12));
        assertThat(chosen.lo()).isLessThan(fixed.lo());
        assertThat(chosen.hi()).isGreaterThan(fixed.hi());
    }

    @Test
    void aRunThatKilnRepeatedIsNotReadAgain() {
        HandMade spoiled = fed().numbered(1);
        spoiled.repeatedFor = List.of("the hypervisor took 10 % of the target's CPUs away");
        Claim started = claim(check(Metric.START, "fed", Op.MORE, 0.001));
        assertThat(answer(started, spoiled, fed().numbered(2))
                        .checks()
                        .getFirst()
                        .runs())
                .isEqualTo(1);
    }

    /** 300 requests/s for 20 s, 1200 for 40; a pause of 15 s; 1200 for 20. */
    @Test
    void aFigureCanBeOfAPartOfTheRun() {
        HandMade made = fed();
        for (int second = 0; second <= 110; second++) {
            // Busy until the load has begun for 20 s, then waiting; 10 compilations and 5 kB a second until then.
            double busy = Math.min(second, 30);
            made.thread(second, 7, "C2 CompilerThre", ThreadRole.C2, 0.8 * busy, 0.5 * Math.max(0, second - 85));
            made.compiler.add(
                    new CompilerSample(nanos(second), Math.round(10 * busy), 0, 0, Math.round(5_000 * busy), 0, 0));
            made.jit.add(
                    JitSample.at(nanos(second)).with(new JitState.CodeLevels(0, 0, 0, 7, OptionalInt.of(3 * second))));
            // Of the target's CPU the kernel has a fifth before the load, and half later; of Kiln's all.
            long system = nanos(0.2 * Math.min(second, 10) + 0.5 * Math.max(0, second - 10));
            made.parts.add(
                    new PartSample(nanos(second), "kiln", nanos(second), 0, Optional.of(new Modes(0, nanos(second)))));
            made.parts.add(new PartSample(
                    nanos(second), "target", nanos(second), 0, Optional.of(new Modes(nanos(second) - system, system))));
        }
        made.flight = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(
                        List.of(
                                new FlightCompilations(nanos(20), 4, 1, 0, nanos(3), nanos(3), ""),
                                new FlightCompilations(nanos(90), 4, 2, 0, nanos(13), nanos(12), "")),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of()),
                new FlightDigest.FlightCollector(List.of(), List.of()),
                new FlightDigest.FlightSamples(
                        List.of(
                                new TierShare(nanos(20), 5, 60, 5, 30, 0),
                                new TierShare(nanos(90), 0, 10, 5, 40, 0),
                                new TierShare(nanos(91), 0, 10, 5, 30, 0)),
                        List.of(),
                        List.of(),
                        List.of()),
                List.of()));
        assertThat(figure(made, Metric.C1_FRAMES, "warmup")).isEqualTo(60);
        assertThat(figure(made, Metric.INLINED_FRAMES, "measure")).isEqualTo(70);
        assertThat(figure(made, Metric.LONGEST_COMPILATION, "measure")).isEqualTo(12);
        assertThat(figure(made, Metric.THROUGHPUT, "warmup")).isCloseTo(900, within(1.0));
        assertThat(figure(made, Metric.THROUGHPUT, "first-half")).isCloseTo(600, within(1.0));
        assertThat(figure(made, Metric.THROUGHPUT, "0-20s")).isCloseTo(300, within(1.0));
        assertThat(figure(made, Metric.THROUGHPUT, "measure")).isCloseTo(1200, within(1.0));
        assertThat(figure(made, Metric.SYSTEM_CPU, "start-up")).isCloseTo(20, within(0.01));
        assertThat(figure(made, Metric.SYSTEM_CPU, "warmup")).isCloseTo(50, within(0.01));
        assertThat(figure(made, Metric.C2_CPU, "start-up")).isCloseTo(80, within(1.0));
        assertThat(figure(made, Metric.C2_CPU, "second-half")).isZero();
        assertThat(figure(made, Metric.C2_WAIT, "measure")).isCloseTo(50, within(1.0));
        assertThat(figure(made, Metric.COMPILATIONS, "start-up")).isEqualTo(100);
        assertThat(figure(made, Metric.COMPILATIONS, "warmup")).isEqualTo(200);
        assertThat(figure(made, Metric.CODE_GROWTH, "0-10s")).isEqualTo(5);
        assertThat(figure(made, Metric.NOT_ENTRANT, "start-up")).isEqualTo(30);
        assertThat(figure(made, Metric.NOT_ENTRANT, "0-10s")).isEqualTo(30);
        assertThat(figure(made, Metric.THROUGHPUT, "90-120s")).isNaN();
        assertThat(figure(made, Metric.C2_WAIT, "50-70s"))
                .as("part of it is pause")
                .isNaN();
        // Compilations that ended in the second after the part are not of it.
        assertThat(figure(made, Metric.LONGEST_COMPILATION, "0-10.5s")).isNaN();
        assertThat(figure(made, Metric.LONGEST_COMPILATION, "0-11s")).isEqualTo(3);
        made.load("measure-2", 120, seconds(20, 1300));
        assertThat(figure(made, Metric.THROUGHPUT, "measure"))
                .as("the last load")
                .isCloseTo(1300, within(1.0));
        assertThat(figure(made, Metric.THROUGHPUT, "after-pause")).isCloseTo(1200, within(1.0));
        assertThat(figure(
                        new HandMade("fed", 1).load("warmup", 10, seconds(60, 400)), Metric.THROUGHPUT, "after-pause"))
                .as("no load after a pause")
                .isNaN();
        Claim few = claim(check(Metric.COMPILATIONS_TO_T90, "fed", Op.AT_MOST, 300));
        assertThat(answer(few, made).checks().getFirst().left()).hasValue(300);
        assertThat(answer(few, made, measured("fed", 1200, seconds(60, 400)).numbered(2))
                        .missing())
                .containsExactly("not every run of fed came to 90 % of its peak in its first load");
    }

    @Test
    void systemTimeOfOlderEvidenceIsNotObservable() {
        HandMade older = fed();
        for (int second = 0; second <= 110; second++) {
            older.part(second, "target", 0.5 * second);
        }
        assertThat(figure(older, Metric.SYSTEM_CPU, "warmup")).isNaN();
    }

    @Test
    void whatWasNotRecordedIsNotObservable() {
        ClaimResult none = answer(claim(check(Metric.C2_QUEUE, "fed", Op.MORE, 3000)), fed());
        assertThat(none.state()).isEqualTo(State.OPEN);
        assertThat(none.missing()).containsExactly("c2-queue of fed was not recorded");

        assertThat(answer(claim(check(Metric.PEAK, "other", Op.MORE, 1)), fed()).missing())
                .containsExactly("other was not run");
        assertThat(answer(new Claim("c", "", List.of(), Optional.of("no means")), fed()))
                .returns(State.OPEN, ClaimResult::state)
                .returns(List.of("no means"), ClaimResult::missing);
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
        return JitSample.at(nanos(second))
                .queues(OptionalInt.of(0), OptionalInt.of(queue))
                .with(new JitState.CodeLevels(5, level2, level3, 7, OptionalInt.empty()));
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
                "app.aot",
                "startup",
                false,
                OptionalLong.of(0),
                Optional.of(true),
                Optional.of("Mismatched values for property x"),
                Optional.empty(),
                Optional.empty());
        HandMade made = fed().treated(new Treatment(List.of(), List.of(), Optional.of(rejected)));

        assertThat(made.digest().invalidReasons())
                .containsExactly("the AOT cache was not used: Mismatched values for property x");
        ClaimResult start = answer(claim(check(Metric.START, "fed", Op.LESS, 100)), made);
        assertThat(start.state()).isEqualTo(State.OPEN);
        assertThat(start.missing())
                .containsExactly(
                        "no run of fed is valid: the AOT cache was not used: Mismatched values for property x");
    }

    @Test
    void ofTheCacheOfAnotherVariantARejectionIsTheAnswer() {
        AotUse lent = new AotUse(
                "app.aot",
                "variant",
                false,
                OptionalLong.of(0),
                Optional.of(true),
                Optional.of("Mismatched values for property x"),
                Optional.empty(),
                Optional.empty());
        HandMade made = fed().treated(new Treatment(List.of(), List.of(), Optional.of(lent)));

        assertThat(made.digest().invalidReasons()).isEmpty();
        assertThat(answer(claim(check(Metric.AOT_CLASSES, "fed", Op.AT_MOST, 0)), made)
                        .state())
                .isEqualTo(State.AGREES);
        assertThat(answer(claim(check(Metric.AOT_CLASSES, "fed", Op.MORE, 0)), made)
                        .state())
                .isEqualTo(State.DISAGREES);
        assertThat(HandMade.assess(made, starved()).footnotes())
                .contains(
                        "the AOT cache of another variant was not used: Mismatched values for property x (run fed 1)");
    }
}
