package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult.CheckResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult.Ratio;
import dev.kiln.explain.study.ExperimentResult.ClaimResult.State;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Claim.Check;
import dev.kiln.model.experiment.Claim.Figure;
import dev.kiln.model.experiment.Claim.Number;
import dev.kiln.model.experiment.Claim.Op;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.report.json.ResultJson;
import dev.kiln.report.terminal.TerminalReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ClaimReportsTest {
    private static final Check LOWER = new Check(
            new Figure(1, "", "end-of-warmup", "platform", Optional.empty()),
            Op.LESS,
            new Figure(0.7, "0.7", "peak", "platform", Optional.empty()));
    private static final Check SOON =
            new Check(new Figure(1, "", "t90", "platform", Optional.empty()), Op.AT_MOST, new Number(60, "60"));
    private static final List<ClaimResult> CLAIMS = List.of(
            new ClaimResult(
                    new Claim("It plateaus <and> jumps", "3,300, then 7,800 req/s", List.of(LOWER), Optional.empty()),
                    State.AGREES,
                    List.of(new CheckResult(
                            LOWER,
                            OptionalDouble.of(1752.4),
                            OptionalDouble.of(3271.8),
                            2,
                            false,
                            Optional.of(new Ratio(0.51, 0.56, 0.95)))),
                    List.of()),
            new ClaimResult(
                    new Claim("It is there within a minute", "", List.of(SOON), Optional.empty()),
                    State.DISAGREES,
                    List.of(new CheckResult(
                            SOON,
                            OptionalDouble.of(Double.POSITIVE_INFINITY),
                            OptionalDouble.of(60),
                            2,
                            false,
                            Optional.empty())),
                    List.of()),
            new ClaimResult(
                    new Claim("Elsewhere it is better", "", List.of(), Optional.of("it takes two machines")),
                    State.OPEN,
                    List.of(),
                    List.of("it takes two machines")));

    private static ExperimentResult result() {
        ExperimentResult plain = Samples.platformAgainstVirtual(1);
        return Samples.result(
                plain.name(),
                plain.protocol(),
                plain.variants(),
                plain.conclusion(),
                plain.footnotes(),
                plain.how(),
                CLAIMS,
                Optional.empty(),
                plain.config());
    }

    @Test
    void theTerminalHasAParagraphForEach() {
        assertThat(ClaimWords.terminal(CLAIMS, TerminalStyle.plain())).isEqualTo("""

                Claims
                agrees: It plateaus <and> jumps
                  published: 3,300, then 7,800 req/s; here: end-of-warmup(platform) = 1,752 req/s < 0.7 *
                  peak(platform) = 3,272 req/s (95 % interval of the ratio: 0.510 to 0.560)
                does not agree: It is there within a minute
                  here: t90(platform) = not reached, not <= 60 (every run says so)
                open: Elsewhere it is better
                  here: it takes two machines
                """);
        assertThat(TerminalReport.render(Samples.platformAgainstVirtual(1), TerminalStyle.plain()))
                .doesNotContain("Claims");
    }

    @Test
    void thePageHasATable() {
        assertThat(HtmlReport.render(result()))
                .contains("<section id=\"claims\">")
                .contains("It plateaus &lt;and&gt; jumps")
                .contains("end-of-warmup(platform) = 1,752 req/s &lt; 0.7 * peak(platform) = 3,272 req/s");
        assertThat(HtmlReport.render(Samples.platformAgainstVirtual(1))).doesNotContain("id=\"claims\"");
    }

    @Test
    void thePageToPasteHasMachineAndTable() {
        assertThat(ClaimWords.markdown(result()))
                .startsWith("# " + result().name() + "\n\n- Measured 20")
                .contains("2 CPUs, kernel")
                .contains("- Runs that are valid: platform threads 1, virtual threads 1\n")
                .contains("| Claim | Published | Here | Answer |\n|---|---|---|---|\n")
                .contains(
                        "| It is there within a minute |  | t90(platform) = not reached, not \\<= 60 (every run says so) | does not agree |\n");
    }

    @Test
    void theJsonFollowsItsSchema() throws IOException {
        String json = ResultJson.render(result());

        assertThat(schema().validate(json, InputFormat.JSON)).isEmpty();
        assertThat(json)
                .contains("\"state\" : \"agrees\"")
                .contains("\"state\" : \"does-not-agree\"")
                .contains("\"state\" : \"not-observable\"")
                .contains("\"text\" : \"t90(platform) <= 60\"")
                .contains("\"left\" : null")
                .contains("\"lo\" : 0.51");
        assertThat(schema().validate(json.replace("\"agrees\"", "\"AGREES\""), InputFormat.JSON))
                .isNotEmpty();
    }

    private static Schema schema() throws IOException {
        try (InputStream in = ResultJson.class.getResourceAsStream("/dev/kiln/report/result.schema.json")) {
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(
                            new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8),
                            InputFormat.JSON);
        }
    }
}
