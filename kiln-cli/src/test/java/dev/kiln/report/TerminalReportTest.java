package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.report.terminal.TerminalReport;
import dev.kiln.text.TerminalWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
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

                                  start    first  req/s, end     peak,          T90  warm-up   C2 CPU /   valid
                                      s  resp. s  of warm-up     req/s            s   cost s     wait %    runs
                platform threads    8.8      9.2       2,068  ≥ 4,823¹  not reached       38     3 / 97  1 of 1
                                                                            in 60 s
                virtual threads     8.7      9.1       5,776    5,741            21     13.1  0.4 / 0.4  1 of 1
                                                                              17–23
                JDK: Eclipse Adoptium 25.0.3+9-LTS (/usr/lib/jvm/java-25)

                platform threads: false plateau (C2 starved of CPU)
                virtual threads: peaked

                virtual threads reached 90 % of peak after 21 s; platform threads did not within 60 s, and served at
                most 44 % of peak while C2 waited for a CPU 97 % of the time.

                 1 C2 still waited for a CPU in the load after the pause, so the peak is at least this and times to
                   it are lower bounds.
                 - One run: the two times under T90 are its interval: noise hides when between them the peak was
                   reached. Intervals of one run are of 95 %, but for two: that of the end over the peak is of 84 %,
                   because it decides the verdict (each side is wrong in 8 %), and that of the change at the end is
                   of 99.7 %, because it tells a level from a rise.
                 - Load and database share CPU 1, which was busy 93 % of the time under virtual threads: their peak
                   may be the lab's, not the service's.
                 - Exploratory: 1 runs a variant cannot show a difference at the 5 % level.
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

        assertThat(text).matches("\\p{ASCII}*").contains(">= 4,819[1]", "3 of 3", "12.5-13.1");
        assertThat(text.lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void whereNoTableFitsEachFigureHasALine() {
        String text = TerminalReport.render(Samples.platformAgainstVirtual(1), new TerminalStyle(40, false, true));

        assertThat(text)
                .contains("platform threads\n  start s: 8.8\n", "  peak, req/s: ≥ 4,823¹\n", "  T90 s: 21 (17–23)\n")
                .contains("  T90 s: not reached (in 60 s)\n");
        assertThat(text.lines()).allMatch(line -> line.length() <= 40);
    }

    @Test
    void coloursNothingUnlessTold() {
        ExperimentResult result = Samples.platformAgainstVirtual(1);
        StringWriter shown = new StringWriter();
        PrintWriter terminal = new PrintWriter(new TerminalWriter(shown));
        terminal.print(TerminalReport.render(result, new TerminalStyle(100, true, true)));
        terminal.flush();
        String coloured = shown.toString();

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
    void runsThatDifferAreShownWithTheirRange() {
        List<RunResult> runs = List.of(
                SampleRun.FED.run("mixed", 1), SampleRun.FED.run("mixed", 2), SampleRun.STARVED.run("mixed", 3));
        Cell cell =
                Cell.time(new VariantResult("mixed", Optional.empty(), runs, Optional.empty(), Optional.empty()), 90);

        assertThat(cell.text()).isEqualTo("21");
        assertThat(cell.range()).contains("21 to > 60");
    }

    @Test
    void aTimeHasItsIntervalBelow() {
        Cell cell = Cell.time(SampleRun.FED.run("virtual", 1), 90);

        assertThat(cell.text()).isEqualTo("21");
        assertThat(cell.range()).contains("17–23");
    }
}
