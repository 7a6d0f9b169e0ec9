package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.RunResult.Caveats;
import dev.kiln.explain.RunResult.Explanation;
import dev.kiln.explain.RunResult.Observation;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.budget.Budgets.BudgetCurve;
import dev.kiln.explain.budget.RunningCode;
import dev.kiln.explain.window.Window;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Verdict;
import dev.kiln.model.run.WaitKind;
import dev.kiln.report.terminal.ExplanationText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExplanationTextTest {
    @Test
    void verdictThenWhatHeldThenTheRest() {
        assertThat(ExplanationText.render(SampleRun.STARVED.run("platform", 1), TerminalStyle.plain()))
                .isEqualTo("""
                        platform 1
                        False plateau: it ended at 2,077 req/s, between 40 and 42 % of its peak of at least 4,823; C2 got
                        3.4 % of a CPU and waited for one 96.6 % of the time.

                        Where the time of a request goes, ms
                                                   first  at the  after the
                                                    10 s     end      pause
                        running                     10.7    4.65       2.00
                          interpreted               1.07    0.47       0.20
                          compiled by C1            7.47    3.26       1.40
                          compiled by C2            1.60    0.70       0.30
                          native code               0.53    0.23       0.10
                        running in the kernel       3.56    1.55       0.67
                        waiting for a CPU           26.7    11.6       5.00
                        stopped by collections      1.33    0.58       0.25
                        other stops of the JVM      0.44    0.19       0.08
                          until all threads stood   0.27    0.12       0.05
                        the rest                    1.78    0.78       0.33
                        response time               44.5    19.4       8.33

                        C2 starved of CPU  c2-starved
                          - C2 got 3.4 % of a CPU and waited for one 96.6 % of the time (seconds 30–60)
                          - efficiency 5 %
                          Remedies:
                          > give the C2 threads priority now: renice -n -20 -p TID. Live process; costs: needs CAP_SYS_NICE

                        Forecast: C2 not done before 110 s (by second 60 it got 3.4 % of a CPU).

                        Ruled out
                          - gc: 2.3 % of the time

                        Not observable
                          - code-cache-full: the code cache was not recorded
                        """);
    }

    @Test
    void aHealthyRunHasNoCause() {
        assertThat(ExplanationText.render(SampleRun.FED.run("virtual", 2), new TerminalStyle(80, false, false)))
                .isEqualTo("""
                        virtual 2
                        Peaked: at the end it served at least 90 % of its peak.
                        It was level within 5 % for the last 38 s.

                        Where the time of a request goes, ms
                                                                                first  at the  after the
                                                                                 10 s     end      pause
                        running                                                  17.5    2.09       2.11
                          compiled by C1                                         3.49    0.42       0.42
                          compiled by C2                                         13.1    1.57       1.59
                          native code                                            0.87    0.10       0.11
                          in exceptions                                          0.87    0.10       0.11
                          in JSON and other serialisation                        3.49    0.42       0.42
                          in the application's own code                          8.73    1.05       1.06
                          in other code                                          4.37    0.52       0.53
                        running in the kernel                                    4.66    0.56       0.56
                        waiting for a CPU                                        5.82    0.70       0.70
                        stopped by collections                                   1.75    0.21       0.21
                        other stops of the JVM                                   0.58    0.07       0.07
                          until all threads stood                                0.35    0.04       0.04
                        blocked                                                     -    3.20          -
                          park ConcurrentBag.borrow:151, java.util.concurre...      -    2.09          -
                          socket VisibleBufferedInputStream.read:191, read          -    1.05          -
                          sleep demo.Retry.pause:12                                 -    0.06          -
                        the rest                                                 27.9    0.15       3.38
                        response time                                            58.2    6.97       7.05
                        What the code is for is known within 0.35 ms in the first 10 s (1,200 samples),
                        within 0.04 ms at the end (1,200 samples), within 0.04 ms after the pause (1,200
                        samples), at 95 %. The rest is 48 % after the pause: thread dumps would split
                        it, and none was taken then.

                        No cause is confirmed.

                        Ruled out
                          - c2-starved: C2 waited 0.4 % of the time
                        """);
    }

    /** Many a service comes to its peak in the end, and late: what kept it from there is seen before the end alone. */
    @Test
    void aStarvationThatEndedLateIsSaidBesideTheVerdict() {
        assertThat(ExplanationText.render(starvedUntil(40), TerminalStyle.plain()))
                .contains("C2 was starved of CPU earlier: from second 0 on, the last time until second 40.")
                .contains("""
                        No cause is confirmed.

                        What gives C2 more CPU on the way to the peak
                          > let callers wait: -Xbatch. Launch flag; costs: slow requests at first
                        """);
        assertThat(ExplanationText.render(starvedUntil(5), TerminalStyle.plain()))
                .doesNotContain("starved of CPU earlier")
                .doesNotContain("What gives C2 more CPU");
    }

    private static RunResult starvedUntil(double second) {
        RunResult run = SampleRun.FED.run("a", 1);
        Finding finding = new Finding(
                "c2-starved",
                "C2 starved of CPU",
                Finding.Curve.C2,
                Finding.FindingState.RULED_OUT,
                0,
                Set.of(),
                List.of(
                        new Finding.Proof("C2 got 0.5 % of a CPU", Optional.of(new Finding.Moment(45, 60))),
                        new Finding.Proof("it was starved", Optional.of(new Finding.Moment(0, second)))),
                List.of(new Finding.FindingRemedy(
                        "let callers wait", "-Xbatch", "slow requests at first", Finding.RemedyPlace.LAUNCH_FLAG)));
        return new RunResult(
                run.id(),
                run.caveats(),
                run.throughput(),
                run.since(),
                run.served(),
                run.observation(),
                new Explanation(new Verdict.Peaked(false), List.of(finding), List.of()));
    }

    private static RunResult with(Budgets budgets, String... notes) {
        RunResult run = SampleRun.FED.run("a", 1);
        return new RunResult(
                run.id(),
                new Caveats(List.of(), List.of(notes), Optional.empty(), false, Optional.empty()),
                run.throughput(),
                run.since(),
                run.served(),
                new Observation(run.observed(), run.curves(), budgets, List.of()),
                new Explanation(new Verdict.Peaked(false), List.of(), List.of()));
    }

    private static Budgets end(Map<BudgetPart, Double> millis, BlockedTime... blocked) {
        double response =
                millis.values().stream().mapToDouble(Double::doubleValue).sum();
        Budget end = new Budget(
                new Window(0, 1),
                100,
                response,
                millis,
                RunningCode.NONE,
                List.of(blocked),
                OptionalDouble.empty(),
                Optional.empty(),
                OptionalDouble.empty());
        return new Budgets(Optional.empty(), Optional.of(end), Optional.empty(), new BudgetCurve(List.of()));
    }

    @Test
    void ofALargeRestItSaysWhatWouldSplitItAndWhatWasNotRecorded() {
        RunResult run = with(
                end(Map.of(BudgetPart.RUNNING, 80.0, BudgetPart.CPU_LIMIT, 0.004, BudgetPart.REST, 20.0)),
                "modified: xbatch",
                "not recorded: thread dumps: one took 31 ms",
                "not recorded: memory: no hsperfdata");

        assertThat(ExplanationText.render(run, new TerminalStyle(80, false, true)))
                .contains("""

                        Where the time of a request goes, ms
                                       at the
                                          end
                        running          80.0
                        the rest         20.0
                        response time     100
                        The rest is 20 % at the end: thread dumps would split it, and none was taken
                        then (thread dumps: one took 31 ms). Not recorded, and so in it: waiting for a
                        CPU, stopped by collections, other stops of the JVM (memory: no hsperfdata).
                        --flight-recorder would split the time in which it runs.

                        """);
    }

    @Test
    void theFiveLongestPlacesStandUnderWhatIsBlockedAndFitTheTerminal() {
        BlockedTime[] places = IntStream.rangeClosed(1, 7)
                .mapToObj(i -> new BlockedTime(
                        WaitKind.MONITOR,
                        "org.example.pool.of.connections.Pool.get:" + i,
                        "held by http-nio-8080-exec-" + i,
                        i))
                .toArray(BlockedTime[]::new);
        Budgets budgets = end(Map.of(BudgetPart.BLOCKED, 28.0, BudgetPart.REST, 2.0), places);

        assertThat(ExplanationText.render(with(budgets), new TerminalStyle(100, false, true)))
                .containsSubsequence(
                        "\nblocked",
                        "\n  monitor org.example.pool.of.connections.Pool.get:7, held by http-nio-8080-exec-7    7.00\n",
                        "  monitor org.example.pool.of.connections.Pool.get:6, held by http-nio-8080-exec-6    6.00\n")
                .contains("Pool.get:3,")
                .doesNotContain("Pool.get:2,", "The rest");
        String narrow = ExplanationText.render(with(budgets), new TerminalStyle(60, false, true));
        assertThat(narrow).contains("\n  monitor Pool.get:7, held by http-nio-8080-exec-7    7.00\n");
        assertThat(narrow.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(60));
    }

    @Test
    void onATerminalNoLineIsWider() {
        RunResult run = SampleRun.STARVED.run("platform", 1);
        for (int width : new int[] {40, 60, 80}) {
            assertThat(ExplanationText.render(run, new TerminalStyle(width, false, true))
                            .lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
        }
        Finding starved =
                run.explanation().findings(Finding.FindingState.CONFIRMED).getFirst();
        String head = starved.title() + "  " + starved.id();
        assertThat(ExplanationText.confirmed(starved, new TerminalStyle(20, TerminalStyle.FILE, false, true)))
                .startsWith("\n" + head + "\n");
        assertThat(ExplanationText.confirmed(starved, new TerminalStyle(head.length() - 1, false, true)))
                .startsWith("\n" + starved.title() + "\n  " + starved.id() + "\n");
    }

    @Test
    void withoutABudgetThereIsNoTable() {
        assertThat(ExplanationText.render(with(Budgets.NONE), TerminalStyle.plain()))
                .doesNotContain(BudgetTable.TITLE);
    }

    @Test
    void aPeakWithoutC2IsSaidToBeOne() {
        assertThat(VerdictWords.sentence(new Verdict.Peaked(false, Verdict.PeakCode.C1)))
                .isEqualTo("Peaked: at the end it served at least 90 % of its peak, as C1 code.");
        assertThat(VerdictWords.sentence(new Verdict.Peaked(true, Verdict.PeakCode.INTERPRETED)))
                .isEqualTo(
                        "Peaked: at the end it served at least 90 % of its peak, as interpreted code, by throughput alone:"
                                + " the compilers were not watched.");
    }

    @Test
    void everyVerdictIsASentence() {
        assertThat(Stream.of(
                                new Verdict.FalsePlateau(List.of("a", "b")),
                                new Verdict.BelowPeak(
                                        "it ended at 3,297 req/s, 43 % of the 7,673 that it served after the pause"),
                                new Verdict.Slowing(false),
                                new Verdict.Slowing(true),
                                new Verdict.Cycling(2010, 1204.4, 20),
                                new Verdict.StoppedServing(41),
                                new Verdict.Invalid(List.of("it died")),
                                new Verdict.CannotTell("it ended between 86 and 101 % of its peak", "about 3 runs"))
                        .map(VerdictWords::sentence))
                .containsExactly(
                        "False plateau: a; b.",
                        "Below peak: it ended at 3,297 req/s, 43 % of the 7,673 that it served after the pause; Kiln"
                                + " cannot tell whether it was level or rising.",
                        "Slowing: it served more before.",
                        "Slowing: the load after the pause served less.",
                        "Cycling: it changes between 2,010 and 1,204 req/s about every 20 s.",
                        "Stopped: next to nothing was served from second 41 to the end of the load.",
                        "Invalid: it died.",
                        "Cannot tell: it ended between 86 and 101 % of its peak; about 3 runs would decide.");
    }

    @Test
    void whatTheFirstLoadHadIsNoCauseOfALaterOne() {
        List<Finding> findings =
                SampleRun.STARVED.run("platform", 1).explanation().findings();

        assertThat(new Explanation(new Verdict.StillClimbing("it ended low"), findings, List.of()).causes())
                .extracting(Finding::id)
                .containsExactly("c2-starved");
        assertThat(new Explanation(new Verdict.Slowing(true), findings, List.of()).causes())
                .isEmpty();
    }

    @Test
    void runsThatDisagreeAreCounted() {
        var mixed = new VariantResult(
                "mixed",
                Optional.empty(),
                List.of(
                        SampleRun.FED.run("mixed", 1),
                        SampleRun.STARVED.run("mixed", 2),
                        SampleRun.FED.run("mixed", 3)),
                Optional.empty(),
                Optional.empty());

        assertThat(VerdictWords.of(mixed)).isEqualTo("2 peaked, 1 false plateau");
        assertThat(VerdictWords.causes(mixed, 2))
                .as("confirmed in one of three runs")
                .isEmpty();
    }
}
