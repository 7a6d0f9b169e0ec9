package dev.kiln.explain;

import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.CompilerSample;
import dev.kiln.model.LatencyInterval;
import dev.kiln.model.MemorySample;
import dev.kiln.model.ThreadRole;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Zero of all curves is the first request, which the hand-made runs send ten seconds after launch. */
class CurvesBuilderTest {
    private static LatencyInterval latency(String phase, double start, long p50Millis, long p99Millis) {
        return new LatencyInterval(
                phase, nanos(start), nanos(start + 1), 100, p50Millis * 1_000_000, p99Millis * 1_000_000, 0);
    }

    @Test
    void aSecondHasItsLatencyAndErrors() {
        HandMade made = measured("a", 1000, seconds(60, 500)).spoil("warmup", 12.3, 4, 0);
        made.latency.add(latency("warmup", 10.0004, 20, 90));
        made.latency.add(latency("warmup", 11.9996, 10, 40));
        made.latency.add(latency("measure", 85, 5, 9));

        List<Curves.LoadPoint> points = made.digest().curves().load();

        assertThat(points).hasSize(80);
        assertThat(points.get(0)).isEqualTo(new Curves.LoadPoint("warmup", 0, 500, 20, 90, 0));
        assertThat(points.get(1)).isEqualTo(new Curves.LoadPoint("warmup", 1, 500, Double.NaN, Double.NaN, 0));
        assertThat(points.get(2)).isEqualTo(new Curves.LoadPoint("warmup", 2, 500, 10, 40, 4));
        assertThat(points.get(60)).isEqualTo(new Curves.LoadPoint("measure", 75, 1000, 5, 9, 0));
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
        made.compiler.add(new CompilerSample(nanos(2.5), 360, 0, 0, 0, 0, 0));

        assertThat(made.digest().curves().jit())
                .containsExactly(
                        new Curves.JitPoint(-10, 0.5, 0.125),
                        new Curves.JitPoint(-9, 0.25, 0.75),
                        new Curves.JitPoint(-8, 0, 1));
    }

    @Test
    void aProgramThatIsNoJvmHasNoCompilerCurve() {
        HandMade made = measured("a", 1000, seconds(60, 500))
                .thread(1, 1, "nginx", ThreadRole.OTHER, 1, 0)
                .thread(5, 1, "nginx", ThreadRole.OTHER, 4, 0);
        made.memory.add(new MemorySample(nanos(12.5), 4096, 0, 0, 0, 0, 0));

        Curves curves = made.digest().curves();

        assertThat(curves.jit()).isEmpty();
        assertThat(curves.memory()).containsExactly(new Curves.MemoryPoint(2.5, 4096));
    }

    @Test
    void theLastPartialSecondIsLeftOut() {
        List<dev.kiln.model.LoadBin> bins = measured("a", 1000, 500, 500).evidence().load().stream()
                .filter(bin -> bin.phase().equals("warmup"))
                .limit(19)
                .toList();

        LoadSeries series = LoadSeries.of("warmup", bins);

        assertThat(series.startNanos()).isEqualTo(nanos(10));
        assertThat(series.completed()).containsExactly(500);
    }
}
