package dev.kiln.explain;

import static dev.kiln.explain.HandMade.assess;
import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.model.Provenance;
import dev.kiln.model.RunInfo.Outcome;
import dev.kiln.model.ThreadRole;
import dev.kiln.stats.Analysed;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.CooldownJump;
import dev.kiln.stats.Deficit;
import dev.kiln.stats.NotEnoughData;
import dev.kiln.stats.ReferencePeak;
import dev.kiln.stats.SteadyClass;
import dev.kiln.stats.TimeToPeak;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AssessmentTest {
    @Test
    void onlyAnImportIsOneWhoeverSentTheLoad() {
        HandMade made = measured("a", 1000, seconds(60, 1000));
        made.provenance = Optional.of(new Provenance(
                List.of("wrk"),
                new Provenance.Bins(1_000_000_000L, false, Provenance.Kind.TIME),
                false,
                false,
                true,
                OptionalLong.empty(),
                List.of()));
        assertThat(only(assess(made)).imported()).isFalse();
        made.command = List.of();
        assertThat(only(assess(made)).imported()).isTrue();
    }

    @Test
    void aStepIsTimedAgainstThePeakAfterThePause() {
        RunResult run = only(assess(measured("a", 1000, then(seconds(20, 500), seconds(40, 1000)))));

        assertThat(run.valid()).isTrue();
        assertThat(time(run, 50)).hasValue(0);
        assertThat(time(run, 90)).hasValue(20);
        assertThat(time(run, 99)).hasValue(20);
        Deficit deficit = run.deficit().orElseThrow();
        assertThat(deficit.requests()).isEqualTo(50_000);
        assertThat(deficit.deficitSeconds()).isCloseTo(10, within(1e-9));
        assertThat(deficit.efficiency()).isCloseTo(50 / 60.0, within(1e-9));
        assertThat(run.cooldownJump().map(CooldownJump::ratio)).contains(1.0);
        assertThat(run.warmup())
                .isInstanceOfSatisfying(
                        Analysed.class,
                        warmup -> assertThat(warmup.steadyClass()).isEqualTo(SteadyClass.WARMUP));
        assertThat(run.requests()).isEqualTo(70_000);
        assertThat(run.errors().total()).isZero();
        assertThat(run.endOfWarmup()).hasValue(1000);
        assertThat(run.startSeconds()).hasValue(8);
        assertThat(run.firstResponseSeconds()).hasValue(9);
        assertThat(run.phases())
                .containsExactly(
                        new RunResult.PhaseSummary(
                                "warmup",
                                true,
                                10,
                                60,
                                50_000,
                                50_000 / 60.0,
                                Optional.empty(),
                                OptionalDouble.empty()),
                        new RunResult.PhaseSummary(
                                "pause", false, 70, 15, 0, 0, Optional.empty(), OptionalDouble.empty()),
                        new RunResult.PhaseSummary(
                                "measure", true, 85, 20, 20_000, 1000, Optional.empty(), OptionalDouble.empty()));
    }

    @Test
    void aPlateauBelowThePeakNeverReachesIt() {
        RunResult run = only(assess(measured("a", 1000, seconds(60, 500))));

        assertThat(time(run, 50)).hasValue(0);
        assertThat(time(run, 90)).isEmpty();
        assertThat(run.timeToReferencePeak().get(90))
                .extracting(TimeToPeak::censored)
                .isEqualTo(true);
        assertThat(run.cooldownJump().map(CooldownJump::ratio)).contains(2.0);
        assertThat(run.deficit().orElseThrow().deficitSeconds()).isCloseTo(30, within(1e-9));
    }

    @Test
    void cyclesAreOneSeriesWithoutTheirPauses() {
        RunResult run = only(assess(cycles()));

        assertThat(time(run, 50)).hasValue(15);
        assertThat(time(run, 90)).as("of load, pauses left out").hasValue(30);
        assertThat(run.deficit().map(Deficit::requests)).contains(15 * 400.0 + 15 * 700 + 15 * 1000);
        assertThat(run.warmup())
                .isInstanceOfSatisfying(
                        NotEnoughData.class,
                        missing -> assertThat(missing.binsNeeded()).isEqualTo(15));
        assertThat(run.curves().load())
                .extracting(Curves.LoadPoint::second)
                .startsWith(0.0, 1.0)
                .contains(14.0, 30.0, 44.0, 60.0, 74.0, 90.0, 109.0)
                .doesNotContain(15.0, 29.0, 45.0, 75.0)
                .hasSize(65);
    }

    static HandMade cycles() {
        return new HandMade("a", 1)
                .load("warmup-1", 10, seconds(15, 400))
                .pause("pause-1", 15)
                .load("warmup-2", 40, seconds(15, 700))
                .pause("pause-2", 15)
                .load("warmup-3", 70, seconds(15, 1000))
                .pause("pause-3", 15)
                .load("measure", 100, seconds(20, 1000));
    }

    @Test
    void theReferenceIsTheGeometricMeanOfValidRuns() {
        HandMade second = new HandMade("a", 2)
                .load("warmup", 10, seconds(60, 1210))
                .pause("pause", 15)
                .load("measure", 85, seconds(20, 1210));
        HandMade failed = new HandMade("a", 3)
                .load("warmup", 10, seconds(60, 9000))
                .pause("pause", 15)
                .load("measure", 85, seconds(12, 9000))
                .ended(Outcome.TARGET_FAILED, "the target exited with code 1");
        VariantResult variant = assess(measured("a", 1000, seconds(60, 1000)), second, failed)
                .variants()
                .getFirst();

        assertThat(variant.referencePeak()).hasValueSatisfying(peak -> {
            assertThat(peak.value()).isCloseTo(1100, within(1e-6));
            assertThat(peak.runs()).isEqualTo(2);
            assertThat(peak.lowerBound()).isFalse();
        });
        assertThat(variant.runs()).extracting(RunResult::valid).containsExactly(true, true, false);
        assertThat(variant.runs().get(2).invalidReasons())
                .containsExactly("the target failed: the target exited with code 1");
        assertThat(time(variant.runs().get(2), 90))
                .as("its figures are still told")
                .hasValue(0);
    }

    @Test
    void aPeakMeasuredBesideAStarvedCompilerIsALowerBound() {
        assertThat(reference(0.04, 0.95).lowerBound()).isTrue();
        assertThat(reference(0.04, 0.95).whyLowerBound()).isEqualTo("C2 still waited for a CPU after the pause");
        assertThat(reference(0.04, 0.02).lowerBound()).isFalse();
        assertThat(reference(0.04, 0.02).whyLowerBound()).isEmpty();
    }

    @Test
    void aMeasuringPhaseThatClimbsIsALowerBoundAndSaysByHowMuch() {
        double[] climbing = new double[30];
        for (int i = 0; i < climbing.length; i++) {
            climbing[i] = 600 + 15 * i;
        }
        HandMade made = new HandMade("a", 1)
                .load("warmup", 10, seconds(60, 500))
                .pause("pause", 15)
                .load("measure", 85, climbing);
        ExperimentResult result = assess(made);
        VariantResult variant = result.variants().getFirst();

        assertThat(variant.referencePeak()).hasValueSatisfying(peak -> {
            assertThat(peak.lowerBound()).isTrue();
            assertThat(peak.whyLowerBound()).isEqualTo("throughput was still climbing in the load after the pause");
        });
        assertThat(result.footnotes())
                .contains(
                        "still climbing in the load after the pause: from 670 req/s in its first third to 970 in its last");
    }

    @Test
    void aPlateauKnownByThroughputAloneIsSetBesideItsSiblings() {
        ExperimentResult result = assess(
                measured("spring-jvm", 1000, seconds(60, 1000)),
                measured("spring-aot", 300, seconds(60, 300)),
                measured("quarkus-jvm", 2000, seconds(60, 2000)));

        assertThat(FarBelow.of(result.variants().get(1), result.variants()).map(FarBelow::title))
                .contains("far below the reference, 30 % of what spring-jvm reached");
        assertThat(FarBelow.of(result.variants().get(0), result.variants())).isEmpty();
        assertThat(result.footnotes())
                .filteredOn(note -> note.contains("far below"))
                .singleElement()
                .asString()
                .startsWith("spring-aot peaked by throughput alone, far below the reference: 300 req/s is 30 %");
    }

    private static ReferencePeak reference(double cpu, double wait) {
        HandMade run = measured("a", 1000, seconds(60, 1000));
        for (int second = 0; second <= 30; second++) {
            run.thread(80 + second, 7, "C2 CompilerThre", ThreadRole.C2, 10 + cpu * second, 20 + wait * second);
        }
        return assess(run).variants().getFirst().referencePeak().orElseThrow();
    }

    @Test
    void anInvalidRunAloneStillHasAScale() {
        VariantResult variant = assess(measured("a", 1000, seconds(60, 1000)).ended(Outcome.LAB_FAILED, "disk full"))
                .variants()
                .getFirst();

        assertThat(variant.referencePeak().map(ReferencePeak::value))
                .hasValueSatisfying(value -> assertThat(value).isCloseTo(1000, within(1e-6)));
        assertThat(variant.runs().getFirst().invalidReasons()).containsExactly("the lab failed: disk full");
    }

    @Test
    void anInterruptedWarmUpHasNoMeasuringPhase() {
        HandMade made = new HandMade("a", 1)
                .load("warmup", 10, seconds(30, 800))
                .planned("measure", 20)
                .ended(Outcome.INTERRUPTED, "");
        RunResult run = only(assess(made));

        assertThat(run.invalidReasons()).containsExactly("interrupted");
        assertThat(run.measure()).isEmpty();
        assertThat(run.timeToReferencePeak()).isEmpty();
        assertThat(run.deficit()).as("too short for a peak of its own").isEmpty();
        assertThat(run.requests()).isEqualTo(24_000);
        assertThat(run.endOfWarmup()).hasValue(800);
    }

    @Test
    void aProtocolWithoutMeasuringHasOnlyItsOwnPeak() {
        RunResult run =
                only(assess(new HandMade("a", 1).load("warmup", 10, then(seconds(20, 500), seconds(60, 1000)))));

        assertThat(run.valid()).isTrue();
        assertThat(run.timeToReferencePeak()).isEmpty();
        assertThat(run.deficit().map(Deficit::deficitSeconds)).contains(10.0);
    }

    @Test
    void aRunThatNeverCameToLoadIsToldAsSuch() {
        RunResult run = only(assess(new HandMade("a", 1).ended(Outcome.TARGET_FAILED, "the target was not ready")));

        assertThat(run.invalidReasons())
                .containsExactly("the target failed: the target was not ready", "no whole second of load was recorded");
        assertThat(run.requests()).isZero();
        assertThat(run.warmup().bins()).isZero();
        assertThat(run.deficit()).isEmpty();
        assertThat(run.startSeconds()).isEmpty();
        assertThat(run.endOfWarmup()).isEmpty();
        assertThat(run.phases()).isEmpty();
        assertThat(run.curves().load()).isEmpty();
    }

    @Test
    void noRunAtAll() {
        ExperimentResult nothing = new Assessment(AnalysisConfig.defaults()).result("none");

        assertThat(nothing.variants()).isEmpty();
        assertThat(nothing.how()).isEmpty();
        assertThat(nothing.conclusion()).isEqualTo("Nothing was recorded.");
    }

    @Test
    void oneBadBinCountsOnlyNearTheTimeThatIsRead() {
        double[] warmup = then(seconds(20, 500), seconds(80, 1000));

        RunResult near = only(assess(measured("a", 1000, warmup).spoil("warmup", 33, 0, 300)));
        RunResult far = only(assess(measured("a", 1000, warmup).spoil("warmup", 50, 0, 300)));

        assertThat(time(near, 90)).hasValue(20);
        assertThat(near.invalidReasons()).containsExactly("invalid bins [23] within 5 s of the reported time 20 s");
        assertThat(far.invalidReasons()).isEmpty();
    }

    @Test
    void theTimeStandsBesideItsNoise() {
        double[] noisy = new double[60];
        for (int i = 0; i < noisy.length; i++) {
            noisy[i] = i % 2 == 0 ? 900 : 1100;
        }
        RunResult run = only(assess(measured("a", 1000, noisy)));

        assertThat(Optional.ofNullable(run.timeToReferencePeak().get(50)).map(TimeToPeak::resolvable))
                .contains(true);
        assertThat(Optional.ofNullable(run.timeToReferencePeak().get(90)).map(TimeToPeak::resolvable))
                .contains(false);
    }

    private static RunResult only(ExperimentResult result) {
        List<RunResult> runs = result.variants().getFirst().runs();
        assertThat(runs).hasSize(1);
        return runs.getFirst();
    }

    private static OptionalDouble time(RunResult run, int percent) {
        return Optional.ofNullable(run.timeToReferencePeak().get(percent))
                .orElseThrow()
                .seconds();
    }
}
