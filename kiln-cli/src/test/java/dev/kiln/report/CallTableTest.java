package dev.kiln.report;

import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.report.json.ResultJson;
import dev.kiln.report.terminal.TerminalReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The calls of a mix, as each rendering shows them. */
class CallTableTest {
    private static ExperimentResult mix() {
        double[] slow = then(seconds(30, 50), seconds(60, 200));
        double[] both = then(seconds(30, 90), seconds(60, 240));
        return HandMade.assess(HandMade.measured("a", 240, both)
                .call("warmup", 10, "slow", 8, slow)
                .call("warmup", 10, "GET /<x>", 2, seconds(90, 40))
                .call("measure", 115, "slow", 4, seconds(20, 200))
                .call("measure", 115, "GET /<x>", 1, seconds(20, 40)));
    }

    @Test
    void theTerminalShowsATableOfCalls() {
        assertThat(TerminalReport.render(mix(), TerminalStyle.plain())).contains("""
                        call      requests  errors  T90  warm-up  p50 ms,  p99 ms,      p99 ms,
                                                      s   cost s      end      end  after pause
                        slow        17,500       0   30       23     8.00     16.0         8.00
                        GET /<x>     4,400       0    0     0.00     2.00        –            –
                        """);
    }

    @Test
    void withOneCallThereIsNoTable() {
        ExperimentResult result = Samples.platformAgainstVirtual(1);
        assertThat(CallTable.of(result).rows()).isEmpty();
        assertThat(HtmlReport.render(result)).doesNotContain("<section id=\"calls\">");
        assertThat(ResultJson.render(result)).doesNotContain("\"whyNoPeak\"");
    }

    @Test
    void thePageShowsATableOfCalls() {
        assertThat(HtmlReport.render(mix()))
                .contains("<section id=\"calls\"><h2>Calls</h2>", "GET /&lt;x&gt;</th><td>4,400</td>");
    }

    /** What the charts of a page draw. */
    private static String data(String page) {
        String before = "<script type=\"application/json\" id=\"data\">";
        int from = page.indexOf(before) + before.length();
        return page.substring(from, page.indexOf("</script>", from));
    }

    @Test
    void thePageDrawsEachCall() {
        ExperimentResult result = mix();
        assertThat(HtmlReport.render(result))
                .contains("Throughput of each call <small>requests per second</small>", "Latency of each call");
        JsonNode data = JsonMapper.shared().readTree(data(HtmlReport.render(result)));
        assertThat(data.at("/calls").size()).isEqualTo(2);
        assertThat(data.at("/calls/1").asString()).isEqualTo("GET /<x>");
        JsonNode run = data.at("/variants/0/runs/0");
        assertThat(run.at("/at0").size()).as("seconds of both loads").isEqualTo(110);
        assertThat(run.at("/at0/90").asDouble()).as("after the pause").isEqualTo(105);
        assertThat(run.at("/ar0/29").asDouble()).isEqualTo(50);
        assertThat(run.at("/ar0/30").asDouble()).isEqualTo(200);
        assertThat(run.at("/ap0/109").asDouble()).isEqualTo(8);
    }

    @Test
    void ofManyCallsTheFirstAreDrawnAndTheTableHasAll() {
        HandMade made = HandMade.measured("a", 1500, seconds(90, 1500));
        for (int i = 1; i <= 15; i++) {
            made.call("warmup", 10, "call " + i, 8, seconds(90, 100))
                    .call("measure", 115, "call " + i, 8, seconds(20, 100));
        }
        String page = HtmlReport.render(HandMade.assess(made));
        assertThat(page)
                .contains("requests per second; the first 12 of 15 calls</small>", "call 15</th><td>11,000</td>");
        assertThat(JsonMapper.shared().readTree(data(page)).at("/calls").size()).isEqualTo(12);
    }

    @Test
    void theJsonOfCallsFollowsItsSchema() throws IOException {
        String json = ResultJson.render(mix());
        try (InputStream in = ResultJson.class.getResourceAsStream("/dev/kiln/report/result.schema.json")) {
            assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                            .getSchema(new String(in.readAllBytes(), StandardCharsets.UTF_8), InputFormat.JSON)
                            .validate(json, InputFormat.JSON))
                    .isEmpty();
        }
        JsonNode calls = JsonMapper.shared().readTree(json).at("/variants/0/runs/0/calls");
        assertThat(calls.size()).isEqualTo(2);
        assertThat(calls.at("/0/name").asString()).isEqualTo("slow");
        assertThat(calls.at("/0/requests").asLong()).isEqualTo(17_500);
        assertThat(calls.at("/0/timeToReferencePeak/90").asDouble()).isEqualTo(30);
        assertThat(calls.at("/0/timeToReferencePeakInterval/90/lo").isNumber()).isTrue();
        assertThat(calls.at("/0/endOfWarmup/p99Millis").asDouble()).isEqualTo(16);
        assertThat(calls.at("/0/whyNoPeak").isNull()).isTrue();
        assertThat(calls.at("/1/endOfWarmup/p99Millis").isNull()).isTrue();
    }
}
