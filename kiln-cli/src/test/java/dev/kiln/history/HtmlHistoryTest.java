package dev.kiln.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.report.HistorySamples;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HtmlHistoryTest {
    private static final String PAGE = HtmlHistory.page(
                    HistorySamples.history(),
                    "demo",
                    run -> run.name().folder().equals("demo-week6")
                            ? Optional.empty()
                            : Optional.of(run.name().folder() + "/report.html"),
                    List.of("revised: <b>"))
            .replace('\u00a0', ' ');

    @Test
    void theNewestChangeIsTheHeadline() {
        assertThat(PAGE)
                .contains("<p class=\"conclusion\">1 change; the newest: virtual, new, peak worse since 2026-02-02")
                .contains("9 experiments, 19 runs");
    }

    @Test
    void aChangeStandsUnderItsPictureWithItsIntervalAndSinceWhenItIsTold() {
        String peak = PAGE.substring(PAGE.indexOf("<h3>Peak"), PAGE.indexOf("<h3>T90"));

        assertThat(peak)
                .containsPattern(
                        "<li class=\"worse\">peak: 5,6\\d\\d to 4,4\\d\\d req/s \\(\u2212\\d+\\.\\d %, 95 % interval \u2212")
                .contains("demo-week5; reported since 2026-02-16", "class=\"grid\"", "var(--bad)");
        assertThat(peak.split("<circle", -1)).as("a dot for each run").hasSize(19);
        assertThat(peak.split("href=\"demo-week1/report.html\"><circle", -1)).hasSize(3);
        assertThat(peak).contains("commit c4").doesNotContain("demo-week6/report.html");
    }

    @Test
    void aVariantHasTheColourOfItsReport() {
        String platform = PAGE.substring(PAGE.indexOf("demo, platform"));
        String virtual = PAGE.substring(PAGE.indexOf("demo, virtual"), PAGE.indexOf("demo, platform"));

        assertThat(PAGE)
                .contains(
                        "style=\"--c:var(--v1)\"></span>demo, virtual, new</h2>",
                        "style=\"--c:var(--v0)\"></span>demo, platform</h2>");
        assertThat(virtual).contains("fill:var(--v1)").doesNotContain("fill:var(--v0)");
        assertThat(platform).contains("fill:var(--v0)").doesNotContain("fill:var(--v1)");
    }

    @Test
    void oneRunHasItsPointToo() {
        String page = HtmlHistory.page(
                HistorySamples.of(1), "demo", run -> Optional.of(run.name().folder()), List.of());

        assertThat(page).contains("Not enough data to look for changes", "<h3>Peak");
        assertThat(page.split("<circle", -1)).hasSize(2);
    }

    /** Each link has its words twice: with all of them the page of 1,500 runs had 8.7 MB. */
    @Test
    void theOlderDotsOfALongSeriesAreOneMark() {
        String page = HtmlHistory.page(
                HistorySamples.of(HtmlHistory.MOST_LINKED + 30),
                "demo",
                run -> Optional.of(run.name().folder()),
                List.of());

        assertThat(page.split("<circle", -1)).hasSize(HtmlHistory.MOST_LINKED + 1);
        assertThat(page.split("h0", -1)).as("the others").hasSize(30 + 1);
        assertThat(page.split("<a href=\"demo-week", -1)).as("all in the table").hasSize(HtmlHistory.MOST_LINKED + 31);
        assertThat(page).contains("only the newest 200 dots show");
        assertThat(PAGE).doesNotContain("dots tell");
    }

    @Test
    void isTextForThoseWithoutPictures() {
        assertThat(PAGE)
                .contains("aria-label=\"T90 of virtual, new over time: 16 runs, changes not looked for\"")
                .contains("<details><summary>Runs</summary>", "revised: &lt;b&gt;")
                .as("its one script is the hint of tables")
                .containsOnlyOnce("<script>")
                .contains("function watchWidths()");
    }
}
