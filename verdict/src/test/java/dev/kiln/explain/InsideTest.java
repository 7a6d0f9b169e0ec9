package dev.kiln.explain;

import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.MemorySample;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Zero is the first request, which the hand-made runs send ten seconds after launch. */
class InsideTest {
    private static JitSample queue(double at, int c1, int c2) {
        return JitSample.at(nanos(at)).queues(OptionalInt.of(c1), OptionalInt.of(c2));
    }

    private static Inside inside(HandMade made) {
        return made.digest().curves().inside();
    }

    @Test
    void nothingRecordedIsNothingShown() {
        assertThat(inside(measured("a", 1000, seconds(60, 500)))).isEqualTo(Inside.NOTHING);
    }

    @Test
    void ofTenSamplesASecondTheLastIsShown() {
        HandMade made = measured("a", 1000, seconds(60, 500));
        made.jit.add(queue(9.5, 3, 100));
        made.jit.add(queue(10.1, 2, 400));
        made.jit.add(queue(10.9, 1, 900));
        made.jit.add(JitSample.at(nanos(11.2)).queues(OptionalInt.empty(), OptionalInt.of(950)));

        assertThat(inside(made).jit().queues())
                .containsExactly(
                        new Inside.Queue(-0.5, 3, 100),
                        new Inside.Queue(0.9, 1, 900),
                        new Inside.Queue(1.2, Double.NaN, 950));
    }

    /** The load is from 10 to 70 s. What a method was before and after it does not count. */
    @Test
    void hotMethodsAreThoseOfTheFirstLoad() {
        HandMade made = measured("a", 1000, seconds(60, 500));
        made.flight = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(
                                new FlightDigest.Work("org.hibernate", 8, 1, nanos(2), "org.hibernate.A.a", nanos(1)),
                                new FlightDigest.Work("JDK", 12, 0, nanos(3), "java.lang.A.a", nanos(1)))),
                new FlightDigest.FlightCollector(List.of(), List.of()),
                new FlightDigest.FlightSamples(
                        List.of(),
                        List.of(
                                new HotMethod(nanos(0), "a.A.a", 90, 0, 0, 0, 0),
                                new HotMethod(nanos(10), "a.A.a", 10, 20, 0, 3, 0),
                                new HotMethod(nanos(20), "a.B.b", 5, 0, 0, 0, 0),
                                new HotMethod(nanos(60), "a.A.a", 0, 4, 6, 4, 0),
                                new HotMethod(nanos(20), "a.C.c", 3, 0, 0, 0, 0),
                                new HotMethod(nanos(60), "a.B.b", 0, 3, 2, 2, 0),
                                new HotMethod(nanos(90), "a.B.b", 0, 0, 50, 4, 0)),
                        List.of(),
                        List.of()),
                List.of()));

        assertThat(inside(made).code().hot())
                .containsExactly(
                        new Inside.Hot("a.A.a", 10, 24, 6, 4, false),
                        new Inside.Hot("a.B.b", 5, 3, 2, 2, true),
                        new Inside.Hot("a.C.c", 3, 0, 0, 0, false));
        assertThat(inside(made).jit().c2Work()).hasSize(2);
        assertThat(HandMade.assess(made).footnotes())
                .contains(
                        "a: time of C2's compilations by library, waits for a CPU included: JDK 60 %, org.hibernate 40 %; 1 of 20 compilations were of methods"
                                + " whose earlier C2 code had been thrown away");
    }

    /** It is none of the first load, however soon it follows. */
    @Test
    void whatTheClosingRecordingFoundStandsByItself() {
        HandMade made = measured("a", 1000, seconds(60, 500));
        made.closing = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(List.of(), List.of(), List.of(), List.of(), List.of()),
                new FlightDigest.FlightCollector(List.of(), List.of()),
                new FlightDigest.FlightSamples(
                        List.of(
                                new FlightDigest.TierShare(nanos(111), 40, 0, 0, 0, 0),
                                new FlightDigest.TierShare(nanos(112), 0, 0, 60, 0, 0)),
                        List.of(
                                new HotMethod(nanos(110), "a.A.a", 40, 0, 0, 0, 0),
                                new HotMethod(nanos(110), "a.B.b", 0, 0, 60, 4, 0)),
                        List.of(),
                        List.of()),
                List.of()));

        assertThat(inside(made).code().hot()).isEmpty();
        assertThat(inside(made).code().tiers()).isEmpty();
        assertThat(inside(made).closing())
                .contains(new Inside.InsideClosing(
                        101,
                        List.of(
                                new Inside.Hot("a.B.b", 0, 0, 60, 4, false),
                                new Inside.Hot("a.A.a", 40, 0, 0, 0, true))));
    }

    @Test
    void levelsAndCodeCacheComeAtTheirOwnRates() {
        HandMade made = measured("a", 1000, seconds(60, 500));
        made.jit.add(JitSample.at(nanos(12))
                .with(new JitState.CodeLevels(1, 2, 3, 4, OptionalInt.empty()))
                .with(new JitState.CodeCacheFill(60, 240, 0, 0, List.of())));

        assertThat(inside(made).code().levels()).containsExactly(new Inside.Levels(2, 1, 2, 3, 4));
        assertThat(inside(made).code().codeCache()).containsExactly(new Inside.CodeCache(2, 0.25));
        assertThat(inside(made).jit().queues()).isEmpty();
    }

    @Test
    void aRecordingTellsTheQueueWhereTheJvmWasNotAsked() {
        HandMade made = measured("a", 1000, seconds(60, 500));
        made.flight = Optional.of(HandMade.flight(new FlightDigest.FlightJit(
                List.of(),
                List.of(
                        new FlightDigest.QueueUse(nanos(11), "C1", 5, 9, 0, 0),
                        new FlightDigest.QueueUse(nanos(11), "C2", 700, 800, 0, 0)),
                List.of(),
                List.of(),
                List.of())));

        assertThat(inside(made).jit().queues()).containsExactly(new Inside.Queue(1, 5, 700));
    }

    @Test
    void samplesBecomeSharesAndLongCompilationsKeepTheirLength() {
        HandMade made = measured("a", 1000, seconds(60, 500));
        made.flight = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(
                        List.of(new FlightDigest.FlightCompilations(nanos(13), 4, 7, 1, nanos(9), nanos(4.5), "")),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of()),
                new FlightDigest.FlightCollector(List.of(), List.of()),
                new FlightDigest.FlightSamples(
                        List.of(
                                new FlightDigest.TierShare(nanos(12), 1, 4, 3, 2, 0),
                                new FlightDigest.TierShare(nanos(13), 0, 0, 0, 0, 0)),
                        List.of(),
                        List.of(),
                        List.of()),
                List.of()));

        assertThat(inside(made).code().tiers()).containsExactly(new Inside.Tiers(2, 0.1, 0.4, 0.3, 0.2, 0));
        assertThat(inside(made).jit().compilations()).containsExactly(new Inside.Compilations(3, 4, 7, 4500));
    }

    @Test
    void aQuietRecordingIsALineOfZeros() {
        HandMade made = measured("a", 1000, seconds(60, 500));
        made.flight = Optional.of(FlightDigest.EMPTY);

        assertThat(inside(made).jit().deoptimizations())
                .hasSize(10 + 60 + 15 + 20)
                .allMatch(d -> d.count() == 0)
                .first()
                .isEqualTo(new Inside.Deoptimizations(-10, 0));
        assertThat(inside(made).collector()).hasSize(105).allMatch(s -> s.millis() == 0);
    }

    @Test
    void pausesOfASecondAreAddedUp() {
        HandMade made = measured("a", 1000, seconds(60, 500));
        made.flight = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(
                        List.of(),
                        List.of(),
                        List.of(
                                new FlightDigest.FlightDeoptimizations(nanos(12.2), "class_check", "", 2),
                                new FlightDigest.FlightDeoptimizations(nanos(12.8), "unstable_if", "", 3)),
                        List.of(),
                        List.of()),
                new FlightDigest.FlightCollector(
                        List.of(
                                new FlightDigest.FlightPause(nanos(12.1), "Allocation Failure", nanos(0.02), ""),
                                new FlightDigest.FlightPause(nanos(12.6), "Allocation Failure", nanos(0.03), "")),
                        List.of()),
                new FlightDigest.FlightSamples(List.of(), List.of(), List.of(), List.of()),
                List.of()));

        assertThat(inside(made).collector()).contains(new Inside.Stopped(2, 50), new Inside.Stopped(3, 0));
        assertThat(inside(made).jit().deoptimizations()).contains(new Inside.Deoptimizations(2, 5));
    }

    @Test
    void countersGiveTheCollectorAndTheThrottlingOfEachInterval() {
        HandMade made = measured("a", 1000, seconds(60, 500));
        made.memory.add(new MemorySample(
                nanos(10),
                1,
                0,
                1,
                nanos(0.1),
                1,
                nanos(0.1),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty()));
        made.memory.add(new MemorySample(
                nanos(12),
                1,
                0,
                2,
                nanos(0.2),
                2,
                nanos(0.2),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty()));
        made.cgroup.add(new CgroupSample(nanos(10), 0, 0, 0));
        made.cgroup.add(new CgroupSample(nanos(10.5), 5, 4, nanos(0.2)));

        assertThat(inside(made).collector()).containsExactly(new Inside.Stopped(0, 50));
        assertThat(inside(made).throttled()).containsExactly(new Inside.Stopped(0, 400));
    }

    @Test
    void aRecordingTellsTheThrottlingThatCannotBeSeenFromOutside() {
        HandMade made = measured("a", 1000, seconds(60, 500));
        made.flight = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(List.of(), List.of(), List.of(), List.of(), List.of()),
                new FlightDigest.FlightCollector(List.of(), List.of()),
                new FlightDigest.FlightSamples(List.of(), List.of(), List.of(), List.of()),
                List.of(new CgroupSample(nanos(10), 0, 0, 0), new CgroupSample(nanos(12), 20, 9, nanos(0.6)))));

        assertThat(inside(made).throttled()).containsExactly(new Inside.Stopped(0, 300));
    }

    @Test
    void aProgramThatIsNoJvmHasNoCollector() {
        HandMade made = measured("a", 1000, seconds(60, 500));
        made.memory.add(new MemorySample(
                nanos(10), 1, 0, 0, 0, 0, 0, OptionalLong.empty(), Optional.empty(), Optional.empty()));
        made.memory.add(new MemorySample(
                nanos(11), 1, 0, 0, 0, 0, 0, OptionalLong.empty(), Optional.empty(), Optional.empty()));

        assertThat(inside(made).collector()).isEmpty();
    }
}
