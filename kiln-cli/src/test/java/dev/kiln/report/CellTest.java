package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.RunResult.Caveats;
import dev.kiln.explain.RunResult.SinceLaunch;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.run.Provenance;
import dev.kiln.report.SummaryTable.SummaryColumn;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CellTest {
    private static final Provenance WRK = new Provenance(
            List.of("wrk"),
            new Provenance.SourceBins(1_000_000_000L, false, Provenance.SourceKind.TIME),
            false,
            false,
            true,
            OptionalLong.empty(),
            List.of());

    private static VariantResult unanswered(Optional<Provenance> provenance, boolean imported) {
        RunResult run = Samples.nothingToSay().variants().getFirst().runs().getFirst();
        RunResult unanswered = new RunResult(
                run.id(),
                new Caveats(run.invalidReasons(), run.notes(), provenance, imported, Optional.empty()),
                run.throughput(),
                SinceLaunch.NOTHING,
                run.served(),
                run.observation(),
                run.explanation());
        return new VariantResult(
                run.variant(), Optional.empty(), List.of(unanswered), Optional.empty(), Optional.empty());
    }

    @Test
    void onlyFilesThatWereImportedLackTheLaunch() {
        VariantResult imported = unanswered(Optional.of(WRK), true);
        assertThat(Cell.startUp(imported).note().orElseThrow()).startsWith("The imported files");
        assertThat(Cell.firstResponse(imported).note().orElseThrow()).startsWith("The imported files");
        VariantResult launched = unanswered(Optional.of(WRK), false);
        assertThat(Cell.startUp(launched).note())
                .as("wrk sent the load of a run that Kiln launched")
                .contains("The service was never seen ready");
        assertThat(Cell.firstResponse(launched).note()).contains("No successful response was seen");
        assertThat(Cell.startUp(unanswered(Optional.empty(), false)).note())
                .contains("The service was never seen ready");
    }

    @Test
    void thePeakOfSeveralRunsHasTheirRange() {
        HandMade first = HandMade.measured("a", 1000, HandMade.seconds(60, 1000));
        HandMade second =
                HandMade.measured("a", 1100, HandMade.seconds(60, 1100)).numbered(2);
        assertThat(peak(first, second)).isEqualTo(Cell.of("1,049").withRange("1,000\u20131,100"));
        assertThat(peak(first).range()).as("one run has none").isEmpty();
        assertThat(peak(
                                first,
                                HandMade.measured("a", 1000, HandMade.seconds(60, 1000))
                                        .numbered(2))
                        .range())
                .as("equal ones have none")
                .isEmpty();
    }

    private static Cell peak(HandMade... runs) {
        SummaryTable table = SummaryTable.of(HandMade.assess(runs));
        int at = table.columns().stream().map(SummaryColumn::top).toList().indexOf("peak,");
        return table.rows().getFirst().cells().get(at);
    }
}
