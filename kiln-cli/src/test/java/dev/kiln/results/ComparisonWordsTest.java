package dev.kiln.results;

import static dev.kiln.results.Compared.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.cli.Kiln;
import dev.kiln.report.Locales;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What {@code kiln compare} says of a difference, and what it leaves to whoever asks. */
class ComparisonWordsTest {
    @TempDir
    private Path dir;

    @Test
    void threeRunsAreExploratoryAndSayWhatIsNeeded() throws IOException {
        Kiln ran = Kiln.run(
                "compare",
                "--one-session",
                file("a.csv", "8068.7\n7909.2\n8436.2\n"),
                file("b.csv", "7359.4\n7701.2\n7578.2\n"));

        assertThat(ran.exit()).isZero();
        assertThat(ran.out())
                .contains(
                        "3 against 3 runs\n\nToo few runs to tell b from a: at least 4 runs a side can show a difference;")
                .containsPattern("to show a change of 5 %\\s+takes \\d+ runs\\s+a side")
                .containsOnlyOnce("a difference")
                .doesNotContain("exploratory:");
        assertThat(ran.out().lines()).as("no page of notes").hasSizeLessThan(14);
        assertThat(ran.out()).as("the sentence says it for all rows").doesNotContain("too few runs", "interval");
    }

    /** It read "0.0 % higher". */
    @Test
    void aSmallChangeThatIsShownDoesNotReadAsNone() throws IOException {
        String a = file("a.csv", "peak\n1000.00\n1000.01\n1000.02\n1000.03\n");
        String b = file("b.csv", "peak\n1000.20\n1000.21\n1000.22\n1000.23\n");

        assertThat(Kiln.run("compare", a, b, "--one-session").out().replaceAll("\\s+", " "))
                .contains("Peak: b is 0.02 % higher than a, better (95 % interval +0.02 to +0.02 %).");
    }

    /** A newcomer reads figures and a sentence; how they were come by is there for who asks. */
    @Test
    void whatTheConclusionRestsOnIsToldOnlyWhereItIsAskedFor() throws IOException {
        String a = file("a.csv", "peak\n100\n101\n102\n103\n");
        String b = file("b.csv", "peak\n110\n111\n112\n113\n");

        String brief = Kiln.run("compare", a, b, "--one-session").out();
        assertThat(brief)
                .contains(
                        "101 \u00b1 1",
                        "111 \u00b1 1",
                        "9.9 % higher, better",
                        "Peak: b is 9.9 % higher than a, better (95 % interval +")
                .contains("--verbose")
                .doesNotContain("Mann-Whitney", "binSeconds", "runs for 5 %", "1.099");
        String verbose = Kiln.run("compare", a, b, "--one-session", "--verbose").out();
        assertThat(verbose)
                .contains("101 \u00b1 1", "exact p", "Mann-Whitney", "binSeconds", "1.099", "runs for 5 %", "0.029");
        assertThat(Kiln.run("compare", a, b, "--one-session", "--markdown", "--verbose")
                        .out())
                .contains("| exact p |");
    }

    /** A change of more than the whole is told as a multiple, and so is its interval. */
    @Test
    void aMultipleIsNoPercentage() throws IOException {
        String a = file("a.csv", "rss [MiB]\n100\n101\n102\n103\n");
        String b = file("b.csv", "rss [MiB]\n300\n303\n306\n309\n");

        assertThat(Kiln.run("compare", a, b, "--one-session").out())
                .containsPattern("3\\.00 times as high, worse +2\\.\\d\\d to 3\\.\\d\\d times")
                .containsPattern("RSS: b is 3\\.00 times as high as a, worse");
    }

    /** Of two comparisons under Holm, the first that is shown has a wider interval than the other. */
    @Test
    void anIntervalOfAnotherLevelSaysSo() throws IOException {
        StringBuilder rows = new StringBuilder("variant,peak\n");
        for (int run = 0; run < 6; run++) {
            rows.append("a,").append(100 + run).append("\nb,").append(200 + run).append("\nc,");
            rows.append(151 + 2 * run).append('\n');
        }
        String table = file("abc.csv", rows.toString());

        String told = Kiln.run("compare", table, "--markdown").out();
        assertThat(told)
                .contains("| change | interval |", "- the interval is that of the change, at 95 %\n")
                .containsOnlyOnce(" (97.5 %) |")
                .contains("- an interval that names its level is not at 95 %, because peak is tested in 2 comparisons"
                        + " (Holm)\n");
        assertThat(Kiln.run("compare", table, "--markdown", "--verbose").out())
                .containsOnlyOnce(" (97.5 %) |")
                .contains("because peak is tested in 2 comparisons (Holm)", "its interval (95 %) ");
        assertThat(Kiln.run(
                                "compare",
                                file("a.csv", "100\n101\n102\n103\n"),
                                file("b.csv", "110\n111\n112\n113\n"),
                                "--markdown")
                        .out())
                .doesNotContain("names its level");
    }

    @Test
    void oneRunASideHasARatioAndNoInterval() throws IOException {
        JsonNode metric = json("compare", file("a.csv", "10\n"), file("b.csv", "12\n"), "--json", "-")
                .at("/comparisons/0/metrics/0");

        assertThat(metric.get("estimate").asDouble()).isCloseTo(1.2, within(1e-12));
        assertThat(metric.get("lo").isNull()).isTrue();
        assertThat(metric.get("verdict").asString()).isEqualTo("not enough runs");
    }

    @Test
    void moreCpuForARequestIsWorse() throws IOException {
        JsonNode metric = json(
                        "compare",
                        "--one-session",
                        file("a.csv", "cpu-per-request_ms\n0.40\n0.41\n0.40\n0.39\n"),
                        file("b.csv", "cpuPerRequest [us]\n500\n510\n490\n500\n"),
                        "--allow-different",
                        "--json",
                        "-")
                .at("/comparisons/0/metrics/0");

        assertThat(metric.get("metric").asString()).isEqualTo("cpu-per-request");
        assertThat(metric.get("estimate").asDouble()).isCloseTo(1.25, within(0.01));
        assertThat(metric.get("meaning").asString()).isEqualTo("worse");
    }

    @Test
    void partsOfTheTimeOfARequestAreMetricsOfATableToo() throws IOException {
        JsonNode metric = json(
                        "compare",
                        "--one-session",
                        file("a.csv", "blocked-per-request\n40\n41\n40\n39\n"),
                        file("b.csv", "blockedPerRequest\n50\n51\n49\n50\n"),
                        "--json",
                        "-")
                .at("/comparisons/0/metrics/0");

        assertThat(metric.get("metric").asString()).isEqualTo("blocked-per-request");
        assertThat(metric.get("estimate").asDouble()).as("a difference").isCloseTo(10, within(0.01));
        assertThat(metric.get("meaning").asString()).isEqualTo("worse");
    }

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "tr-TR", "de-DE", "ar-EG-u-nu-arab"})
    void theFormsThatScriptsDependOnAreTheSameEverywhere(String locale) throws IOException {
        String before = "../docs/examples/before.csv";
        String after = "../docs/examples/after.csv";

        assertThat(Locales.under(locale, () -> Kiln.run("compare", before, after, "--json", "-"))
                        .out())
                .isEqualTo(golden("compare.golden.json"));
        assertThat(Locales.under(locale, () -> Kiln.run("compare", before, after, "--csv"))
                        .out())
                .isEqualTo(golden("compare.golden.csv"));
        assertThat(Locales.under(locale, () -> Kiln.run("compare", before, after, "--markdown"))
                        .out())
                .isEqualTo(golden("compare.golden.md"));
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = CompareCommandTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text).toString();
    }
}
