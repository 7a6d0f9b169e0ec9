package dev.kiln.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Sample.Generations;
import dev.kiln.soak.SoakPlan.SoakSegment;
import dev.kiln.soak.SoakPlan.SoakSegment.SoakLoad;
import dev.kiln.soak.SoakPlan.SoakSegment.SoakMemory;
import dev.kiln.soak.SoakPlan.SoakSegment.SoakWindow;
import dev.kiln.soak.SoakResult.SoakMetric;
import dev.kiln.soak.SoakResult.SoakTrend;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SoakAssessmentTest {
    private static final long MIB = 1 << 20;
    private static final double WINDOW = 18;

    /** Three hours of 600 windows. */
    private static final SoakPlan PLAN = new SoakPlan(1, List.of(), "/", 600 * WINDOW, WINDOW, 0.001);

    private static SoakWindow window(long requests, long errors, double p99Millis, long rss, long heap) {
        return new SoakWindow(requests, errors, Math.round(p99Millis * 1e6), rss * MIB, heap * MIB, 0, 0);
    }

    private static SoakSegment segment(int run, int windows, Outcome outcome, IntFunction<SoakWindow> each) {
        List<SoakWindow> all = IntStream.range(0, windows).mapToObj(each).toList();
        return new SoakSegment(
                run,
                outcome,
                outcome == Outcome.TARGET_FAILED ? Optional.of("the target exited with code 1") : Optional.empty(),
                new SoakLoad(
                        windows * WINDOW,
                        all.stream().mapToLong(SoakWindow::requests).sum(),
                        all.stream().mapToLong(SoakWindow::errors).sum()),
                WINDOW,
                all,
                new SoakMemory(OptionalLong.of(2_000 * MIB), OptionalLong.of(512 * MIB), Optional.empty()));
    }

    /** Up and down by a little, as any figure. */
    private static long jitter(int i) {
        return i * 37L % 11;
    }

    private static SoakWindow healthy(int i) {
        return window(18_000 + 20 * jitter(i), 0, 10 + jitter(i) / 10.0, 400 + jitter(i), 100 + jitter(i));
    }

    private static SoakResult assess(SoakSegment... segments) {
        return new SoakAssessment().of("soak", PLAN, List.of(segments));
    }

    @Test
    void whatHeldHeld() {
        SoakResult result = assess(segment(1, 600, Outcome.COMPLETED, SoakAssessmentTest::healthy));
        assertThat(result.answer().problems()).isEmpty();
        assertThat(result.answer().complete()).isTrue();
        assertThat(result.answer().held()).isTrue();
        assertThat(result.answer().conclusion())
                .startsWith("It held over 3.0 h: any fall of throughput is below ")
                .containsPattern(
                        "any rise of resident memory is below [\\d.]+ MiB an hour \\(its limit of 2,000 MiB is then at"
                                + " least [\\d,]+ days away\\)")
                .endsWith("The error budget was kept.")
                .doesNotContain("no leak", "no drift");
        assertThat(result.parts().getFirst().settledSeconds()).isEqualTo(60 * WINDOW);
        assertThat(result.parts().getFirst().trends()).hasSize(4).noneMatch(SoakTrend::bad);
    }

    @Test
    void aLeakIsTold() {
        SoakResult result = assess(segment(
                1,
                600,
                Outcome.COMPLETED,
                i -> window(18_000 + jitter(i), 0, 10, 400 + i / 4 + jitter(i), 100 + i / 4 + jitter(i))));
        // A quarter of a MiB a window, 200 windows an hour.
        SoakTrend heap = result.parts().getFirst().trends().get(3);
        assertThat(heap.metric()).isEqualTo(SoakMetric.HEAP);
        assertThat(heap.trend().orElseThrow().slope() * heap.perHour()).isCloseTo(50, within(1.0));
        assertThat(result.answer().problems()).hasSize(2);
        assertThat(result.answer().problems().getFirst())
                .matches(
                        "resident memory rises by (49|50)\\.\\d MiB an hour \\(49\\.\\d to 50\\.\\d\\), 2[78] % in 2\\.7 h"
                                + " \\(its limit of 2,000 MiB is then at least 2\\d\\.\\d h away\\)");
        assertThat(result.answer().conclusion()).startsWith("It did not hold over 3.0 h: resident memory rises");
    }

    private static SoakSegment collected(IntFunction<SoakWindow> each) {
        SoakSegment all = segment(1, 600, Outcome.COMPLETED, each);
        return new SoakSegment(
                1,
                all.outcome(),
                all.outcomeDetail(),
                all.load(),
                WINDOW,
                all.windows(),
                new SoakMemory(
                        all.memory().limitBytes(),
                        all.memory().heapLimitBytes(),
                        Optional.of(new Generations(10_000, 0, 0))));
    }

    private static SoakWindow window(long heap, int full, int cycles) {
        return new SoakWindow(18_000, 0, 10_000_000, 400 * MIB, heap * MIB, full, cycles);
    }

    /** Young collections leave what they promote: it rises by 50 MiB an hour, and all of it may be garbage. */
    @Test
    void garbageInTheOldGenerationIsNoLeak() {
        SoakResult never = assess(collected(i -> window(100 + i / 4 + jitter(i), 0, 0)));
        SoakResult early = assess(collected(i -> window(100 + i / 4 + jitter(i), i == 70 ? 1 : 0, i < 40 ? 3 : 0)));
        for (SoakResult result : List.of(never, early)) {
            assertThat(result.answer().problems()).isEmpty();
            assertThat(result.answer().held()).isFalse();
            assertThat(result.answer().conclusion())
                    .startsWith("After 3.0 h Kiln cannot tell whether it holds. Watch longer: ")
                    .contains("of heap after collections nothing is known: may be garbage (");
            assertThat(result.notes()).anyMatch(note -> note.contains("full-collections"));
        }
        assertThat(early.answer().conclusion()).contains("may be garbage (1 of 8 old collections)");
    }

    /** What the process takes for it is no leak either; what it takes beyond that is. */
    @Test
    void memoryThatRisesWithTheGarbageIsNoLeak() {
        SoakResult garbage = assess(collected(i -> new SoakWindow(
                18_000,
                0,
                10_000_000,
                (300 + i / 4 + jitter(i) / 4) * MIB,
                (100 + i / 4 + jitter(i) / 4) * MIB,
                0,
                0)));
        SoakResult more = assess(collected(i -> new SoakWindow(
                18_000, 0, 10_000_000, (300 + i + jitter(i) / 4) * MIB, (100 + i / 4 + jitter(i) / 4) * MIB, 0, 0)));

        assertThat(garbage.answer().problems()).isEmpty();
        assertThat(garbage.answer().held()).isFalse();
        assertThat(garbage.answer().conclusion())
                .contains("resident memory rises by ", "Kiln cannot tell whether it holds");
        assertThat(more.answer().problems()).singleElement().asString().startsWith("resident memory rises by ");
    }

    /** Every tenth window a full collection leaves what is live, and between them garbage gathers. */
    @Test
    void whatFullCollectionsLeaveIsLive() {
        SoakResult held = assess(collected(i -> window(i % 10 == 0 ? 50 : 50 + 8 * (i % 10), i % 10 == 0 ? 1 : 0, 0)));
        assertThat(held.answer().held()).as(held.answer().conclusion()).isTrue();
        assertThat(held.parts().getFirst().trends().get(3).trend().orElseThrow().level())
                .isEqualTo(50);
        SoakResult leak = assess(collected(i -> window((i % 10 == 0 ? 50 : 130) + i / 4, i % 10 == 0 ? 1 : 0, 0)));
        SoakTrend heap = leak.parts().getFirst().trends().get(3);
        assertThat(heap.bad()).isTrue();
        // A quarter of a MiB a window, 200 windows an hour.
        assertThat(heap.trend().orElseThrow().slope() * heap.perHour()).isCloseTo(50, within(2.0));
        // G1 collects the old generation in cycles beside the program and in collections after them.
        SoakResult cycles = assess(collected(i -> window((i % 10 == 3 ? 50 : 90) + i / 4, 0, i % 10 == 0 ? 2 : 0)));
        assertThat(cycles.parts().getFirst().trends().get(3).bad()).isTrue();
    }

    /** A test that does not reject is no evidence: such noise would hide a leak. */
    @Test
    void whatIsTooNoisyToTellIsNotSaidToHold() {
        SplittableRandom random = new SplittableRandom(3);
        SoakResult result = assess(segment(
                1,
                60,
                Outcome.COMPLETED,
                i -> window(18_000 + jitter(i), 0, 10, 400 + random.nextLong(200), 100 + jitter(i))));
        assertThat(result.answer().problems()).isEmpty();
        assertThat(result.answer().held()).isFalse();
        assertThat(result.answer().conclusion())
                .contains("Kiln cannot tell whether it holds. Watch longer: ")
                .contains("any rise of resident memory is below ");
    }

    /** 4 % an hour, watched for half an hour: too little to count so far, and said. */
    @Test
    void aSmallRiseIsSaid() {
        SoakResult result = assess(segment(
                1, 100, Outcome.COMPLETED, i -> window(18_000 + jitter(i), 0, 10, 400, 1_000 + i / 5 + jitter(i) / 5)));
        assertThat(result.answer().problems()).isEmpty();
        assertThat(result.answer().conclusion())
                .containsPattern("heap after collections rises by (3|4)\\d\\.?\\d* MiB an hour");
    }

    /** A hundred quiet soaks, whose minutes are alike: of four trends each at most some 5 % may be said to have one. */
    @Test
    void autocorrelatedNoiseIsNoLeak() {
        SplittableRandom random = new SplittableRandom(8);
        int said = 0;
        for (int soak = 0; soak < 100; soak++) {
            double[] noise = new double[600];
            for (int i = 1; i < noise.length; i++) {
                noise[i] = 0.9 * noise[i - 1] + random.nextGaussian();
            }
            SoakResult result = assess(segment(
                    1,
                    600,
                    Outcome.COMPLETED,
                    i -> window(
                            18_000 + jitter(i),
                            0,
                            10 + noise[i] / 10,
                            Math.round(400 + 10 * noise[i]),
                            Math.round(100 + noise[(i + 300) % 600]))));
            said += result.parts().getFirst().trends().stream().anyMatch(SoakTrend::wrongWay) ? 1 : 0;
        }
        assertThat(said).isLessThanOrEqualTo(7);
    }

    @Test
    void memoryOutsideTheHeapIsToldApart() {
        SoakResult result = assess(segment(
                1, 600, Outcome.COMPLETED, i -> window(18_000 + jitter(i), 0, 10, 400 + i / 2, 100 + jitter(i))));
        assertThat(result.answer().problems()).hasSize(1);
        assertThat(result.notes()).anyMatch(note -> note.contains("look outside the heap"));
    }

    @Test
    void driftAndSlowdownAreTold() {
        SoakResult slower = assess(segment(
                1,
                600,
                Outcome.COMPLETED,
                i -> window(i < 300 ? 18_000 + jitter(i) : 16_000 + jitter(i), 0, 10 + i / 60.0, 400, 100)));
        assertThat(slower.answer().problems())
                .anyMatch(p -> p.startsWith("throughput fell from a level of 1,000 to 889 req/s"))
                .anyMatch(p -> p.startsWith("p99 response time rises by"));
        SoakResult declining =
                assess(segment(1, 600, Outcome.COMPLETED, i -> window(18_000 - 15L * i + jitter(i), 0, 10, 400, 100)));
        assertThat(declining.answer().problems())
                .anyMatch(p -> p.contains("throughput falls by"))
                .anyMatch(p -> p.startsWith("throughput fell from a level of "));
    }

    @Test
    void theErrorBudgetIsOfAllSegments() {
        SoakSegment clean = segment(1, 300, Outcome.RUNNING, SoakAssessmentTest::healthy);
        SoakSegment failing = segment(
                2, 300, Outcome.COMPLETED, i -> window(18_000 + jitter(i), i % 100 == 0 ? 1_800 : 0, 10, 400, 100));
        SoakResult result = assess(clean, failing);
        assertThat(result.answer().complete()).isTrue();
        assertThat(result.load().errors()).isEqualTo(5_400);
        assertThat(result.budgetSpent()).isCloseTo(0.5, within(0.01));
        assertThat(result.worstErrorShare()).isCloseTo(1_800 / 19_800.0, within(1e-3));
        assertThat(result.answer().problems()).isEmpty();
        assertThat(result.notes()).anyMatch(note -> note.contains("interrupted and resumed"));
        SoakResult worse = assess(segment(1, 600, Outcome.COMPLETED, i -> window(18_000, 36, 10, 400, 100)));
        assertThat(worse.answer().problems()).containsExactly("0.200 % of the requests failed; the budget is 0.100 %");
    }

    @Test
    void whatWasBrokenOffSaysSo() {
        SoakResult result = assess(segment(1, 100, Outcome.RUNNING, SoakAssessmentTest::healthy));
        assertThat(result.answer().complete()).isFalse();
        assertThat(result.answer().conclusion())
                .startsWith("It held over 30 min of 3.0 h (kiln soak --resume continues it): any fall");
        SoakResult dead = assess(segment(1, 100, Outcome.TARGET_FAILED, SoakAssessmentTest::healthy));
        assertThat(dead.answer().problems()).containsExactly("the target exited with code 1");
    }

    @Test
    void aShortOneIsNotJudged() {
        SoakResult result = assess(segment(1, 7, Outcome.RUNNING, SoakAssessmentTest::healthy));
        assertThat(result.answer().conclusion()).startsWith("Not enough data after 126 s of 3.0 h");
        assertThat(result.parts().getFirst().trends().getFirst().whyNone()).isEqualTo("6 windows; it takes at least 8");
        assertThat(assess().answer().conclusion()).startsWith("Not enough data");
    }

    @Test
    void aProgramWithoutAHeapHasNone() {
        SoakResult result = assess(segment(1, 600, Outcome.COMPLETED, i -> window(18_000 + jitter(i), 0, 10, 400, 0)));
        SoakTrend heap = result.parts().getFirst().trends().get(3);
        assertThat(heap.trend()).isEmpty();
        assertThat(heap.whyNone()).isEqualTo("not recorded");
        assertThat(result.answer().problems()).isEmpty();
    }

    @Test
    void windowsStayFew() {
        assertThat(SoakPlan.windowSeconds(30)).isEqualTo(1);
        assertThat(SoakPlan.windowSeconds(10_800)).isEqualTo(18);
        assertThat(SoakPlan.windowSeconds(30 * 86_400)).isEqualTo(4320);
    }
}
