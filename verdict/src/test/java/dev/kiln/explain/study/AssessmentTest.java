package dev.kiln.explain.study;

import static dev.kiln.explain.HandMade.assess;
import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.Curves;
import dev.kiln.explain.HandMade;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.ServedLoad;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.Peak.PeakBound;
import dev.kiln.stats.series.SeriesAnalysis.WarmupCost;
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
                new Provenance.SourceBins(1_000_000_000L, false, Provenance.SourceKind.TIME),
                false,
                false,
                true,
                OptionalLong.empty(),
                List.of()));
        assertThat(only(assess(made)).caveats().imported()).isFalse();
        made.command = List.of();
        assertThat(only(assess(made)).caveats().imported()).isTrue();
    }

    @Test
    void aStepIsTimedAgainstThePeakAfterThePause() {
        RunResult run = only(assess(measured("a", 1000, then(seconds(20, 500), seconds(40, 1000)))));

        assertThat(run.valid()).isTrue();
        assertThat(time(run, 50)).hasValue(0);
        assertThat(time(run, 90)).hasValue(20);
        assertThat(time(run, 99)).hasValue(20);
        WarmupCost warmupCost = run.series().warmupCost().orElseThrow();
        assertThat(warmupCost.requests()).isEqualTo(50_000);
        assertThat(warmupCost.seconds().value()).isCloseTo(10, within(1e-9));
        assertThat(warmupCost.efficiency()).isCloseTo(50 / 60.0, within(1e-9));
        assertThat(jump(run)).isEqualTo(1);
        assertThat(run.requests()).isEqualTo(70_000);
        assertThat(run.errors().orElseThrow().total()).isZero();
        assertThat(run.endOfWarmup()).hasValue(1000);
        assertThat(run.since().ready()).hasValue(8);
        assertThat(run.since().firstResponse()).hasValue(9);
        assertThat(run.phases())
                .containsExactly(
                        new ServedLoad.PhaseSummary(
                                "warmup", true, 10, 60, 50_000, Optional.empty(), ServedLoad.PhaseCost.UNKNOWN),
                        new ServedLoad.PhaseSummary(
                                "pause", false, 70, 15, 0, Optional.empty(), ServedLoad.PhaseCost.UNKNOWN),
                        new ServedLoad.PhaseSummary(
                                "measure", true, 85, 20, 20_000, Optional.empty(), ServedLoad.PhaseCost.UNKNOWN));
        assertThat(run.phases())
                .extracting(ServedLoad.PhaseSummary::throughput)
                .containsExactly(50_000 / 60.0, 0.0, 1000.0);
    }

    @Test
    void aPlateauBelowThePeakNeverReachesIt() {
        RunResult run = only(assess(measured("a", 1000, seconds(60, 500))));

        assertThat(time(run, 50)).hasValue(0);
        assertThat(time(run, 90)).isEmpty();
        assertThat(run.series().time(90).orElseThrow().never()).isTrue();
        assertThat(jump(run)).isEqualTo(2);
        assertThat(run.series().warmupCost().orElseThrow().seconds().value()).isCloseTo(30, within(1e-9));
    }

    @Test
    void cyclesAreOneSeriesWithoutTheirPauses() {
        RunResult run = only(assess(HandMade.cycles()));

        assertThat(time(run, 50)).hasValue(15);
        assertThat(time(run, 90)).as("of load, pauses left out").hasValue(30);
        assertThat(run.series().warmupCost().map(WarmupCost::requests)).contains(15 * 400.0 + 15 * 700 + 15 * 1000);
        assertThat(run.curves().load())
                .extracting(Curves.LoadPoint::second)
                .startsWith(0.0, 1.0)
                .contains(14.0, 30.0, 44.0, 60.0, 74.0, 90.0, 109.0)
                .doesNotContain(15.0, 29.0, 45.0, 75.0)
                .hasSize(65);
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
                .containsExactly("the target failed: the target exited with code 1 (target.log has what it printed)");
        assertThat(time(variant.runs().get(2), 90))
                .as("its figures are still told")
                .hasValue(0);
    }

    @Test
    void aPeakMeasuredBesideAStarvedCompilerIsALowerBound() {
        assertThat(reference(0.04, 0.95).bounds()).containsExactly(PeakBound.STARVED);
        assertThat(reference(0.04, 0.95).why()).isEqualTo("C2 still waited for a CPU in the load after the pause");
        assertThat(reference(0.04, 0.02).lowerBound()).isFalse();
        assertThat(reference(0.04, 0.02).why()).isEmpty();
    }

    @Test
    void aMeasuringPhaseThatClimbsIsALowerBoundAndOneThatDeclinesNone() {
        double[] climbing = new double[30];
        for (int i = 0; i < climbing.length; i++) {
            climbing[i] = 600 + 15 * i;
        }
        HandMade made = new HandMade("a", 1)
                .load("warmup", 10, seconds(60, 500))
                .pause("pause", 15)
                .load("measure", 85, climbing);

        assertThat(assess(made).variants().getFirst().referencePeak())
                .hasValueSatisfying(peak -> assertThat(peak.bounds()).containsExactly(PeakBound.CLIMBING));
        for (int i = 0; i < climbing.length; i++) {
            climbing[i] = 600 - 8 * i;
        }
        ExperimentResult declining = assess(new HandMade("a", 1)
                .load("warmup", 10, seconds(60, 500))
                .pause("pause", 15)
                .load("measure", 85, climbing));
        assertThat(declining.variants().getFirst().referencePeak()).isEmpty();
        assertThat(declining.footnotes()).contains(Peak.Absence.DECLINES.text());
    }

    /** A run with a lower bound is held against the peak that another run of the variant found. */
    @Test
    void aLowerBoundGivesWayToAPeakThatWasFound() {
        HandMade bounded = starvedAfter(800, 0.04, 0.95).numbered(2);
        VariantResult variant = assess(measured("a", 1000, seconds(60, 1000)), bounded)
                .variants()
                .getFirst();

        assertThat(variant.referencePeak().map(Peak::value))
                .hasValueSatisfying(value -> assertThat(value).isCloseTo(1000, within(1e-6)));
        assertThat(variant.runs().get(1).series().peak().orElseThrow().value()).isCloseTo(1000, within(1e-6));
        assertThat(variant.runs().get(1).series().measured().orElseThrow().value())
                .isCloseTo(800, within(1e-6));
    }

    @Test
    void aPlateauKnownByThroughputAloneIsSetBesideItsSiblings() {
        ExperimentResult result = assess(
                measured("spring-jvm", 1000, seconds(60, 1000)),
                measured("spring-aot", 300, seconds(60, 300)),
                measured("quarkus-jvm", 2000, seconds(60, 2000)));

        assertThat(SiblingGap.of(result.variants().get(1), result.variants()).map(SiblingGap::title))
                .contains("far below what spring-jvm reached: 30 % of it");
        assertThat(SiblingGap.of(result.variants().get(0), result.variants())).isEmpty();
        assertThat(result.footnotes())
                .filteredOn(note -> note.contains("far below"))
                .singleElement()
                .asString()
                .startsWith("spring-aot peaked by throughput alone, far below another variant: 300 req/s is 30 %");
    }

    private static HandMade starvedAfter(double level, double cpu, double wait) {
        HandMade run = measured("a", level, seconds(60, level));
        for (int second = 0; second <= 30; second++) {
            run.thread(80 + second, 7, "C2 CompilerThre", ThreadRole.C2, 10 + cpu * second, 20 + wait * second);
        }
        return run;
    }

    private static Peak reference(double cpu, double wait) {
        return assess(starvedAfter(1000, cpu, wait))
                .variants()
                .getFirst()
                .referencePeak()
                .orElseThrow();
    }

    @Test
    void anInvalidRunAloneStillHasAScale() {
        VariantResult variant = assess(measured("a", 1000, seconds(60, 1000)).ended(Outcome.LAB_FAILED, "disk full"))
                .variants()
                .getFirst();

        assertThat(variant.referencePeak().map(Peak::value))
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

        assertThat(run.invalidReasons()).containsExactly("interrupted (run it again)");
        assertThat(run.series().peak()).isEmpty();
        assertThat(run.series().times()).isEmpty();
        assertThat(run.series().warmupCost()).isEmpty();
        assertThat(run.requests()).isEqualTo(24_000);
        assertThat(run.endOfWarmup()).hasValue(800);
    }

    @Test
    void aProtocolWithoutMeasuringHasOnlyItsOwnEnd() {
        RunResult run =
                only(assess(new HandMade("a", 1).load("warmup", 10, then(seconds(20, 500), seconds(60, 1000)))));

        assertThat(run.valid()).isTrue();
        assertThat(run.series().times()).isEmpty();
        assertThat(run.series().warmupCost()).isEmpty();
        assertThat(run.series().ownTimes().get(1).seconds()).hasValue(20);
    }

    @Test
    void aRunThatNeverCameToLoadIsToldAsSuch() {
        RunResult run = only(assess(new HandMade("a", 1).ended(Outcome.TARGET_FAILED, "the target was not ready")));

        assertThat(run.invalidReasons())
                .containsExactly(
                        "the target failed: the target was not ready (target.log has what it printed)",
                        "no whole second of load was recorded (give it a longer load)");
        assertThat(run.requests()).isZero();
        assertThat(run.series().bins()).isEmpty();
        assertThat(run.series().warmupCost()).isEmpty();
        assertThat(run.since().ready()).isEmpty();
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
    void binsThatWereJoinedAreSaid() {
        ExperimentResult few = assess(measured("a", 10, seconds(60, 10)));

        assertThat(only(few).series().binSeconds()).isEqualTo(2);
        assertThat(few.footnotes())
                .contains("analysed in bins of 2 s: shorter ones had fewer than 15 requests; times are known to 2 s");
    }

    private static RunResult only(ExperimentResult result) {
        List<RunResult> runs = result.variants().getFirst().runs();
        assertThat(runs).hasSize(1);
        return runs.getFirst();
    }

    private static OptionalDouble time(RunResult run, int percent) {
        return run.series().time(percent).orElseThrow().seconds();
    }

    private static double jump(RunResult run) {
        return run.series().jump().orElseThrow().ratio().value();
    }
}
