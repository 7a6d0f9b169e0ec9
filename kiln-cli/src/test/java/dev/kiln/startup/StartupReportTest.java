package dev.kiln.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.model.run.Course.StartPhase;
import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartSample;
import dev.kiln.report.Golden;
import dev.kiln.report.TerminalStyle;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StartupReportTest {
    private final StartupResult result = StartupSamples.result();

    @Test
    void theTableIsTheOnePeopleRead() {
        Golden.check("startup/startup.golden.csv", () -> StartupReport.csv(result));
        assertThat(StartupReport.csv(result))
                .startsWith("Run,A,B\n1,544,512\n")
                .contains("\nGeomean,554.94,512.17\nStdev,7.90,5.65\n");
    }

    @Test
    void theTerminalHasMeanAndSpreadAndOneSentence() {
        Golden.check("startup/startup.golden.txt", () -> StartupReport.terminal(result, false, TerminalStyle.plain()));
        assertThat(StartupReport.terminal(result, false, TerminalStyle.plain()))
                .contains(
                        "555 \u00b1 8      544 \u2026 571",
                        "B is 1.08 times faster than A (1.07\u20131.10, 95 % interval).")
                .doesNotContain("database", "Run,A,B", "Ratio");
    }

    @Test
    void verboseAddsTheTableAndAllRatios() {
        assertThat(StartupReport.terminal(result, true, TerminalStyle.plain()))
                .contains(
                        "\n" + StartupReport.csv(result),
                        "\nRatio B/A 0.9229 [0.9115, 0.9345] (95 %, by pairs)\ntime until then: ");
        assertThat(StartupReport.markdown(result, true))
                .contains("| Run | A | B |", "- Ratio B/A 0.9229 \\[0.9115, 0.9345\\]");
    }

    /** Whoever sees five pairs must read that they decide nothing before the figures. */
    @Test
    void tooFewPairsAreToldBeforeTheTable() {
        List<StartSample> samples = StartupSamples.evidence().samples().stream()
                .filter(sample -> sample.pair() <= 6)
                .toList();
        StartupResult five = new StartupAssessment(0.05)
                .of(StartupSamples.of(StartupSamples.evidence().sides(), samples));

        String text = StartupReport.terminal(five, false, TerminalStyle.plain());

        assertThat(text).containsOnlyOnce("Too few to tell: at least 6 pairs can show a difference");
        assertThat(text.indexOf("Too few to tell")).isLessThan(text.indexOf("mean \u00b1"));
        assertThat(text).doesNotContain("faster");
    }

    /** Its figures are of a clock, and not of the kernel's ticks, whatever it is called. */
    @Test
    void aPhaseNamedAfterTheCpuKeepsItsDecimals() {
        StartupEvidence some = StartupSamples.evidence();
        List<StartSample> samples = some.samples().stream()
                .map(one -> new StartSample(
                        one.pair(),
                        one.side(),
                        one.value(),
                        one.readyNanos(),
                        one.rssBytes(),
                        one.cpuNanos(),
                        List.of(new StartPhase("CPU probing", 1_234_000))))
                .toList();

        assertThat(StartupReport.csv(new StartupAssessment(0.05).of(StartupSamples.of(some.sides(), samples))))
                .contains("\nCPU probing ms Geomean,1.234,1.234\n");
    }

    @Test
    void markdownCanBePasted() {
        Golden.check("startup/startup.golden.md", () -> StartupReport.markdown(result, false));
    }

    @Test
    void jsonIsSealed() {
        Golden.check("startup/startup.golden.json", () -> StartupJson.render(result));
        JsonNode json = JsonMapper.shared().readTree(StartupJson.render(result));
        assertThat(json.at("/main/ratio/value").asDouble()).isCloseTo(0.9229, within(0.00005));
        assertThat(json.at("/outcome").asString()).isEqualTo("lower");
        assertThat(json.at("/how/commands/0/command/1").asString()).isEqualTo("-Dtoken=***");
    }

    @Test
    void ofThreeCommandsEachIsComparedWithTheFirst() {
        StartupResult three = StartupSamples.three();
        String text = StartupReport.terminal(three, true, TerminalStyle.plain());

        assertThat(text)
                .contains(
                        "10 rounds after 1 discarded",
                        "\nC: env PORT=${port} java -jar new.jar (cpus: 1)\n",
                        "\nRun,A,B,C\n1,544,512,520\n",
                        "\nGeomean,554.94,512.17,5",
                        "\nRatio B/A 0.9229 [0.9093, 0.9367] (97.5 %, by rounds)\nRatio C/A ",
                        "\nRSS, B/A: 1.1187 [",
                        "\nB is 1.08 times faster than A (1.07\u20131.10, 97.5 % interval).\nC is 1.07 times faster than A (");
        assertThat(StartupReport.markdown(three, false))
                .contains(
                        "| A | 555", "| C | 520", "**B is 1.08 times faster than A", "**C is 1.07 times faster than A");
        JsonNode json = JsonMapper.shared().readTree(StartupJson.render(three));
        assertThat(json.at("/names/2").asString()).isEqualTo("C");
        assertThat(json.at("/runs/0/values/2").asInt()).isEqualTo(520);
        assertThat(json.at("/main/commands/0").has("ratio")).isFalse();
        assertThat(json.at("/main/commands/1/name").asString()).isEqualTo("B");
        assertThat(json.at("/main/commands/1/figures/geomean").asDouble()).isCloseTo(512.17, within(0.005));
        assertThat(json.at("/main/commands/1/ratio/value").asDouble()).isCloseTo(0.9229, within(0.00005));
        assertThat(json.at("/comparisons/0/name").asString()).isEqualTo("B");
        assertThat(json.at("/comparisons/1/outcome").asString()).isEqualTo("lower");
        assertThat(json.at("/confidence").asDouble()).isEqualTo(0.975);
        assertThat(json.at("/how/commands/2/modifiers").asString()).isEqualTo("cpus: 1");
        assertThat(json.propertyNames()).doesNotContain("outcome", "pairsNeeded");
    }
}
