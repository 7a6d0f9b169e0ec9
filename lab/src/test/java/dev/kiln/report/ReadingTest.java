package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.RunResult;
import dev.kiln.model.Provenance;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReadingTest {
    private static final Provenance WRK = new Provenance(
            List.of("wrk"),
            new Provenance.Bins(1_000_000_000L, false, Provenance.Kind.TIME),
            false,
            false,
            true,
            OptionalLong.empty(),
            List.of());

    private static List<RunResult> unanswered(Optional<Provenance> provenance, boolean imported) {
        RunResult run = Samples.nothingToSay().variants().getFirst().runs().getFirst();
        return List.of(new RunResult(
                run.variant(),
                run.run(),
                run.block(),
                run.invalidReasons(),
                run.series(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                run.requests(),
                run.errors(),
                run.phases(),
                run.observed(),
                run.curves(),
                run.explanation(),
                run.notes(),
                provenance,
                imported));
    }

    @Test
    void onlyFilesThatWereImportedLackTheLaunch() {
        assertThat(Reading.whyNoStart(unanswered(Optional.of(WRK), true))).startsWith("The imported files");
        assertThat(Reading.whyNoResponse(unanswered(Optional.of(WRK), true))).startsWith("The imported files");
        assertThat(Reading.whyNoStart(unanswered(Optional.of(WRK), false)))
                .as("wrk sent the load of a run that Kiln launched")
                .isEqualTo("The service was never seen ready");
        assertThat(Reading.whyNoResponse(unanswered(Optional.of(WRK), false)))
                .isEqualTo("No successful response was seen");
        assertThat(Reading.whyNoStart(unanswered(Optional.empty(), false)))
                .isEqualTo("The service was never seen ready");
    }
}
