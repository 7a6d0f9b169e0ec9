package dev.kiln.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.SweepResult;
import dev.kiln.explain.study.SweepResult.Density;
import dev.kiln.explain.study.SweepResult.SweepConfiguration;
import dev.kiln.explain.study.SweepResult.SweepPoint;
import dev.kiln.explain.study.SweepResult.SweepPoint.PointMemory;
import dev.kiln.explain.study.SweepResult.SweepPoint.PointRuns;
import dev.kiln.explain.study.SweepResult.SweepPoint.PointSteadiness;
import dev.kiln.explain.study.SweepResult.SweepPoint.PointThroughput;
import dev.kiln.model.run.DensityStudy;
import dev.kiln.report.Locales;
import dev.kiln.report.Samples;
import dev.kiln.report.TerminalStyle;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.report.json.ResultJson;
import dev.kiln.stats.ScalabilityFit.UniversalScalability;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

public class SweepReportTest {
    private static final double[] CONNECTIONS = {1, 5, 10, 15, 20, 25, 30, 35, 40};
    private static final double[] THROUGHPUT = {3273, 15800, 27900, 33900, 36400, 37082, 36300, 34600, 32391};

    private static SweepPoint point(int i) {
        double x = THROUGHPUT[i];
        double mean = 1000 * CONNECTIONS[i] / x;
        return new SweepPoint(
                (int) CONNECTIONS[i],
                new PointRuns(1, i == 8 ? 0 : 1, 0),
                new PointThroughput(x, new double[] {x}, false, OptionalDouble.of(x * 1.1)),
                Optional.of(new SweepPoint.Response(
                        OptionalDouble.of(mean),
                        mean * 0.9,
                        OptionalDouble.of(2 * mean),
                        5 * mean,
                        OptionalDouble.empty(),
                        40)),
                OptionalDouble.of(8.72),
                new PointMemory(OptionalLong.of(651L << 20), OptionalLong.empty()),
                i == 7
                        ? new PointSteadiness(OptionalDouble.empty(), 0)
                        : new PointSteadiness(OptionalDouble.of(31), 1));
    }

    private static SweepPoint at(int connections, SweepPoint p, double max) {
        SweepPoint.Response r = p.response().orElseThrow();
        return new SweepPoint(
                connections,
                p.runs(),
                p.throughput(),
                Optional.of(new SweepPoint.Response(r.mean(), r.p50(), r.p90(), r.p99(), r.p999(), max)),
                p.startSeconds(),
                p.memory(),
                p.steady());
    }

    private static SweepConfiguration configuration(int levels) {
        return new SweepConfiguration(
                "spring<b>",
                IntStream.range(0, levels).mapToObj(SweepReportTest::point).toList(),
                UniversalScalability.fit(Arrays.copyOf(CONNECTIONS, levels), Arrays.copyOf(THROUGHPUT, levels), 0.95));
    }

    private static ExperimentResult result(int levels) {
        ExperimentResult without = Samples.nothingToSay();
        DensityStudy.MeasuredProcess measured = new DensityStudy.MeasuredProcess(
                "spring<b>", 3, 25, 20.04, 51_234, 2, 2000L << 20, 1800L << 20, List.of("shared"));
        Density density = new Density(
                2048L << 20,
                List.of(new Density.Theory(
                        "spring<b>", Density.By.RSS, 651L << 20, 3, point(5), 111_246, OptionalDouble.of(1))),
                List.of(measured));
        SweepResult sweep = new SweepResult(List.of(configuration(levels)), Optional.of(density), List.of("a note"));
        return Samples.result(
                "concurrency",
                without.protocol(),
                without.variants(),
                "It peaks.",
                List.of("a footnote"),
                Optional.empty(),
                List.of(),
                Optional.of(sweep),
                without.config());
    }

    /** Its page, for those who look at all pages. */
    public static String page() {
        return HtmlReport.render(result(9));
    }

    private static String terminal(int levels) {
        ExperimentResult result = result(levels);
        return SweepReport.terminal(result, result.sweep().orElseThrow(), new TerminalStyle(110, false, true));
    }

    @Test
    void theTerminalHasTheTableTheLawAndTheTheory() {
        String text = terminal(9);
        assertThat(text.lines()
                        .filter(line -> line.startsWith("25 "))
                        .findFirst()
                        .orElseThrow())
                .containsPattern(
                        "25 +37,082 +40,790 +0\\.67 +0\\.61 +1\\.35 +3\\.37 +\u2013 +40\\.0 +8\\.7 +651 +\u2013 +31");
        assertThat(text).containsPattern("35 .* not shown").containsPattern("40 .* invalid");
        assertThat(text.replaceAll("\\s+", " "))
                .contains(
                        "one connection 3,428 [3,240, 3,615] req/s, contention 0.00909 [0.00217, 0.016], crosstalk 0.00183")
                .contains("peak 37,117 req/s with 23.3 connections [22.8, 23.9]")
                .contains("Processes that fit 2,048 MiB, in theory")
                .contains(
                        "Verified: 3 processes of spring<b> with 25 connections each served 51,234 req/s together over 20 s,"
                                + " 46 % of the theory, and took at most PSS 1,800 MiB, RSS 2,000 MiB, 2 errors (shared)")
                .contains("- a note - a footnote");
        assertThat(terminal(3).replaceAll("\\s+", " "))
                .contains("not enough data for the universal scalability law: needs 4 different numbers");
        assertThat(terminal(4).replaceAll("\\s+", " "))
                .contains(
                        "a peak is not shown, because a curve without one fits as well; it would lie beyond 15.9 connections");
        assertThat(terminal(5).replaceAll("\\s+", " ")).contains("beyond the measured levels and so a guess");
    }

    @Test
    void severalConfigurationsStandSideBySide() {
        SweepConfiguration five = configuration(5);
        // One level on: its throughput at 5 connections is what the other has at 1.
        List<SweepPoint> shifted = IntStream.range(0, 5)
                .mapToObj(i -> at((int) CONNECTIONS[i], point(i + 1), 50 + i))
                .toList();
        SweepConfiguration some = new SweepConfiguration("other", shifted, five.fit());
        List<SideBySide> tables =
                SideBySide.of(new SweepResult(List.of(configuration(9), some), Optional.empty(), List.of()));
        assertThat(tables.getFirst().heads()).containsExactly("conn", "spring<b>", "other", "other / spring<b>");
        assertThat(tables.getFirst().rows()).hasSize(9);
        assertThat(tables.getFirst().rows().getFirst().getLast()).isEqualTo("4.827");
        assertThat(tables.getFirst().rows().getLast().getLast()).isEqualTo("\u2013");
        assertThat(tables.getLast().heads())
                .containsExactly("conn", "spring<b> mean", "other mean", "spring<b> max", "other max");
        assertThat(tables.getLast().rows().getFirst()).containsExactly("1", "0.31", "0.32", "40.0", "50.0");
        assertThat(tables.getFirst().rows().getLast()).containsExactly("40", "invalid", "\u2013", "\u2013");
        assertThat(tables.getLast().rows().getLast()).contains("invalid").doesNotContain("40.0");
        assertThat(SideBySide.of(new SweepResult(List.of(some), Optional.empty(), List.of())))
                .isEmpty();
    }

    @Test
    void tablesForProgramsAreTheSameUnderEveryLocale() {
        for (String locale : List.of("en-US", "de-DE", "tr-TR")) {
            String csv = Locales.under(
                    locale, () -> SweepReport.csv(result(9).sweep().orElseThrow()));
            assertThat(csv.lines()).hasSize(10);
            assertThat(csv.lines().skip(1).findFirst().orElseThrow())
                    .startsWith(
                            "spring<b>,1,1,1,3273.00,3600,0.306,0.275,0.611,1.528,,40.000,8.720,682622976,,31.0,1,0,3427.65");
        }
    }

    @Test
    void theJsonFitsItsSchemaAndHasTheFit() throws IOException {
        String json = ResultJson.render(result(9));
        assertThat(json).contains("\"sigma\"", "\"peakTold\" : true", "\"coordinatedOmission\" : true", "\"verified\"");
        try (InputStream in =
                Objects.requireNonNull(ResultJson.class.getResourceAsStream("/dev/kiln/report/result.schema.json"))) {
            String schema = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                            .getSchema(schema, InputFormat.JSON)
                            .validate(json, InputFormat.JSON))
                    .isEmpty();
        }
    }

    @Test
    void thePageHasPicturesThatNeedNoScript() {
        String html = HtmlReport.render(result(9));
        String section =
                html.substring(html.indexOf("<section id=\"sweep\">"), html.indexOf("<section id=\"timeline\">"));
        assertThat(section)
                .contains("<polyline", "<rect", "<h3>Response time", "<h3>Maximum response time", "spring&lt;b&gt;")
                .doesNotContain("spring<b>", "NaN", "<script");
    }

    @Test
    void markdownEscapesNames() {
        ExperimentResult result = result(9);
        assertThat(SweepReport.markdown(result, result.sweep().orElseThrow()))
                .contains("#### spring\\<b\\>", "| 25 | 37,082 |", "**It peaks.**", "- a footnote");
    }
}
