package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.report.Locales;
import dev.kiln.report.SampleRun;
import dev.kiln.report.Samples;
import dev.kiln.report.SyntheticExperiment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HtmlReportTest {
    @Test
    void isOneFileThatAsksForNothingElse(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("report.html");
        HtmlReport.write(Samples.platformAgainstVirtual(3), file);
        String html = Files.readString(file);

        assertThat(html)
                .contains("default-src 'none'", "function placing(", "platform threads")
                .doesNotContainPattern("<(script|link|img|iframe)[^>]+(src|href)=")
                .doesNotContain("{{css}}");
    }

    @Test
    void whatPeopleWroteIsTextNotMarkup() {
        String html = HtmlReport.render(Samples.nothingToSay());

        assertThat(html).contains("native &lt;/script&gt;&lt;b&gt;").doesNotContain("native </script>");
    }

    private static ExperimentResult of(VariantResult... variants) {
        ExperimentResult sample = Samples.platformAgainstVirtual(1);
        return Samples.result(
                sample.name(),
                sample.protocol(),
                java.util.List.of(variants),
                sample.conclusion(),
                sample.footnotes(),
                sample.how(),
                java.util.List.of(),
                java.util.Optional.empty(),
                sample.config());
    }

    @Test
    void variantsThatDifferByTheirJdkAreComparedByIt() {
        String html = HtmlReport.render(of(
                Samples.variant("jdk17", 4, SampleRun.STARVED),
                Samples.variant("jdk21", 4, SampleRun.STARVED),
                Samples.variant("jdk25", 4, SampleRun.FED),
                Samples.variant("virtual-jdk25", 4, SampleRun.FED)));
        String section = html.substring(html.indexOf(">By JDK<"), html.indexOf(">Every run<"));

        assertThat(section)
                .contains("jdk21 against jdk17", "jdk25 against jdk17", "jdk25 against jdk21")
                .contains(">start-up, s<", ">T90, s<", ">warm-up cost, s<", ">peak, req/s<", ">RSS, MiB<")
                .doesNotContain("p99 latency", "against virtual-jdk25", "virtual-jdk25 against");
        assertThat(HtmlReport.render(Samples.platformAgainstVirtual(3))).doesNotContain(">By JDK<");
    }

    @Test
    void theHeadSaysWithWhatAndWhenItWasMeasured() {
        String html = HtmlReport.render(Samples.platformAgainstVirtual(3));
        String head = html.substring(html.indexOf("<header>"), html.indexOf("</header>"))
                .replace('\u00a0', ' ');

        assertThat(head)
                .contains(
                        "<dt>Load</dt><dd>closed loop, 100 connections; sent by kiln 0.1.0: 100 ms bins by completion</dd>")
                .contains("<dt>Protocol</dt><dd>protocol quick: 60 s load, 15 s pause, 20 s load</dd>")
                .contains("<dt>JDK</dt><dd>Eclipse Adoptium 25.0.3+9-LTS (/usr/lib/jvm/java-25)</dd>")
                .contains("<dt>Target&#39;s CPUs</dt><dd>CPU 0; the machine has 2 CPUs (AMD EPYC 9R14)</dd>")
                .contains("<dt>Measured</dt><dd>2026-01-18 10:00 UTC; 2 variants, 6 runs</dd>");
        assertThat(HtmlReport.render(Samples.nothingToSay()))
                .as("what is not known is left out")
                .contains("<dt>Measured</dt><dd>1 variant, 1 run</dd>")
                .doesNotContain("<dt>JDK</dt>", "<dt>Load</dt>");
    }

    @Test
    void footnotesThatNoFigurePointsToAreBullets() {
        String html = HtmlReport.render(Samples.platformAgainstVirtual(1));
        String notes = html.substring(html.indexOf("<section id=\"notes\">"));

        assertThat(notes)
                .contains("<ol class=\"notes\">\n<li id=\"note-1\">C2 still waited")
                .contains("</ol>\n<ul class=\"notes\"><li>One run: the two times")
                .doesNotContain("note-2");
        assertThat(html).contains("href=\"#note-1\"").doesNotContain("href=\"#note-2\"");
        String bullets = HtmlReport.render(Samples.platformAgainstVirtual(3));
        assertThat(bullets.substring(bullets.indexOf("<header>"), bullets.indexOf("id=\"timeline\"")))
                .as("at first sight the peak is the peak")
                .contains("peak,<br>req/s")
                .doesNotContain("reference");
    }

    @Test
    void dataCannotEndItsElement() {
        ExperimentResult result = of(Samples.variant("</script><img src=x>", 1, SampleRun.FED));

        String json = ChartData.json(result, false);

        assertThat(json).doesNotContain("<");
        assertThat(JsonMapper.shared().readTree(json).at("/variants/0/name").asString())
                .isEqualTo("</script><img src=x>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tr-TR", "de-DE"})
    void isTheSameUnderEveryLocale(String locale) {
        ExperimentResult result = Samples.platformAgainstVirtual(2);

        assertThat(Locales.under(locale, () -> HtmlReport.render(result)).equals(HtmlReport.render(result)))
                .isTrue();
    }

    @Test
    void sixtyRunsStaySmall() {
        int one = HtmlReport.render(Samples.platformAgainstVirtual(1)).length();
        int thirty = HtmlReport.render(Samples.platformAgainstVirtual(30)).length();

        assertThat((thirty - one) / 58).isLessThan(40_000);
    }

    @Test
    void oneRunWithAllEvidenceStaysBelowAMegabyte() {
        String html = HtmlReport.render(SyntheticExperiment.result(1, 1));

        assertThat(html.getBytes(StandardCharsets.UTF_8).length).isLessThan(1_000_000);
    }

    @Test
    void chartsSeeTheTimesOfEachRun() {
        JsonNode data = JsonMapper.shared().readTree(ChartData.json(Samples.platformAgainstVirtual(1), false));

        assertThat(data.at("/phases/1/kind").asString()).isEqualTo("pause");
        assertThat(data.at("/phases/1/start").asDouble()).isEqualTo(60);
        assertThat(data.at("/variants/0/runs/0/t90").isNull()).isTrue();
        assertThat(data.at("/variants/0/runs/0/horizon").asDouble()).isEqualTo(60);
        assertThat(data.at("/variants/0/t90").asString()).isEqualTo("not reached in 60 s");
        assertThat(data.at("/variants/0/endShare").asInt()).isEqualTo(41);
        assertThat(data.at("/variants/1/t90").asString()).isEqualTo("21 s (17-23)");
        assertThat(data.at("/variants/1/t90hi").asDouble()).isEqualTo(23);
        JsonNode reached = data.at("/variants/1/runs/0");
        assertThat(reached.at("/t90").asDouble()).isEqualTo(21);
        assertThat(IntStream.range(0, 61)
                        .boxed()
                        .min(Comparator.comparingDouble(
                                t -> reached.at("/sums/" + t).asDouble())))
                .as("the curve that tells the time is least there")
                .contains(21);
        assertThat(data.at("/variants/1/runs/0/rate").size()).isEqualTo(80);
    }

    @Test
    void captionsSayWhatTheFiguresSay() {
        Captions captions = new Captions(Samples.platformAgainstVirtual(1));

        assertThat(captions.throughput())
                .extracting(Captions.Sentence::text)
                .containsExactly(
                        "platform threads did not reach 90 % of its peak within 60 s and served 2,068 req/s at"
                                + " the end of the warm-up, at most 41 % of its peak of at least 4,823 req/s"
                                + " (95 % interval 4,762–4,885). Right after the pause it served 2.24 times what it served just before.",
                        "virtual threads reached 90 % of its peak after 21 s (17-23) and served 5,776 req/s at"
                                + " the end of the warm-up, 100 % of its peak of 5,741 req/s (95 % interval 5,662–5,822).");
        assertThat(captions.c2().getFirst().text()).contains("% of a CPU and waited for one 96.6 % of the time");
    }
}
