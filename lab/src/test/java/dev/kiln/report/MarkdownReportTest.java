package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarkdownReportTest {
    @Test
    void isATableWithItsFootnotes() {
        String text = MarkdownReport.render(Samples.platformAgainstVirtual(1));

        assertThat(text)
                .startsWith("### Spring Boot: platform threads against virtual threads\n\n**virtual threads reached")
                .contains(
                        "| platform threads | false plateau | 8.8 | 9.2 | 2,060 | ≥ 4,823<sup>1</sup> | \\> 60 | 38 | 3 / 97 | 1 of 1 |\n",
                        "\n1. C2 still waited for a CPU in the load after the pause");
    }

    @Test
    void namesCannotBreakTheTable() {
        assertThat(MarkdownReport.render(Samples.nothingToSay())).contains("### native \\</script\\>\\<b\\>");
    }
}
