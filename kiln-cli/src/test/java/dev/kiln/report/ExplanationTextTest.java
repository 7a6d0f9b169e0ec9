package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.RunResult.Explanation;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Verdict;
import dev.kiln.report.terminal.ExplanationText;
import java.util.List;
import java.util.Optional;
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

                        No cause is confirmed.

                        Ruled out
                          - c2-starved: C2 waited 0.4 % of the time
                        """);
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
                                new Verdict.BelowPeak(),
                                new Verdict.Slowing(false),
                                new Verdict.Slowing(true),
                                new Verdict.Cycling(2010, 1204.4, 20),
                                new Verdict.StoppedServing(41),
                                new Verdict.Invalid(List.of("it died")),
                                new Verdict.CannotTell("it ended between 86 and 101 % of its peak", "about 3 runs"))
                        .map(VerdictWords::sentence))
                .containsExactly(
                        "False plateau: a; b.",
                        "Below peak: it ended below its peak, and Kiln cannot tell whether it was level or"
                                + " rising.",
                        "Slowing: it served more before.",
                        "Slowing: the load after the pause served less.",
                        "Cycling: it changes between 2,010 and 1,204 req/s about every 20 s.",
                        "Stopped: next to nothing was served from second 41 on.",
                        "Invalid: it died.",
                        "Cannot tell: it ended between 86 and 101 % of its peak; about 3 runs would decide.");
    }

    @Test
    void whatTheFirstLoadHadIsNoCauseOfALaterOne() {
        List<Finding> findings =
                SampleRun.STARVED.run("platform", 1).explanation().findings();

        assertThat(new Explanation(new Verdict.StillClimbing(), findings, List.of()).causes())
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
                Optional.empty());

        assertThat(VerdictWords.of(mixed)).isEqualTo("2 peaked, 1 false plateau");
        assertThat(VerdictWords.causes(mixed, 2))
                .as("confirmed in one of three runs")
                .isEmpty();
    }
}
