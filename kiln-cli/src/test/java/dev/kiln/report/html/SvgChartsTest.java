package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.KilnException;
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
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class SvgChartsTest {
    private static final Map<String, String> FILES = SvgCharts.files(Samples.platformAgainstVirtual(3));

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
                .as("two variants, and the pause divides the line of each")
                .isEqualTo(4);
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
        assertThat(image.getHeight()).isEqualTo(520);
        assertThat(Integer.toHexString(image.getRGB(2, 2))).isEqualTo("ff13161a");
        assertThat(pixels(image, 0xfff0813a)).as("the line of a variant").isGreaterThan(200);
        assertThat(pixels(image, 0xff13161a)).as("the rest is no line").isGreaterThan(300_000);
    }

    @Test
    void manyVariantsAreNamedInSeveralLines() {
        ExperimentResult two = Samples.platformAgainstVirtual(1);
        String svg = SvgCharts.files(new ExperimentResult(
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
                        two.config()))
                .getOrDefault("throughput-light-pr.svg", "");

        assertThat(svg).contains("spring-leyden-12", "y=\"38\"", "y=\"55\"", "y=\"72\"", "viewBox=\"0 0 560 415\"");
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
