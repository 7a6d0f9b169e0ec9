package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.VariantResult;
import dev.kiln.model.Verdict;
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
                        Still climbing: throughput was rising when the load ended.

                        C2 starved of CPU  c2-starved
                          - C2 got 3.4 % of a CPU and waited for one 96.6 % of the time (seconds 30–60)
                          - efficiency 5 %
                          Remedies:
                          > favour the C2 threads now: renice -n -20 -p TID. Live process; costs: needs CAP_SYS_NICE

                        Forecast: C2 not done before 110 s (by second 60 it got 3.4 % of a CPU).

                        Ruled out
                          - gc: 2.3 % of the time

                        Not observable
                          - code-cache-full: the code cache was not asked for
                        """);
    }

    @Test
    void aHealthyRunHasNoCause() {
        assertThat(ExplanationText.render(SampleRun.FED.run("virtual", 2), new TerminalStyle(80, false, false)))
                .isEqualTo("""
                        virtual 2
                        Peaked: throughput was steady, not below the reference, and the compilers were
                        quiet.

                        No cause is confirmed.

                        Ruled out
                          - c2-starved: C2 waited 0.4 % of the time
                        """);
    }

    @Test
    void everyVerdictIsASentence() {
        assertThat(Stream.of(
                                new Verdict.FalsePlateau(List.of("a", "b")),
                                new Verdict.Unstable(),
                                new Verdict.Slowing(),
                                new Verdict.Invalid(List.of("it died")),
                                new Verdict.NotEnoughData("15 more seconds"))
                        .map(VerdictWords::sentence))
                .containsExactly(
                        "False plateau: throughput was steady, but held down: a; b.",
                        "Unstable: throughput never settled on one level.",
                        "Slowing: throughput was higher before than at the end of the load.",
                        "Invalid: it died.",
                        "Not enough data: it takes 15 more seconds.");
        assertThat(VerdictWords.reasons(new Verdict.NotEnoughData("15 more seconds")))
                .containsExactly("it takes 15 more seconds");
        assertThat(VerdictWords.reasons(new Verdict.Unstable())).isEmpty();
        assertThat(VerdictWords.reasons(new Verdict.Peaked(true))).hasSize(1);
    }

    @Test
    void runsThatDisagreeAreCounted() {
        var mixed = new VariantResult(
                "mixed",
                Optional.empty(),
                List.of(
                        SampleRun.FED.run("mixed", 1),
                        SampleRun.STARVED.run("mixed", 2),
                        SampleRun.FED.run("mixed", 3)));

        assertThat(VerdictWords.of(mixed)).isEqualTo("2 peaked, 1 still climbing");
        assertThat(VerdictWords.held(mixed, 2)).as("held in one of three runs").isEmpty();
    }
}
