package dev.kiln.explain.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.evidence.StudyFile;
import dev.kiln.model.Metric;
import dev.kiln.model.run.Summary;
import dev.kiln.model.run.Summary.OfRun;
import dev.kiln.model.run.Summary.VariantSummary;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummariesTest {
    @TempDir
    private Path folder;

    private Summary report() {
        assertThat(Kiln.run("report", folder.toString()).exit()).isZero();
        return StudyFile.SUMMARY.read(folder);
    }

    @Test
    void aSummaryHasWhatListsAndSeriesNeed() {
        new RecordedRuns(folder).variant(List.of("a"), "a", 3, 20, 1000);
        Summary summary = report();

        assertThat(summary.experiment()).isEqualTo("recorded");
        assertThat(summary.host()).isEqualTo("EPYC, 4 CPUs");
        assertThat(summary.protocol()).isEqualTo("60 s load, 15 s pause, 20 s load");
        VariantSummary variant = summary.variants().getFirst();
        assertThat(variant.verdict()).isEqualTo("peaked");
        assertThat(variant.peak().orElse(0.0)).isBetween(950.0, 1050.0);
        assertThat(variant.runs()).extracting(OfRun::run).containsExactly(1, 2, 3);
        assertThat(variant.runs().getFirst().launchEpochMillis()).isBetween(1_000_000L, 1_010_000L);
        assertThat(variant.runs().getFirst().figures()).containsKeys("peak", "t90", "warm-up-cost", "startup", "rss");
    }

    /** They stood in another order each time. */
    @Test
    void theFiguresOfARunStandInTheOrderOfTheMetrics() {
        new RecordedRuns(folder).variant(List.of("a"), "a", 1, 20, 1000);
        Summary summary = report();
        List<String> told = List.copyOf(
                summary.variants().getFirst().runs().getFirst().figures().keySet());

        assertThat(told)
                .hasSizeGreaterThan(3)
                .containsExactlyElementsOf(Stream.of(Metric.values())
                        .map(Metric::id)
                        .filter(told::contains)
                        .toList());
    }

    @Test
    void aVerdictThatWasGivenOnceIsKeptBesideTheNewOne() {
        new RecordedRuns(folder).variant(List.of("a"), "a", 2, 20, 1000);
        Summary first = report();
        VariantSummary variant = first.variants().getFirst();
        OfRun run = variant.runs().getFirst();
        OfRun otherwise = new OfRun(
                run.run(), run.launchEpochMillis(), run.seconds(), run.valid(), "slowing", List.of(), run.figures());
        StudyFile.SUMMARY.write(
                folder,
                new Summary(
                        1,
                        "0.0.9",
                        first.experiment(),
                        first.protocol(),
                        first.host(),
                        first.conclusion(),
                        List.of(new VariantSummary(
                                variant.name(),
                                variant.verdict(),
                                variant.jdk(),
                                variant.peak(),
                                variant.peakAtLeast(),
                                variant.t90(),
                                List.of(otherwise, variant.runs().getLast())))));

        for (int again = 0; again < 2; again++) {
            List<OfRun> runs = report().variants().getFirst().runs();
            assertThat(runs.getFirst().verdict()).isEqualTo("peaked");
            assertThat(runs.getFirst().earlier()).containsExactly(new Summary.Earlier("slowing", "0.0.9"));
            assertThat(runs.getLast().earlier()).isEmpty();
        }
    }
}
