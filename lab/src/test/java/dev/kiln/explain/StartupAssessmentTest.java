package dev.kiln.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.StartupResult.Outcome;
import dev.kiln.model.StartTable;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class StartupAssessmentTest {
    private static final double[] OLD = {544, 554, 550, 571, 550, 552, 568, 551, 554, 556};
    private static final double[] NEW = {512, 525, 508, 515, 506, 515, 510, 517, 506, 508};

    private static StartTable table(double[] a, double[] b) {
        List<StartTable.Row> rows = new ArrayList<>();
        for (int i = 0; i < a.length; i++) {
            rows.add(new StartTable.Row(i + 1, OptionalDouble.of(a[i]), OptionalDouble.of(b[i])));
        }
        return new StartTable("A", "B", "time", "ms", rows);
    }

    private static StartupResult assess(double[] a, double[] b, int discard) {
        return new StartupAssessment(AnalysisConfig.defaults()).of(table(a, b), discard);
    }

    /** The table that people compare with. */
    @Test
    void givesTheReferenceValues() {
        StartupResult result = assess(OLD, NEW, 0);

        assertThat(result.main().a().orElseThrow().geomean()).isCloseTo(554.94, within(0.005));
        assertThat(result.main().a().orElseThrow().populationSd()).isCloseTo(7.90, within(0.005));
        assertThat(result.main().b().orElseThrow().geomean()).isCloseTo(512.17, within(0.005));
        assertThat(result.main().b().orElseThrow().populationSd()).isCloseTo(5.65, within(0.005));
        assertThat(result.main().ratio().orElseThrow().ratio()).isCloseTo(0.9229, within(0.00005));
        assertThat(result.main().ratio().orElseThrow().lo()).isCloseTo(0.9114, within(0.00005));
        assertThat(result.main().ratio().orElseThrow().hi()).isCloseTo(0.9346, within(0.00005));
        assertThat(result.outcome()).isEqualTo(Outcome.LOWER);
        assertThat(result.verdict()).isEqualTo("B is faster than A, by 7.7 %.");
        assertThat(result.runsNeeded()).isEmpty();
    }

    @Test
    void pairsBeforeThoseThatCountChangeNothing() {
        double[] a = DoubleStream.concat(DoubleStream.of(5_000), DoubleStream.of(OLD))
                .toArray();
        double[] b =
                DoubleStream.concat(DoubleStream.of(100), DoubleStream.of(NEW)).toArray();

        assertThat(assess(a, b, 1).main()).isEqualTo(assess(OLD, NEW, 0).main());
    }

    @Test
    void saysHowManyPairsItTakesWhereNoDifferenceIsShown() {
        double[] b = {553, 551, 559, 569, 558, 550, 574, 551, 560, 556};
        StartupResult result = assess(OLD, b, 0);

        assertThat(result.outcome()).isEqualTo(Outcome.NO_DIFFERENCE_SHOWN);
        assertThat(result.runsNeeded().orElseThrow()).isBetween(50, 500);
        assertThat(result.verdict())
                .startsWith("No difference between A and B is shown. 10 pairs show a change of")
                .endsWith(result.runsNeeded().getAsInt() + " pairs are needed.");
    }

    @Test
    void threePairsAreExploratory() {
        assertThat(assess(new double[] {1, 1.01, 1.02}, new double[] {2, 2.01, 2.02}, 0)
                        .outcome())
                .isEqualTo(Outcome.EXPLORATORY);
    }

    @Test
    void onePairOrNoneIsNotEnough() {
        assertThat(assess(new double[] {1}, new double[] {2}, 0).verdict()).startsWith("Not enough data: 1 pair");
        assertThat(assess(OLD, NEW, 10).verdict()).startsWith("Not enough data: no pair");
    }

    @Test
    void equalValuesAreNoDifference() {
        double[] same = {5, 5, 5, 5, 5};

        assertThat(assess(same, same, 0).verdict()).isEqualTo("No difference between A and B is shown.");
    }

    @Test
    void manyPairsAreJudgedWithoutTheRankTest() {
        double[] a = new double[100];
        double[] b = new double[100];
        for (int i = 0; i < a.length; i++) {
            a[i] = 100 + i % 7;
            b[i] = 110 + i % 5;
        }

        assertThat(assess(a, b, 0).outcome()).isEqualTo(Outcome.HIGHER);
    }

    @Test
    void aPairOfWhichOneStartIsMissingCountsNowhere() {
        StartTable whole = table(OLD, NEW);
        List<StartTable.Row> rows = new ArrayList<>(whole.rows());
        rows.add(new StartTable.Row(11, OptionalDouble.of(9_999), OptionalDouble.empty()));
        StartupResult result =
                new StartupAssessment(AnalysisConfig.defaults()).of(new StartTable("A", "B", "time", "ms", rows), 0);

        assertThat(result.main()).isEqualTo(assess(OLD, NEW, 0).main());
        assertThat(result.notes()).hasSize(1);
    }
}
