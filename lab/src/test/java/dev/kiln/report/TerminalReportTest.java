package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.ExperimentResult;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalReportTest {
    @Test
    void saysTheWholeInOneTableOneSentenceAndFootnotes() {
        String text = TerminalReport.render(Samples.platformAgainstVirtual(1), TerminalStyle.plain());

        assertThat(text).isEqualTo("""
                Spring Boot: platform threads against virtual threads
                protocol quick: 60 s load, 15 s pause, 20 s load

                                  start    first  req/s, end  reference   T90  warm-up   C2 CPU /   valid
                                      s  resp. s  of warm-up       peak     s   cost s     wait %    runs
                platform threads    8.8      9.2       2,077   ≥ 4,674¹  > 60       41     3 / 97  1 of 1
                virtual threads     8.7      9.1       5,781     5,617     21     13.4  0.4 / 0.4  1 of 1

                platform threads: still climbing: C2 starved of CPU
                virtual threads: peaked

                virtual threads reached 90 % of peak after 21 s; platform threads did not within 60 s, and served at
                most 44 % of peak while C2 waited for a CPU 97 % of the time.

                 1 Throughput was not steady after the pause either, so the peak is at least this and times to it
                   are lower bounds.
                 2 Load and database share CPU 1, which was busy 93 % of the time under virtual threads: their peak
                   may be the lab's, not the service's.
                 3 Exploratory: 1 runs a variant cannot show a difference at the 5 % level.
                """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tr-TR", "de-DE"})
    void readsTheSameUnderEveryLocale(String locale) {
        ExperimentResult result = Samples.platformAgainstVirtual(3);

        assertThat(Locales.under(locale, () -> TerminalReport.render(result, TerminalStyle.plain())))
                .isEqualTo(TerminalReport.render(result, TerminalStyle.plain()));
    }

    @Test
    void fitsNarrowTerminalsInPlainAscii() {
        String text = TerminalReport.render(Samples.platformAgainstVirtual(3), new TerminalStyle(80, false, false));

        assertThat(text).matches("\\p{ASCII}*").contains(">= 4,674[1]", "0 of 3", "21-23");
        assertThat(text.lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void coloursNothingUnlessTold() {
        ExperimentResult result = Samples.platformAgainstVirtual(1);
        String coloured = TerminalReport.render(result, new TerminalStyle(100, true, true));

        assertThat(coloured).contains("\u001b[");
        assertThat(coloured.replaceAll("\u001b\\[\\d+m", ""))
                .isEqualTo(TerminalReport.render(result, TerminalStyle.plain()));
    }

    @Test
    void whatIsAbsentIsADashWithItsReason() {
        String text = TerminalReport.render(Samples.nothingToSay(), TerminalStyle.plain());

        assertThat(text).contains("\u2013¹", "1 The service was never seen ready.", "the target died 3 s after launch");
    }

    @Test
    void runsThatDisagreeInClassAreCountedNotPooled() {
        List<RunResult> runs = List.of(
                SampleRun.FED.run("mixed", 1), SampleRun.FED.run("mixed", 2), SampleRun.STARVED.run("mixed", 3));
        Cell cell = new TimeCells(1).of(new VariantResult("mixed", Optional.empty(), runs), 90);

        assertThat(cell.text()).isEqualTo("mixed");
        assertThat(cell.range()).contains("2 of 3");
        assertThat(cell.note())
                .contains("mixed: runs disagree (1 no steady state, 2 warmup), so their times are not pooled");
    }

    @Test
    void aTimeHiddenInNoiseIsMarked() {
        Cell cell = new TimeCells(1).of(SampleRun.FED.run("virtual", 1), 99);

        assertThat(cell.text()).isEqualTo("(30)");
        assertThat(cell.note().orElseThrow()).contains("varies by 2 %", "99 % of peak");
    }
}
