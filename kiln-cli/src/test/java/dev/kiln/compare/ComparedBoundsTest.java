package dev.kiln.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.compare.Comparison.Against;
import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.compare.Comparison.MetricComparison.Bound;
import dev.kiln.compare.Gates.GateResult;
import dev.kiln.compare.Gates.GateResult.GateRow;
import dev.kiln.gate.GateText;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import dev.kiln.report.ComparisonText;
import dev.kiln.report.ComparisonWords;
import dev.kiln.report.TerminalStyle;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.Gate;
import dev.kiln.stats.Resolution;
import dev.kiln.stats.RunsNeeded;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is only a bound stays one, and what is told of the level, the runs and the sessions is of the rule that decides. */
class ComparedBoundsTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    /** Two blocks are too few to pair: with more of them pairs decide, of which it takes 6, and not 4 runs a side. */
    @Test
    void runsNeededOfTwoBlocksAreByTheRuleThatWillDecide() {
        Comparison two = Comparer.of(
                List.of(
                        side("a", "x", measured(Metric.PEAK, 100, 101)),
                        side("b", "x", measured(Metric.PEAK, 100.5, 101.5))),
                "peak",
                0.05,
                CONFIG);

        MetricComparison peak = two.others().getFirst().metrics().getFirst();
        assertThat(peak.tests().tooFew().orElseThrow().needed()).contains("6 blocks");
        assertThat(peak.runsNeeded()).hasValue(new RunsNeeded.Runs(6));
        assertThat(new ComparisonWords(two).conclusion(two.others().getFirst()))
                .isEqualTo("Too few runs to tell b from a: at least 6 blocks can show a difference; to show a change of"
                        + " 5 % takes 6 runs a side.");
    }

    /** The third block makes pairs of them, of which it takes 4; of two groups it would be 3 runs a side. */
    @Test
    void aGateOfTwoBlocksNeedsSoManyPairsToo() {
        Measured before = measured(Metric.PEAK, 1000, 1010);
        Measured now = measured(Metric.PEAK, 995, 1005);
        Gate blocks = gate("peak", -2, side("b", "x", now), side("a", "x", before))
                .found()
                .orElseThrow();
        Gate groups = Gate.of(before.side(), now.side(), new Gate.Rule(-2, false, 1, 1), Resolution.EXACT);

        assertThat(blocks.change()).isEqualTo(groups.change());
        assertThat(blocks.verdict()).isEqualTo(Gate.Verdict.UNDER_POWERED);
        assertThat(groups.runsNeeded()).hasValue(new RunsNeeded.Runs(3));
        assertThat(blocks.runsNeeded()).hasValue(new RunsNeeded.Runs(4));
    }

    /** The other side was looked at for a minute: at 70 s a run is as little there as theirs. */
    @Test
    void aTimeBeyondTheOthersHorizonIsABoundToo() {
        MetricComparison t90 = compare(
                side("a", "x", times(120, Optional.empty(), 10, 11, 12, 13, 14, 70)),
                side("b", "x", times(60, Optional.empty(), 60, 60, 60, 60, 60, 60)));

        assertThat(t90.sides().a().reached()).isEqualTo(5);
        assertThat(t90.change().bound()).isEqualTo(Bound.UNKNOWN);
        assertThat(t90.change().estimate()).isEmpty();
        assertThat(ComparisonWords.verdict(t90)).isEqualTo("higher, worse");
    }

    /** Of a peak that is at least so high, the median time to it is at least so long. */
    @Test
    void aMedianAgainstALowerBoundIsAtLeastThat() {
        Comparison times = Comparer.of(
                List.of(
                        side("a", "x", times(60, Optional.empty(), 10, 11, 12, 13, 14, 15)),
                        side("b", "x", times(60, Optional.of("C2 still waited"), 40, 41, 42, 43, 60, 60))),
                "t90",
                0.05,
                CONFIG);

        assertThat(ComparisonText.terminal(List.of(times), false, TerminalStyle.plain()))
                .contains(">= 42.5 (4 of 6)");
    }

    /** Nights are known of the peak, and not of a time that tonight's runs did not reach. */
    @Test
    void whatEarlierSessionsSayOfOneMetricTheyDoNotSayOfAll() {
        List<Configuration> nights = IntStream.range(0, 4)
                .mapToObj(night -> side(
                        "svc",
                        "night " + night,
                        measured(Metric.PEAK, 1000 + 10 * night, 1001 + 10 * night, 1002 + 10 * night),
                        times(60, Optional.empty(), 20 + night, 21 + night, 22 + night)))
                .toList();
        List<Configuration> sides = List.of(
                side("svc", "a", measured(Metric.PEAK, 1000, 1001, 1002), times(60, Optional.empty(), 20, 21, 22)),
                side("svc", "b", measured(Metric.PEAK, 500, 501, 502), times(60, Optional.empty(), 60, 60, 60)));
        Comparison found = Comparer.of(sides, new EarlierSessions(nights).of(sides), "peak", 0.05, CONFIG);
        Against against = found.others().getFirst();

        assertThat(against.metrics())
                .extracting(MetricComparison::verdict)
                .containsExactly(Conclusion.LOWER, Conclusion.TWO_SESSIONS);
        assertThat(new ComparisonWords(found).title(against)).isEqualTo("svc against svc, 3 against 3 runs");
        assertThat(found.notes())
                .singleElement()
                .asString()
                .contains("(standard deviation): peak ")
                .endsWith("; they do not say it of T90: an interval of that holds for these two only");
    }

    /** Without a pause it is the throughput whose interval chose the number of runs. */
    @Test
    void anAdaptiveNumberOfRunsWidensTheIntervalOfTheThroughput() {
        Configuration a = side("a", "x", measured(Metric.THROUGHPUT, 100, 101, 102, 103, 104));
        Configuration b = side("b", "x", measured(Metric.THROUGHPUT, 103, 104, 105, 106, 107));
        Configuration chosen = new Configuration("b", b.origin(), List.of(), b.metrics(), List.of(), true, List.of());

        assertThat(compare(a, b).change().confidence()).isCloseTo(0.95, within(1e-12));
        assertThat(compare(a, chosen).change().confidence()).isCloseTo(0.97, within(1e-12));
    }

    /** Two tests at 5 % leave 90 %; where the interval's width decided how many runs there are, they are at 3 %. */
    @Test
    void aGateOfAnAdaptiveNumberOfRunsHasAWiderIntervalToo() {
        Configuration a = side("a", "x", measured(Metric.PEAK, 100, 101, 102, 103, 104), times());
        Configuration b = side("b", "x", measured(Metric.PEAK, 103, 104, 105, 106, 107), times());
        Configuration chosen = new Configuration("b", b.origin(), List.of(), b.metrics(), List.of(), true, List.of());
        GateRow peak = gate("peak", -5, chosen, a);

        assertThat(gate("peak", -5, b, a).found().orElseThrow().change().confidence())
                .isCloseTo(0.9, within(1e-12));
        assertThat(peak.found().orElseThrow().change().confidence()).isCloseTo(0.94, within(1e-12));
        assertThat(GateText.markdown(
                        new GateResult("b", "a", List.of(peak, gate("t90", 10, chosen, a)), 1, 1, List.of())))
                .contains(
                        "| 90 % interval |",
                        " (94 %) |",
                        "so that each side has 5 %",
                        "an interval names its level where its width decided how many runs there are");
        assertThat(GateText.markdown(new GateResult("b", "a", List.of(peak), 1, 1, List.of())))
                .contains("| 94 % interval |", "so that each side has 3 %")
                .doesNotContain("(94 %)", "names its level");
    }

    private static GateRow gate(String metric, double percent, Configuration current, Configuration baseline) {
        return Gates.of(
                new Tolerance(metric, percent, false, "t.yaml:1"), current, baseline, EarlierSessions.NONE, 1, 1);
    }

    private static Measured times() {
        return measured(Metric.T90, 20, 21, 22, 23, 24);
    }

    private static MetricComparison compare(Configuration a, Configuration b) {
        return Comparer.of(List.of(a, b), a.metrics().getFirst().metric().id(), 0.05, CONFIG)
                .others()
                .getFirst()
                .metrics()
                .getFirst();
    }

    private static Configuration side(String name, String session, Measured... metrics) {
        return new Configuration(
                name,
                new Configuration.Origin(Optional.of(session), session, name),
                List.of(),
                List.of(metrics),
                List.of(),
                false,
                List.of());
    }

    private static Measured measured(Metric metric, double... values) {
        return new Measured(
                Quantity.of(metric),
                IntStream.range(0, values.length)
                        .mapToObj(i -> new Measured.Observation(i + 1, values[i], false))
                        .toList());
    }

    /** Runs of no block, so that two groups are compared. */
    private static Measured times(double horizon, Optional<String> lowerBound, double... values) {
        return new Measured(
                Quantity.of(Metric.T90),
                IntStream.range(0, values.length)
                        .mapToObj(i -> new Measured.Observation(0, values[i], values[i] >= horizon))
                        .toList(),
                OptionalDouble.of(horizon),
                0,
                lowerBound);
    }
}
