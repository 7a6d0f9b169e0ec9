package dev.kiln.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.StartupSpec;
import dev.kiln.model.run.Course.StartPhase;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartDesign;
import dev.kiln.model.run.StartupEvidence.StartMachine;
import dev.kiln.model.run.StartupEvidence.StartMeasure;
import dev.kiln.model.run.StartupEvidence.StartOrigin;
import dev.kiln.model.run.StartupEvidence.StartSample;
import dev.kiln.model.run.StartupEvidence.StartTable;
import dev.kiln.startup.StartupResult.StartMetric;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.Student.PairedRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class StartupAssessmentTest {
    private static final double[] OLD = {544, 554, 550, 571, 550, 552, 568, 554, 551, 556};
    private static final double[] NEW = {512, 525, 508, 515, 506, 515, 510, 517, 506, 508};

    private static StartTable.StartRow row(int run, double... values) {
        return new StartTable.StartRow(
                run, DoubleStream.of(values).mapToObj(OptionalDouble::of).toList());
    }

    private static StartTable table(double[] a, double[] b) {
        List<StartTable.StartRow> rows = new ArrayList<>();
        for (int i = 0; i < a.length; i++) {
            rows.add(row(i + 1, a[i], b[i]));
        }
        return new StartTable(List.of("A", "B"), "time", "ms", rows);
    }

    private static StartupResult assess(double[] a, double[] b, int discard) {
        return new StartupAssessment(0.05).of(table(a, b), discard);
    }

    /** The table that people compare with. */
    @Test
    void givesTheReferenceValues() {
        StartupResult result = assess(OLD, NEW, 0);

        assertThat(result.main().sides().getFirst().orElseThrow().geomean()).isCloseTo(554.94, within(0.005));
        assertThat(result.main().sides().getFirst().orElseThrow().populationSd())
                .isCloseTo(7.90, within(0.005));
        assertThat(result.main().sides().getLast().orElseThrow().geomean()).isCloseTo(512.17, within(0.005));
        assertThat(result.main().sides().getLast().orElseThrow().populationSd()).isCloseTo(5.65, within(0.005));
        assertThat(result.main().ratios().getFirst().orElseThrow().ratio()).isCloseTo(0.9229, within(0.00005));
        assertThat(result.main().ratios().getFirst().orElseThrow().lo()).isCloseTo(0.9115, within(0.00005));
        assertThat(result.main().ratios().getFirst().orElseThrow().hi()).isCloseTo(0.9345, within(0.00005));
        assertThat(result.verdicts().getFirst().outcome()).isEqualTo(Conclusion.LOWER);
        assertThat(result.verdicts().getFirst().words())
                .isEqualTo("B is 1.08 times faster than A (1.07\u20131.10, 95 % interval).");
        assertThat(result.verdicts().getFirst().pairsNeeded()).isEmpty();
    }

    @Test
    void pairsBeforeThoseThatCountChangeNothing() {
        double[] a = DoubleStream.concat(DoubleStream.of(5_000), DoubleStream.of(OLD))
                .toArray();
        double[] b =
                DoubleStream.concat(DoubleStream.of(100), DoubleStream.of(NEW)).toArray();

        assertThat(assess(a, b, 1).main()).isEqualTo(assess(OLD, NEW, 0).main());
    }

    /** Power is for the change that the user asks for: for the one that was seen it says nothing that p does not. */
    @Test
    void saysHowManyPairsTheUsersEffectTakesWhereNoDifferenceIsShown() {
        double[] b = {553, 551, 559, 569, 558, 550, 574, 560, 551, 556};
        StartupResult result = assess(OLD, b, 0);

        assertThat(result.verdicts().getFirst().outcome()).isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);
        assertThat(result.verdicts().getFirst().pairsNeeded())
                .as("six pairs at least")
                .hasValue(6);
        assertThat(result.verdicts().getFirst().words())
                .startsWith("No difference between A and B is shown (B/A ")
                .contains(", 95 % interval). 10 pairs show a change of 0.")
                .endsWith("; to show one of 5 %, 6 pairs are needed.");
        StartupResult finer = new StartupAssessment(0.002).of(table(OLD, b), 0);
        assertThat(finer.verdicts().getFirst().pairsNeeded().orElseThrow()).isGreaterThan(50);
        assertThat(finer.verdicts().getFirst().words())
                .contains("to show one of 0.2 %, "
                        + finer.verdicts().getFirst().pairsNeeded().getAsInt() + " pairs");
    }

    /** What the machine does to both starts of a pair is no difference between them, and must not hide one. */
    @Test
    void pairsAreComparedNotColumns() {
        double[] a = {500, 700, 550, 900, 620, 480, 810, 530};
        double[] b = java.util.Arrays.stream(a).map(v -> 0.97 * v + (v % 7) / 5).toArray();

        StartupResult result = assess(a, b, 0);

        assertThat(result.verdicts().getFirst().outcome()).isEqualTo(Conclusion.LOWER);
        assertThat(result.main().ratios().getFirst().orElseThrow().hi()).isLessThan(0.98);
    }

    @Test
    void fivePairsAreExploratory() {
        assertThat(assess(new double[] {1, 1.01, 1.02, 1, 1}, new double[] {2, 2.01, 2.02, 2, 2}, 0)
                        .verdicts()
                        .getFirst()
                        .outcome())
                .isEqualTo(Conclusion.EXPLORATORY);
    }

    /** Two decimals would say 1.00 times. */
    @Test
    void aSmallDifferenceHasADecimalMore() {
        double[] a = {500, 501, 502, 503, 504, 505};
        double[] b = {502, 503.1, 504, 505.1, 506, 507.1};

        assertThat(assess(a, b, 0).verdicts().getFirst().words())
                .isEqualTo("A is 1.004 times faster than B (1.004, 95 % interval).");
    }

    @Test
    void onePairOrNoneIsNotEnough() {
        assertThat(assess(new double[] {1}, new double[] {2}, 0)
                        .verdicts()
                        .getFirst()
                        .words())
                .isEqualTo("Too few to tell: at least 6 pairs can show a difference.");
        assertThat(assess(OLD, NEW, 10).verdicts().getFirst().words()).startsWith("Too few to tell: at least 6 pairs");
    }

    @Test
    void equalValuesAreNoDifference() {
        double[] same = {5, 5, 5, 5, 5, 5};

        assertThat(assess(same, same, 0).verdicts().getFirst().words())
                .isEqualTo("No difference between A and B is shown (B/A 1.000, 95 % interval).");
    }

    @Test
    void manyPairsAreJudgedByTheIntervalAlone() {
        double[] a = new double[100];
        double[] b = new double[100];
        for (int i = 0; i < a.length; i++) {
            a[i] = 100 + i % 7;
            b[i] = 110 + i % 5;
        }

        assertThat(assess(a, b, 0).verdicts().getFirst().outcome()).isEqualTo(Conclusion.HIGHER);
    }

    @Test
    void aPairOfWhichOneStartIsMissingCountsNowhere() {
        StartTable whole = table(OLD, NEW);
        List<StartTable.StartRow> rows = new ArrayList<>(whole.rows());
        rows.add(new StartTable.StartRow(11, List.of(OptionalDouble.of(9_999), OptionalDouble.empty())));
        StartupResult result = new StartupAssessment(0.05).of(new StartTable(List.of("A", "B"), "time", "ms", rows), 0);

        assertThat(result.main()).isEqualTo(assess(OLD, NEW, 0).main());
        assertThat(result.notes()).hasSize(1);
    }

    /** Pair, side, milliseconds to readiness; launching took 2 of them. */
    private static StartSample sample(int pair, int side, double ready, OptionalLong rss, StartPhase... phases) {
        return new StartSample(
                pair,
                side,
                ready - 2,
                Math.round(ready * 1e6),
                rss,
                side == 0 ? OptionalLong.of(30_000_000) : OptionalLong.empty(),
                List.of(phases));
    }

    private static StartupEvidence evidence(
            String metric, boolean pinned, Optional<String> failure, List<StartSample> samples) {
        return new StartupEvidence(
                new StartOrigin(StartupEvidence.SCHEMA_VERSION, "1.0", 0),
                List.of(
                        new StartupSpec.StartSide("old", List.of("java", "old.jar"), Optional.empty()),
                        new StartupSpec.StartSide("new", List.of("java", "new.jar"), Optional.empty())),
                new StartMeasure("ready", metric, "ms"),
                new StartDesign(10, 1, OptionalLong.empty(), false),
                new StartMachine(
                        2_000_000,
                        new Machine.HostInfo("6.1", "a CPU", 4, 1L << 34, "EEVDF", Map.of()),
                        new CpuAssignment(List.of(0), List.of(1), List.of(1), pinned, List.of("it shares its CPU"))),
                failure,
                samples);
    }

    private static List<StartSample> samples(double a, double b) {
        List<StartSample> samples = new ArrayList<>();
        for (int pair = 1; pair <= 11; pair++) {
            double more = pair == 1 ? 5_000 : pair % 3;
            samples.add(sample(pair, 1, b + more, OptionalLong.empty(), new StartPhase("load", 4_000_000)));
            samples.add(sample(pair, 0, a + more, OptionalLong.of(3L << 20)));
        }
        return samples;
    }

    private static StartupResult of(StartupEvidence evidence) {
        return new StartupAssessment(0.05).of(evidence);
    }

    @Test
    void startsArePairedAndTheFirstPairsDoNotCount() {
        StartupResult result = of(evidence("time", true, Optional.empty(), samples(100, 50)));

        assertThat(result.table().names()).containsExactly("old", "new");
        assertThat(result.table().rows()).hasSize(10);
        assertThat(result.table().rows().getFirst()).isEqualTo(row(1, 100, 50));
        assertThat(result.discarded()).isEqualTo(1);
        assertThat(result.verdicts().getFirst().outcome()).isEqualTo(Conclusion.LOWER);
        assertThat(result.verdicts().getFirst().words()).startsWith("new is 2.02 times faster than old (");
        assertThat(result.main().ratios().getFirst().orElseThrow().ratio()).isBetween(0.45, 0.55);
        assertThat(result.notes()).containsExactly("it shares its CPU");
    }

    @Test
    void whatElseWasSeenOfAStart() {
        StartupResult result = of(evidence("number in the log", true, Optional.empty(), samples(100, 50)));

        assertThat(result.others())
                .extracting(StartMetric::name)
                .containsExactly("time until then", "RSS", "CPU time", "load");
        assertThat(result.others()).extracting(StartMetric::unit).containsExactly("ms", "MiB", "ms", "ms");
        StartMetric time = result.others().get(0);
        assertThat(time.sides().getFirst().orElseThrow().geomean()).isCloseTo(101, within(0.5));
        assertThat(time.sides().getLast().orElseThrow().geomean()).isCloseTo(51, within(0.5));
        StartMetric rss = result.others().get(1);
        assertThat(rss.sides().getFirst().orElseThrow().geomean()).isCloseTo(3, within(1e-9));
        assertThat(rss.sides().getLast()).isEmpty();
        assertThat(result.others().get(2).sides().getFirst().orElseThrow().geomean())
                .isCloseTo(30, within(1e-9));
        StartMetric load = result.others().get(3);
        assertThat(load.sides().getFirst()).isEmpty();
        assertThat(load.sides().getLast().orElseThrow().geomean()).isCloseTo(4, within(1e-9));
    }

    @Test
    void whatNoStartHasIsNotListed() {
        List<StartSample> bare = new ArrayList<>();
        for (int pair = 2; pair <= 6; pair++) {
            bare.add(new StartSample(pair, 0, 10, 12_000_000, OptionalLong.empty(), OptionalLong.empty(), List.of()));
            bare.add(new StartSample(pair, 1, 11, 13_000_000, OptionalLong.empty(), OptionalLong.empty(), List.of()));
        }
        assertThat(of(evidence("time", true, Optional.empty(), bare)).others()).isEmpty();
    }

    @Test
    void startsHardlyLongerThanLaunchingCannotBeCompared() {
        assertThat(of(evidence("time", true, Optional.empty(), samples(100, 2.9)))
                        .notes())
                .anyMatch(note -> note.contains("a program that does nothing (2.0 ms,"));
        assertThat(of(evidence("time", true, Optional.empty(), samples(100, 3.1)))
                        .notes())
                .noneMatch(note -> note.contains("does nothing"));
        assertThat(of(evidence("number in the log", true, Optional.empty(), samples(100, 2.9)))
                        .notes())
                .as("of such a number nothing is taken off")
                .noneMatch(note -> note.contains("does nothing"));
    }

    @Test
    void anEarlyEndIsSaidFirstAndAMissingStartLeavesAGap() {
        List<StartSample> cut = samples(100, 50).subList(0, 21);
        StartupResult result = of(evidence("time", false, Optional.of("the disk was full."), cut));

        assertThat(result.notes())
                .containsExactly(
                        "It ended early: the disk was full.",
                        "it shares its CPU",
                        "Pairs with a missing start count only in the table's rows.");
        assertThat(result.table().rows()).hasSize(10);
        assertThat(result.table().rows().getLast().complete()).isFalse();
        assertThat(result.main().sides().getFirst().orElseThrow().geomean()).isBetween(98.0, 101.0);
    }

    @Test
    void manyPairsThatDoNotDifferShowNoDifference() {
        double[] a = new double[100];
        double[] b = new double[100];
        for (int i = 0; i < a.length; i++) {
            a[i] = 100 + i % 7;
            b[i] = 100 + (i + 3) % 7;
        }

        assertThat(assess(a, b, 0).verdicts().getFirst().outcome()).isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);
        assertThat(assess(b, java.util.Arrays.stream(a).map(x -> x / 2).toArray(), 0)
                        .verdicts()
                        .getFirst()
                        .outcome())
                .isEqualTo(Conclusion.LOWER);
    }

    @Test
    void whatIsNoTimeIsHigherOrLower() {
        List<StartTable.StartRow> rows = new ArrayList<>();
        for (int i = 0; i < OLD.length; i++) {
            rows.add(row(i + 1, NEW[i], OLD[i]));
        }
        StartupAssessment assessment = new StartupAssessment(0.05);

        assertThat(assessment
                        .of(new StartTable(List.of("A", "B"), "rss", "MiB", rows), 0)
                        .verdicts()
                        .getFirst()
                        .words())
                .isEqualTo("B is 8.4 % higher than A (7.0\u20139.7 %, 95 % interval).");
        assertThat(assessment
                        .of(new StartTable(List.of("A", "B"), "classes", "", rows), 0)
                        .verdicts()
                        .getFirst()
                        .words())
                .as("what has no unit is no time either")
                .isEqualTo("B is 8.4 % higher than A (7.0\u20139.7 %, 95 % interval).");
        assertThat(assessment
                        .of(new StartTable(List.of("A", "B"), "time", "s", rows), 0)
                        .verdicts()
                        .getFirst()
                        .words())
                .isEqualTo("A is 1.08 times faster than B (1.07\u20131.10, 95 % interval).");
    }

    /** NEW differs from OLD, and what is OLD but for a millisecond or two does not. */
    @Test
    void eachOfSeveralCommandsIsComparedWithTheFirst() {
        double[] alike = {545, 552, 551, 569, 552, 550, 569, 553, 552, 555};
        List<StartTable.StartRow> rows = new ArrayList<>();
        for (int i = 0; i < OLD.length; i++) {
            rows.add(row(i + 1, OLD[i], NEW[i], alike[i]));
        }
        StartupResult result =
                new StartupAssessment(0.05).of(new StartTable(List.of("A", "B", "C"), "time", "ms", rows), 0);

        assertThat(result.confidence()).isCloseTo(0.975, within(1e-12));
        assertThat(result.main().sides()).hasSize(3);
        // t(9) is 2.6850 at 97.5 % in place of 2.2622: the half width on the logarithm, 0.01250, grows to 0.01484.
        PairedRatio first = result.main().ratios().getFirst().orElseThrow();
        assertThat(first.ratio()).isCloseTo(0.9229, within(0.00005));
        assertThat(first.lo()).isCloseTo(0.9093, within(0.0001));
        assertThat(first.hi()).isCloseTo(0.9367, within(0.0001));
        assertThat(first.confidence()).isCloseTo(0.975, within(1e-12));
        assertThat(result.verdicts())
                .extracting(StartupResult.Verdict::outcome)
                .containsExactly(Conclusion.LOWER, Conclusion.NO_DIFFERENCE_SHOWN);
        assertThat(result.verdicts().getFirst().words())
                .startsWith("B is 1.08 times faster than A (1.07\u20131.10, 97.5 % interval).");
        assertThat(result.verdicts().getLast().words())
                .startsWith("No difference between A and C is shown (C/A ")
                .contains(", 97.5 % interval). 10 rounds show a change of 0.")
                .endsWith("; to show one of 5 %, 7 rounds are needed.");
        assertThat(result.notes())
                .containsExactly(
                        "2 comparisons with A, each at 97.5 %, so that all intervals together hold at 95 % (Bonferroni).");
    }

    /** Six rounds show a difference of two commands, and none of three. */
    @Test
    void severalComparisonsTakeMoreRounds() {
        List<StartTable.StartRow> rows = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            rows.add(row(i + 1, OLD[i], NEW[i], NEW[i]));
        }
        StartupResult result =
                new StartupAssessment(0.05).of(new StartTable(List.of("A", "B", "C"), "time", "ms", rows), 0);

        assertThat(assess(java.util.Arrays.copyOf(OLD, 6), java.util.Arrays.copyOf(NEW, 6), 0)
                        .verdicts()
                        .getFirst()
                        .outcome())
                .isEqualTo(Conclusion.LOWER);
        assertThat(result.verdicts().getLast().words())
                .startsWith("Too few to tell: at least 7 rounds can show a difference; to show one of 5 % takes ");
    }

    /** A round without its last start is no round; the table still has what it has. */
    @Test
    void aRoundOfWhichOneStartIsMissingCountsNowhere() {
        List<StartTable.StartRow> rows = new ArrayList<>();
        for (int i = 0; i < OLD.length; i++) {
            rows.add(row(i + 1, OLD[i], NEW[i], NEW[i]));
        }
        rows.add(new StartTable.StartRow(
                11, List.of(OptionalDouble.of(1), OptionalDouble.of(1), OptionalDouble.empty())));
        StartupResult result =
                new StartupAssessment(0.05).of(new StartTable(List.of("A", "B", "C"), "time", "ms", rows), 0);

        assertThat(result.main().sides())
                .allSatisfy(side -> assertThat(side.orElseThrow().runs()).isEqualTo(10));
        assertThat(result.notes()).contains("Rounds with a missing start count only in the table's rows.");
    }
}
