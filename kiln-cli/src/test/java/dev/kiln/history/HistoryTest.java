package dev.kiln.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.Assessment;
import dev.kiln.explain.study.PastRun;
import dev.kiln.explain.study.PastRun.PastFigures;
import dev.kiln.explain.study.PastRun.PastRunName;
import dev.kiln.explain.study.PastRun.PastSetting;
import dev.kiln.model.Metric;
import dev.kiln.report.TerminalStyle;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static PastRun run(long time, boolean valid, String host, Map<Metric, Double> figures) {
        return run(1, time, valid, host, new PastFigures(false, figures));
    }

    private static PastRun run(int run, long time, boolean valid, String host, PastFigures figures) {
        return new PastRun(
                new PastRunName("e", "e-" + time, "v", 0, run),
                time,
                1,
                valid,
                new PastSetting(host, "p"),
                figures,
                new TreeMap<>());
    }

    @Test
    void runsComeInTheOrderOfTheirLaunchWhateverOrderTheyWereFoundIn() {
        List<PastRun> runs = new ArrayList<>();
        for (long time : new long[] {5, 1, 4, 2, 6, 3}) {
            runs.add(run(time, true, "h", Map.of(Metric.PEAK, time < 4 ? 100.0 : 200.0)));
        }
        History history = History.of(runs, EnumSet.of(Metric.PEAK));

        assertThat(history.series()).singleElement().satisfies(series -> {
            assertThat(series.runs()).extracting(PastRun::epochMillis).isSorted();
            assertThat(series.shifts().orElseThrow().shifts()).singleElement().satisfies(shift -> {
                assertThat(shift.index()).isEqualTo(3);
                assertThat(series.better(shift)).isTrue();
            });
        });
    }

    private static History.PastSeries peaks(double... values) {
        List<PastRun> runs = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            runs.add(run(i, true, "h", Map.of(Metric.PEAK, values[i])));
        }
        return History.of(runs, Set.of(Metric.PEAK)).series().getFirst();
    }

    @Test
    void aChangeSaysSinceWhichNightItIsTold() {
        assertThat(peaks(100, 101, 100, 101, 100, 101, 80, 81, 80, 81, 80).told())
                .singleElement()
                .satisfies(told -> {
                    assertThat(told.shift().index()).isEqualTo(6);
                    assertThat(told.since()).as("three nights make a level").isEqualTo(8);
                    assertThat(told.holds()).isTrue();
                });
    }

    @Test
    void aChangeThatLaterNightsWithdrawIsNotForgotten() {
        double[] nights = {100, 100.2, 100, 100.1, 100, 100.2, 104, 104.2, 104, 96, 108, 95, 107, 94, 108, 93, 109};
        assertThat(peaks(nights).told()).singleElement().satisfies(told -> {
            assertThat(told.shift().index()).isEqualTo(6);
            assertThat(told.since()).isEqualTo(8);
            assertThat(told.holds()).isFalse();
            assertThat(told.withdrawn().orElseThrow()).isGreaterThan(8);
        });
    }

    /** Three runs a night that agree within 1 %, and nights that do not: no change of the service. */
    @Test
    void runsOfOneNightAreOneValue() {
        Random random = new Random(3);
        int changed = 0;
        for (int history = 0; history < 100; history++) {
            List<PastRun> runs = new ArrayList<>();
            for (int night = 0; night < 20; night++) {
                double level = 1000 * Math.exp(0.03 * random.nextGaussian());
                for (int run = 1; run <= 3; run++) {
                    double peak = level * Math.exp(0.01 * random.nextGaussian());
                    runs.add(new PastRun(
                            new PastRunName("e", "e-" + night, "v", 0, run),
                            10L * night + run,
                            1,
                            true,
                            new PastSetting("h", "p"),
                            new PastFigures(false, Map.of(Metric.PEAK, peak)),
                            new TreeMap<>()));
                }
            }
            History.PastSeries series =
                    History.of(runs, Set.of(Metric.PEAK)).series().getFirst();
            assertThat(series.sessions()).hasSize(20);
            assertThat(series.runs()).hasSize(60);
            changed += series.told().isEmpty() ? 0 : 1;
        }
        assertThat(changed).isLessThanOrEqualTo(5);
    }

    @Test
    void invalidRunsAreCountedAndLeftOut() {
        History history = History.of(
                List.of(run(1, true, "h", Map.of(Metric.PEAK, 1.0)), run(2, false, "h", Map.of(Metric.PEAK, 1.0))),
                Set.of(Metric.PEAK));

        assertThat(history.series().getFirst().runs()).hasSize(1);
        assertThat(history.series().getFirst().shifts()).isEmpty();
        assertThat(history.notes()).containsExactly("e, v: 1 of 2 runs are invalid and left out");
    }

    @Test
    void noChangeIsToldOfLowerBoundsNorOfTimesThatSomeRunsDidNotReach() {
        List<PastRun> bounds = new ArrayList<>();
        List<PastRun> slow = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Map<Metric, Double> figures = Map.of(Metric.PEAK, i < 4 ? 100.0 : 50.0, Metric.START, i < 4 ? 9.0 : 5.0);
            bounds.add(run(1, i, true, "h", new PastFigures(i == 7, figures)));
            slow.add(run(
                    i,
                    true,
                    "h",
                    i == 7 ? Map.of(Metric.PEAK, 100.0) : Map.of(Metric.PEAK, 100.0, Metric.T90, i < 4 ? 20.0 : 40.0)));
        }
        History history = History.of(bounds, EnumSet.of(Metric.PEAK, Metric.START));

        assertThat(history.series().getLast().shifts().orElseThrow().shifts())
                .as("the start needs no peak")
                .hasSize(1);
        assertThat(history.series().getFirst().open()).isEqualTo(1);
        assertThat(history.series().getFirst().shifts()).isEmpty();
        assertThat(history.notes())
                .containsExactly("e, v: the peak of 1 of 8 runs is a lower bound, and so are the times to it and the"
                        + " warm-up cost. Kiln reports no change of these");
        assertThat(History.of(slow, EnumSet.of(Metric.T90)).series())
                .singleElement()
                .satisfies(series -> {
                    assertThat(series.missing()).isEqualTo(1);
                    assertThat(series.shifts()).isEmpty();
                });
    }

    /** The peak still rose on the last night, so what is printed of it is at least that. */
    @Test
    void aBoundIsPrintedAsOne() {
        List<PastRun> runs = List.of(
                run(1, 1, true, "h", new PastFigures(false, Map.of(Metric.PEAK, 100.0, Metric.START, 9.0))),
                run(1, 2, true, "h", new PastFigures(true, Map.of(Metric.PEAK, 120.0, Metric.START, 8.0))));
        History history = History.of(runs, EnumSet.of(Metric.PEAK, Metric.START));

        assertThat(history.series().getFirst().sessions())
                .extracting(History.PastSession::atLeast)
                .containsExactly(false, true);
        assertThat(HistoryReport.terminal(history, TerminalStyle.plain()))
                .containsPattern("peak +req/s +2 +100 +(\u2265|>=) 120 ")
                .containsPattern("startup +s +2 +9\\S* +8");
        assertThat(HtmlHistory.page(history, "e", run -> Optional.empty(), List.of()))
                .contains("\u2265 120 req/s, e-2", ">\u2265 120</td>", ">100</td>");
        assertThat(HistoryTables.json(history)).containsOnlyOnce("\"atLeast\" : true");
    }

    private static Map<Metric, Double> figures(HandMade made) {
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        assessment.add(made.evidence());
        VariantResult variant = assessment.result("e").variants().getFirst();
        return PastRun.of(made.evidence().info(), variant, variant.runs().getFirst(), "e-1", new TreeMap<>())
                .figures()
                .values();
    }

    private static double[] seconds(int count, IntToDoubleFunction level) {
        return IntStream.range(0, count).mapToDouble(level).toArray();
    }

    /** A false plateau at 500, and 1,000 after the pause, however unsteady. */
    @Test
    void thePeakIsThatOfTheMeasuringPhaseAndNeverThatOfTheWarmup() {
        HandMade plateau = new HandMade("a", 1)
                .load("warmup", 10, seconds(60, s -> 500))
                .pause("pause", 15)
                .load("measure", 85, seconds(20, s -> s == 0 ? 100 : 700 + 600 * (s / 3 % 2)));
        Map<Metric, Double> figures = figures(plateau);

        assertThat(figures.get(Metric.PEAK)).isCloseTo(1000, within(60.0));
        assertThat(figures.get(Metric.END_OF_WARMUP)).isEqualTo(500);
        assertThat(figures.get(Metric.REQUESTS)).as("of the warm-up alone").isEqualTo(30_000);
        assertThat(figures).containsKey(Metric.WARMUP_COST).doesNotContainKey(Metric.T90);
    }

    @Test
    void withoutAMeasuringPhaseThereIsNoPeakNorATimeOrACostAgainstOne() {
        assertThat(figures(new HandMade("a", 1).load("warmup", 10, seconds(80, s -> s < 20 ? 500 : 1000))))
                .containsEntry(Metric.END_OF_WARMUP, 1000.0)
                .containsEntry(Metric.REQUESTS, 70_000.0)
                .doesNotContainKeys(Metric.PEAK, Metric.T90, Metric.WARMUP_COST);
    }

    @Test
    void runsOfDifferentHostsAreNamed() {
        History history =
                History.of(List.of(run(1, true, "one", Map.of()), run(2, true, "two", Map.of())), Set.of(Metric.T90));

        assertThat(history.series()).isEmpty();
        assertThat(history.notes())
                .containsExactly("e, v: the runs are of different hosts (one; two), so a change may be theirs");
    }
}
