package dev.kiln.explain;

import static dev.kiln.explain.HandMade.assess;
import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.TargetCpu.CpuPoint;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.model.load.Latency.Histogrammed;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.HeapChange;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Fall;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Zero of all curves is the first request, which the hand-made runs send ten seconds after launch. */
class CurvesTest {
    /** A disk that holds up the writer makes bins grow. What they hold belongs to all of their seconds. */
    @Test
    void aBinOfSeveralSecondsIsSpreadOverThem() {
        List<LoadBin> bins = List.of(
                new LoadBin("warmup", 0, 1_000_000_000L, 100, 100, LoadBin.Errors.NONE, 0, 0),
                new LoadBin(
                        "warmup", 1_000_000_000L, 3_500_000_000L, 250, 250, new LoadBin.Errors(0, 0, 5, 0, 0), 0, 7),
                new LoadBin("warmup", 3_500_000_000L, 4_000_000_000L, 50, 50, LoadBin.Errors.NONE, 0, 0));

        LoadSeries series = LoadSeries.of("warmup", bins);

        assertThat(series.completed()).containsExactly(100, 100, 100, 100);
        assertThat(series.errors()).containsExactly(0, 2, 2, 1);
        assertThat(series.lagNanos()).containsExactly(0, 7, 7, 7);
    }

    private static LatencyInterval latency(String phase, double start, long p50Millis, long p99Millis) {
        return new LatencyInterval(
                phase,
                nanos(start),
                nanos(start + 1),
                new Quantiles(100, p50Millis * 1_000_000, p99Millis * 1_000_000, 0));
    }

    @Test
    void aSecondHasItsLatencyAndErrors() {
        HandMade made = measured("a", 1000, seconds(60, 500)).spoil("warmup", 12.3, 4, 0);
        made.latency.add(latency("warmup", 10.0004, 20, 90));
        made.latency.add(latency("warmup", 11.9996, 10, 40));
        made.latency.add(latency("measure", 85, 5, 9));

        List<Curves.LoadPoint> points = made.digest().curves().load();

        assertThat(points).hasSize(80);
        assertThat(points.get(0))
                .isEqualTo(new Curves.LoadPoint(
                        "warmup", 0, 500, new Curves.SecondTimes(20, Double.NaN, 90, Double.NaN), 0));
        assertThat(points.get(1))
                .isEqualTo(new Curves.LoadPoint(
                        "warmup", 1, 500, new Curves.SecondTimes(Double.NaN, Double.NaN, Double.NaN, Double.NaN), 0));
        assertThat(points.get(2))
                .isEqualTo(new Curves.LoadPoint(
                        "warmup", 2, 500, new Curves.SecondTimes(10, Double.NaN, 40, Double.NaN), 4));
        assertThat(points.get(60))
                .isEqualTo(new Curves.LoadPoint(
                        "measure", 75, 1000, new Curves.SecondTimes(5, Double.NaN, 9, Double.NaN), 0));
    }

    /** The slowest of 999 requests would be their p99.9. */
    @Test
    void aPercentileOfTooFewRequestsIsNotKnown() {
        HandMade made = measured("a", 1000, seconds(60, 500));
        long[] counts = {1000, 999, 19};
        for (int i = 0; i < counts.length; i++) {
            made.latency.add(new LatencyInterval(
                    "warmup",
                    nanos(10 + i),
                    nanos(11 + i),
                    new Quantiles(counts[i], 5_000_000, 20_000_000, 90_000_000),
                    0,
                    Optional.of(new Histogrammed(6e6, 12_000_000, 70_000_000))));
        }

        assertThat(made.digest().curves().load().subList(0, 4))
                .extracting(Curves.LoadPoint::times)
                .containsExactly(
                        new Curves.SecondTimes(5, 12, 20, 70),
                        new Curves.SecondTimes(5, 12, 20, Double.NaN),
                        new Curves.SecondTimes(5, Double.NaN, 20, Double.NaN),
                        new Curves.SecondTimes(Double.NaN, Double.NaN, Double.NaN, Double.NaN));
    }

    @Test
    void compilersAreShownFromTheLaunchOn() {
        HandMade made = measured("a", 1000, seconds(60, 500))
                .thread(0.5, 7, "C2 CompilerThre", ThreadRole.C2, 0.25, 0)
                .thread(1, 7, "C2 CompilerThre", ThreadRole.C2, 0.5, 0.125)
                .thread(2, 7, "C2 CompilerThre", ThreadRole.C2, 0.75, 0.875)
                .thread(2, 8, "C1 CompilerThre", ThreadRole.C1, 0.375, 0.25)
                .thread(3, 7, "C2 CompilerThre", ThreadRole.C2, 0.75, 1.875);
        made.compiler.add(new CompilerSample(nanos(1), 100, 0, 0, 0, 0, 0));
        made.compiler.add(new CompilerSample(nanos(1.9), 350, 0, 0, 0, 0, 0));
        made.compiler.add(new CompilerSample(nanos(2.5), 360, 0, 0, 7_000, 0, 0));

        assertThat(made.digest().curves().compiler())
                .as("the last of each second")
                .containsExactly(new Curves.CompilerPoint(-8.1, 350, 0), new Curves.CompilerPoint(-7.5, 360, 7_000));

        assertThat(made.digest().curves().jit())
                .containsExactly(
                        new Curves.JitPoint(-10, 0.5, 0.125),
                        new Curves.JitPoint(-9, 0.25, 0.75),
                        new Curves.JitPoint(-8, 0, 1));
    }

    @Test
    void userAndSystemTimeAreShownFromTheLaunchOn() {
        HandMade made = measured("a", 1000, seconds(60, 500)).part(0, "load", 0);
        for (double[] row : new double[][] {{0, 0, 0}, {1, 1.5, 0.25}, {3, 2, 0.75}, {3.004, 2, 0.76}, {4, 3, 0.76}}) {
            made.parts.add(new PartSample(
                    nanos(row[0]),
                    "target",
                    nanos(row[1] + row[2]),
                    0,
                    Optional.of(new PartSample.Modes(nanos(row[1]), nanos(row[2])))));
        }

        assertThat(made.digest().curves().modes())
                .as("the step of 10 ms in the 4 ms after the third row is no share of a CPU")
                .containsExactly(
                        new Curves.ModePoint(-10, 1.5, 0.25),
                        new Curves.ModePoint(-9, 0.25, 0.25),
                        new Curves.ModePoint(-7, 1, 0.01));
        assertThat(metered(measured("a", 1000, seconds(60, 500)))
                        .digest()
                        .curves()
                        .modes())
                .as("of evidence that does not have them")
                .isEmpty();
    }

    @Test
    void aProgramThatIsNoJvmHasNoCompilerCurve() {
        HandMade made = measured("a", 1000, seconds(60, 500))
                .thread(1, 1, "nginx", ThreadRole.OTHER, 1, 0)
                .thread(5, 1, "nginx", ThreadRole.OTHER, 4, 0);
        made.memory.add(new MemorySample(
                nanos(12.5), 4096, 0, 0, 0, 0, 0, OptionalLong.empty(), Optional.empty(), Optional.empty()));

        Curves curves = made.digest().curves();

        assertThat(curves.jit()).isEmpty();
        assertThat(curves.memory()).containsExactly(new Curves.MemoryPoint(2.5, 4096));
    }

    @Test
    void theLastPartialSecondIsLeftOut() {
        List<dev.kiln.model.load.LoadBin> bins = measured("a", 1000, 500, 500).evidence().load().stream()
                .filter(bin -> bin.phase().equals("warmup"))
                .limit(19)
                .toList();

        LoadSeries series = LoadSeries.of("warmup", bins);

        assertThat(series.startNanos()).isEqualTo(nanos(10));
        assertThat(series.completed()).containsExactly(500);
    }

    /** Rows stand at .4 of each second; the target uses 0.8 of a CPU under load and 0.3 in the pause. */
    private static HandMade metered(HandMade made) {
        double cpu = 0;
        for (int i = 0; i < 105; i++) {
            boolean pause = i >= 70 && i < 85;
            made.part(i + 0.4, "target", cpu).part(i + 0.4, "load", 2.0 * i).cpu(i + 0.41, 0, 0.9 * i, 0);
            // The rest of this second and the first 0.4 of the next.
            cpu += 0.6 * (pause ? 0.3 : 0.8) + 0.4 * (i + 1 >= 70 && i + 1 < 85 ? 0.3 : 0.8);
        }
        return made;
    }

    @Test
    void requestsAndCpuAreOfTheSameTime() {
        Curves curves = metered(measured("a", 1000, seconds(60, 500))).digest().curves();

        assertThat(curves.cpu())
                .allSatisfy(point -> assertThat(point.requestsPerCpuSecond())
                        .isCloseTo(point.phase().equals("measure") ? 1250 : 625, within(0.1)))
                .allSatisfy(point -> assertThat(point.used()).isCloseTo(0.8, within(1e-4)))
                .extracting(CpuPoint::second)
                .startsWith(0.0, 1.0)
                // The last row of the warm-up tells of 0.4 s of its last second.
                .contains(58.0, 75.0)
                .doesNotContain(59.0, 60.0, 74.0);
    }

    @Test
    void aSecondWithoutServiceIsNotTakenForSlowCode() {
        // Frozen in the 31st second: no request, and no CPU.
        HandMade made = new HandMade("a", 1)
                .load("warmup", 10, then(then(seconds(30, 1000), new double[] {0}), seconds(29, 1000)));
        for (int i = 0; i < 70; i++) {
            made.part(i + 0.5, "target", i < 40 ? i : i == 40 ? 39.5 : i - 1);
        }

        assertThat(made.digest().curves().cpu())
                .allSatisfy(point -> assertThat(point.requestsPerCpuSecond()).isCloseTo(1000, within(0.1)))
                .anySatisfy(point -> assertThat(point.used()).isCloseTo(0.5, within(1e-9)));
    }

    @Test
    void cpuThatWasNotRecordedOrNotWhileLoadWentHasNoCurve() {
        HandMade never = measured("a", 1000, seconds(60, 500));
        HandMade early =
                measured("a", 1000, seconds(60, 500)).part(1, "target", 1).part(9, "target", 9);
        HandMade seldom =
                measured("a", 1000, seconds(60, 500)).part(1, "target", 1).part(100, "target", 60);

        for (HandMade made : List.of(never, early, seldom)) {
            assertThat(made.digest().curves().cpu()).isEmpty();
        }
        assertThat(never.digest().served().phases())
                .allMatch(phase -> phase.cost().cpuPerRequestMicros().isEmpty());
    }

    @Test
    void aTargetThatHardlyUsesCpuHasNoYield() {
        HandMade made = new HandMade("a", 1).load("warmup", 10, seconds(10, 10));
        for (int i = 0; i <= 20; i++) {
            made.part(i, "target", 0.01 * i);
        }

        assertThat(made.digest().curves().cpu())
                .hasSize(10)
                .allMatch(point -> Double.isNaN(point.requestsPerCpuSecond()));
    }

    /** 100 and 300 requests a second, and collections at times that no bin begins with. */
    @Test
    void allocationIsWhatCameBetweenCollectionsOverTheRequestsOfThatTime() {
        HandMade made = measured("a", 300, seconds(60, 100));
        made.flight = Optional.of(flown(
                new HeapChange(nanos(9), 1, 1),
                new HeapChange(nanos(20.25), 90_000, 10_000),
                new HeapChange(nanos(30), 10_000 + 500L * 1024, 20_000),
                new HeapChange(nanos(40.25), 20_000 + 1_500L * 1024, 20_000),
                new HeapChange(nanos(75), 60_000, 10_000),
                new HeapChange(nanos(90), 10_000, 0)));

        List<ServedLoad.PhaseSummary> phases = made.digest().served().phases();

        assertThat(phases.get(0).cost().allocationPerRequest().orElseThrow()).isCloseTo(1, within(1e-9));
        assertThat(phases.get(1).cost().allocationPerRequest()).isEmpty();
        assertThat(phases.get(2).cost().allocationPerRequest())
                .as("one collection is between nothing")
                .isEmpty();
        assertThat(measured("a", 300, seconds(60, 100)).digest().served().phases())
                .allMatch(phase -> phase.cost().allocationPerRequest().isEmpty());
        assertThat(RunDigest.of(made.evidence().with(List.of(), List.of()), AnalysisConfig.defaults())
                        .served()
                        .phases())
                .as("other processes served part of the load")
                .allMatch(phase -> phase.cost().allocationPerRequest().isEmpty());
    }

    private static FlightDigest flown(HeapChange... heap) {
        return new FlightDigest(
                new FlightDigest.FlightJit(List.of(), List.of(), List.of(), List.of(), List.of()),
                new FlightDigest.FlightCollector(List.of(), List.of(heap)),
                new FlightDigest.FlightSamples(List.of(), List.of(), List.of(), List.of()),
                List.of());
    }

    @Test
    void cpuPerRequestIsThatOfThePhaseWithoutItsFirstSecond() {
        ExperimentResult result = assess(metered(measured("a", 1000, seconds(60, 500))));
        RunResult run = result.variants().getFirst().runs().getFirst();

        assertThat(run.phases().get(0).cost().cpuPerRequestMicros().orElseThrow())
                .isCloseTo(1600, within(0.1));
        assertThat(run.phases().get(1).cost().cpuPerRequestMicros()).isEmpty();
        assertThat(run.phases().get(2).cost().cpuPerRequestMicros().orElseThrow())
                .isCloseTo(800, within(0.1));
        assertThat(run.cpuPerRequestMicros().orElseThrow()).isCloseTo(800, within(0.1));
    }

    @Test
    void withoutAMeasuringPhaseCpuPerRequestIsThatOfTheEnd() {
        HandMade made = new HandMade("a", 1).load("warmup", 10, then(seconds(60, 500), seconds(20, 1000)));
        for (int i = 0; i < 95; i++) {
            made.part(i, "target", i);
        }

        RunResult run = assess(made).variants().getFirst().runs().getFirst();

        assertThat(run.cpuPerRequestMicros().orElseThrow()).isCloseTo(1000, within(1e-6));
    }

    @Test
    void aNeighbourIsToldFromSlowCodeOnTheCurves() {
        // From second 40 on another program has half of the CPU; it is never idle.
        HandMade made = new HandMade("a", 1).load("warmup", 10, then(seconds(40, 1000), seconds(20, 500)));
        for (int i = 0; i < 75; i++) {
            made.part(i, "target", i < 50 ? i : 50 + (i - 50) / 2.0).cpu(i, 0, i, 0);
        }
        Curves curves = made.digest().curves();

        assertThat(curves.fall(20, 40, 42, 60, 1)).hasValueSatisfying(fall -> {
            assertThat(fall.because()).isEqualTo(Fall.Because.MACHINE);
            assertThat(fall.lost()).isCloseTo(0.5, within(1e-9));
        });
        assertThat(curves.fall(42, 60, 20, 40, 1)).isEmpty();
    }
}
