package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.study.StartupResult;
import dev.kiln.report.json.StartupJson;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StartupReportTest {
    private final StartupResult result = StartupSamples.result();

    @Test
    void theTableIsTheOnePeopleRead() {
        Golden.check("startup.golden.csv", () -> StartupReport.csv(result));
        assertThat(StartupReport.csv(result))
                .startsWith("Run,A,B\n1,544,512\n")
                .contains("\nGeomean,554.94,512.17\nStdev,7.90,5.65\n");
    }

    @Test
    void theTerminalAddsRatioAndVerdict() {
        Golden.check("startup.golden.txt", () -> StartupReport.terminal(result, TerminalStyle.plain()));
        assertThat(StartupReport.terminal(result, TerminalStyle.plain()))
                .contains(
                        "Ratio B/A 0.9229 [0.9115, 0.9345] (95 %, by pairs)",
                        "B is faster than A, by 7.7 % (6.5 to 8.9).")
                .doesNotContain("database");
    }

    @Test
    void markdownCanBePasted() {
        Golden.check("startup.golden.md", () -> StartupReport.markdown(result));
    }

    @Test
    void jsonIsSealed() {
        Golden.check("startup.golden.json", () -> StartupJson.render(result));
        JsonNode json = JsonMapper.shared().readTree(StartupJson.render(result));
        assertThat(json.at("/main/ratio/value").asDouble()).isCloseTo(0.9229, within(0.00005));
        assertThat(json.at("/outcome").asString()).isEqualTo("lower");
        assertThat(json.at("/how/commands/0/command/1").asString()).isEqualTo("-Dtoken=***");
    }
}
