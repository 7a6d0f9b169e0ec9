package dev.kiln.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Sample.Generations;
import dev.kiln.report.Locales;
import dev.kiln.report.TerminalStyle;
import dev.kiln.soak.SoakPlan.SoakSegment;
import dev.kiln.soak.SoakPlan.SoakSegment.SoakLoad;
import dev.kiln.soak.SoakPlan.SoakSegment.SoakMemory;
import dev.kiln.soak.SoakPlan.SoakSegment.SoakWindow;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

public class SoakReportTest {
    /** Its page, for those who look at all pages. */
    public static String page() {
        return SoakReport.page(result());
    }

    /** Three hours in which the heap grows by 50 MiB an hour, in two runs. */
    private static SoakResult result() {
        List<SoakWindow> windows = IntStream.range(0, 300)
                .mapToObj(i -> new SoakWindow(
                        18_000 + i * 37 % 11,
                        i == 5 ? 18 : 0,
                        10_000_000,
                        400L << 20,
                        (100L << 20) + i * (1L << 18),
                        1,
                        0))
                .toList();
        SoakPlan plan = new SoakPlan(1, List.of(), "/", 10_800, 18, 0.001);
        SoakSegment first = new SoakSegment(
                1,
                Outcome.RUNNING,
                Optional.empty(),
                new SoakLoad(5_400, 5_400_000, 18),
                18,
                windows,
                new SoakMemory(
                        OptionalLong.of(1L << 34),
                        OptionalLong.of(512L << 20),
                        Optional.of(new Generations(12_345, 321, 45_600_000_000L))));
        SoakSegment second = new SoakSegment(
                2,
                Outcome.COMPLETED,
                Optional.empty(),
                new SoakLoad(5_400, 5_400_000, 18),
                18,
                windows.subList(0, 7),
                new SoakMemory(OptionalLong.empty(), OptionalLong.empty(), Optional.empty()));
        return new SoakAssessment().of("a<b>", plan, List.of(first, second));
    }

    @Test
    void theTerminalNamesWhatIsBad() {
        String text = SoakReport.terminal(result(), new TerminalStyle(120, false, true));
        assertThat(text)
                .contains(
                        "10,800,000 requests in 10,800 s of 10,800 s; 36 errors, 0 % of the error budget of 0.1 % spent")
                .containsPattern(
                        "1 +heap after collections, MiB +140 +\\+[45][\\d.]+ +\\+[45][\\d.]+ to \\+5[\\d.]+ +rises \\(\\+.* %\\) !")
                .containsPattern("1 +resident memory, MiB +400 +\\+0 +\\+0 to \\+0 +any rise below 0 an hour")
                .containsPattern("2 +throughput, req/s .* 6 windows; it takes at least 8")
                .containsPattern("run +what +level +an hour +between +trend")
                .contains("It did not hold over 3.0 h: heap after collections rises by")
                .contains("each run is a separate process");
    }

    @Test
    void fullCollectionsAreCountedApart() {
        String json = SoakJson.render(result());

        assertThat(SoakReport.terminal(result(), new TerminalStyle(120, false, true)))
                .containsPattern("1 +collections +12,345 young, 321 full in 46 s")
                .doesNotContainPattern("2 +collections");
        assertThat(SoakReport.markdown(result())).contains("12,345 young, 321 full in 46 s");
        assertThat(SoakReport.page(result())).contains("12,345 young, 321 full in 46 s");
        JsonNode runs = JsonMapper.shared().readTree(json).get("runs");
        assertThat(runs.at("/0/collections/young").asInt()).isEqualTo(12_345);
        assertThat(runs.at("/0/collections/full").asInt()).isEqualTo(321);
        assertThat(runs.at("/0/collections/fullSeconds").asDouble()).isEqualTo(45.6);
        assertThat(runs.at("/1/collections").isNull()).isTrue();
    }

    @Test
    void scriptsAndPagesGetTheSame() {
        for (String locale : List.of("en-US", "de-DE")) {
            String json = Locales.under(locale, () -> SoakJson.render(result()));
            assertThat(json).contains("\"held\" : false", "\"recordedSeconds\" : 10800");
        }
        assertThat(SoakReport.markdown(result())).contains("### a\\<b\\>", "| heap after collections, MiB |");
        assertThat(SoakReport.page(result()))
                .contains("<polyline", "a&lt;b&gt;", "Heap after collections", "hours of load")
                .doesNotContain("a<b>", "NaN");
    }
}
