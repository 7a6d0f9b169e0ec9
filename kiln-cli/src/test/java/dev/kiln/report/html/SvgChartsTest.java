package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.RunResult.Explanation;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Verdict;
import dev.kiln.report.SampleExplanation;
import dev.kiln.report.SampleRun;
import dev.kiln.report.Samples;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class SvgChartsTest {
    private static final Map<String, String> FILES =
            SvgCharts.files(Samples.platformAgainstVirtual(3), Optional.empty());

    private static Document parsed(String svg) throws IOException, SAXException, ParserConfigurationException {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    @Test
    void eachChartComesLightAndDarkAndInTwoSizes() {
        assertThat(FILES.keySet())
                .contains(
                        "throughput-light-slide.svg",
                        "throughput-dark-slide.svg",
                        "throughput-light-pr.svg",
                        "throughput-dark-pr.svg",
                        "p99-light-pr.svg",
                        "c2-wait-dark-slide.svg",
                        "summary.md");
    }

    @Test
    void aPictureStandsAloneWithColoursAndWords() throws IOException, SAXException, ParserConfigurationException {
        String light = FILES.getOrDefault("throughput-light-pr.svg", "");
        String dark = FILES.getOrDefault("throughput-dark-pr.svg", "");

        Document document = parsed(light);
        assertThat(document.getDocumentElement().getAttribute("width")).isEqualTo("800");
        assertThat(document.getElementsByTagName("polyline").getLength())
                .as("two variants, the pause divides the line of each, and each has a peak")
                .isEqualTo(6);
        assertThat(light)
                .contains("platform threads", "virtual threads", "#ffffff", "#d55e00", "Throughput")
                .doesNotContain("var(");
        assertThat(dark).contains("#13161a", "#f0813a").doesNotContain("var(", "#ffffff");
    }

    @Test
    void aPictureIsDrawnAsPngToo() throws IOException {
        String svg = FILES.getOrDefault("throughput-dark-pr.svg", "");

        byte[] png = new byte[0];
        try {
            png = PngPicture.of(svg);
        } catch (KilnException e) {
            assertThat(e.remedy()).contains("fonts-dejavu-core", "--svg");
            abort("no fonts on this machine: " + e.getMessage());
        }
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));

        assertThat(image.getWidth()).isEqualTo(800);
        assertThat(image.getHeight()).as("a line more for the second variant").isEqualTo(564);
        assertThat(Integer.toHexString(image.getRGB(2, 2))).isEqualTo("ff13161a");
        assertThat(pixels(image, 0xfff0813a)).as("the line of a variant").isGreaterThan(200);
        assertThat(pixels(image, 0xff13161a)).as("the rest is no line").isGreaterThan(300_000);
    }

    @Test
    void manyVariantsAreNamedInSeveralLines() {
        ExperimentResult two = Samples.platformAgainstVirtual(1);
        String svg = SvgCharts.files(
                        Samples.result(
                                two.name(),
                                two.protocol(),
                                IntStream.range(0, 13)
                                        .mapToObj(i -> Samples.variant("spring-leyden-" + i, 1, SampleRun.FED))
                                        .toList(),
                                two.conclusion(),
                                two.footnotes(),
                                two.how(),
                                List.of(),
                                Optional.empty(),
                                two.config()),
                        Optional.empty())
                .getOrDefault("throughput-light-pr.svg", "");

        assertThat(svg).contains("spring-leyden-12", "y=\"38\"", "y=\"55\"", "y=\"72\"", "viewBox=\"0 0 560 429\"");
    }

    /** What a chat shows before anybody opens the report. */
    @Test
    void aPictureTellsWhereEachVariantCameToAndWhy() {
        String svg = FILES.getOrDefault("throughput-light-pr.svg", "");

        assertThat(svg)
                .containsPattern(
                        ">platform threads</tspan><tspan[^>]*>ended at 4\\d % of its peak at most \u00b7 C2 starved of"
                                + " CPU</tspan>")
                .containsPattern(">virtual threads</tspan><tspan[^>]*>90 % of its peak after 2\\d s</tspan>")
                .containsPattern(">peak \u2265 \\d,\\d{3}</text>")
                .containsPattern(">peak 5,\\d{3}</text>");
        assertThat(FILES.getOrDefault("p99-light-pr.svg", ""))
                .contains("platform threads")
                .doesNotContain("of its peak", ">peak ");
    }

    /** The sample pauses from second 60 to 75 of 95. */
    @Test
    void pausesAreShaded() throws IOException, SAXException, ParserConfigurationException {
        for (String name : List.of("throughput-dark-pr.svg", "c2-wait-dark-pr.svg")) {
            Element band = (Element) parsed(FILES.getOrDefault(name, ""))
                    .getElementsByTagName("rect")
                    .item(1);

            assertThat(band.getAttribute("style")).as(name).isEqualTo("fill:#272e36");
            assertThat(Double.parseDouble(band.getAttribute("x"))).isCloseTo(76 + 472 * 60 / 95.0, within(0.1));
            assertThat(Double.parseDouble(band.getAttribute("width"))).isCloseTo(472 * 15 / 95.0, within(0.1));
        }
    }

    /** The peak of the starved variant may be higher, and it has not come near to it. */
    @Test
    void whatIsSureOfAPeakAndItsTimeIsPale() throws IOException, SAXException, ParserConfigurationException {
        Document document = parsed(FILES.getOrDefault("throughput-light-pr.svg", ""));
        List<Element> pale = IntStream.range(
                        0, document.getElementsByTagName("rect").getLength())
                .mapToObj(i -> (Element) document.getElementsByTagName("rect").item(i))
                .filter(rect -> rect.hasAttribute("opacity"))
                .toList();

        assertThat(pale)
                .as("its peak, its T90")
                .hasSize(2)
                .allMatch(rect -> rect.getAttribute("style").equals("fill:#0072b2"));
        assertThat(Double.parseDouble(pale.getFirst().getAttribute("width"))).isEqualTo(472);
        assertThat(Double.parseDouble(pale.getLast().getAttribute("width"))).isBetween(1.0, 200.0);
        assertThat(document.getDocumentElement().getTextContent())
                .contains("requests per second; pale: the interval of each peak and T90");
        assertThat(FILES.getOrDefault("p99-light-pr.svg", "")).doesNotContain("opacity", "pale:");
    }

    @Test
    void theLinkStandsUnderEachPictureAndInTheSummary() throws IOException, SAXException, ParserConfigurationException {
        String url = "https://example.org/r?a=1&b='2'";
        Map<String, String> files = SvgCharts.files(Samples.platformAgainstVirtual(1), Optional.of(url));

        for (String name : List.of("throughput-light-pr.svg", "p99-dark-slide.svg")) {
            Element anchor = (Element) parsed(files.getOrDefault(name, ""))
                    .getElementsByTagName("a")
                    .item(0);
            assertThat(anchor.getAttribute("href")).isEqualTo(url);
            assertThat(anchor.getTextContent()).isEqualTo(url);
        }
        assertThat(files.getOrDefault("summary.md", "")).contains("[The report](<" + url + ">)");
        assertThat(FILES.getOrDefault("throughput-light-pr.svg", "")).doesNotContain("<a ");
    }

    /** A run that did not tell whether it peaked has its verdict, and no share of a peak. */
    @Test
    void whatTheIntervalDoesNotTellIsNotTold() {
        ExperimentResult nothing = Samples.nothingToSay();
        assertThat(SvgCharts.files(nothing, Optional.empty())).containsOnlyKeys("summary.md");

        ExperimentResult unsure = SampleExplanation.with(
                Samples.platformAgainstVirtual(1),
                RunResult::curves,
                run -> new Explanation(
                        new Verdict.CannotTell("between 86 and 101 % of its peak", "10 s more"), List.of(), List.of()));
        assertThat(SvgCharts.files(unsure, Optional.empty()).getOrDefault("throughput-light-pr.svg", ""))
                .contains(
                        ">virtual threads</tspan><tspan style=\"fill:#16191d;font-weight:400\" dx=\"14\">cannot tell</tspan>");
    }

    private static int pixels(BufferedImage image, int colour) {
        int count = 0;
        for (int pixel : image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth())) {
            count += pixel == colour ? 1 : 0;
        }
        return count;
    }

    @Test
    void theSummaryIsTheAnswerAndHowSureItIs() {
        assertThat(FILES.getOrDefault("summary.md", ""))
                .startsWith("**virtual threads reached 90 % of its peak after ")
                .contains("median and range of 3 runs", "srcset=\"throughput-dark-pr.svg\"");
    }
}
