package dev.kiln.explain.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.RunDigest;
import dev.kiln.explain.Service;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Provenance;
import dev.kiln.stats.AnalysisConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Each cause from evidence made by hand: as itself, not as another, on both sides of its threshold. */
class CausesTest {
    /** {@code docs/reference/explain.md} has the id of each. */
    @Test
    void theReferenceHasThemAll() throws IOException {
        String page = Files.readString(Path.of("../docs/reference/explain.md"));

        assertThat(Service.healthy().findings())
                .extracting(Finding::id)
                .allSatisfy(id -> assertThat(page).contains("`" + id + "`"));
        assertThat(CodeFamily.values())
                .extracting(CodeFamily::id)
                .allSatisfy(id -> assertThat(page).contains("| `" + id + "` |"));
    }

    @Test
    void nothingHoldsOfAHealthyService() {
        List<Finding> findings = Service.healthy().findings();

        assertThat(Service.ids(findings, FindingState.CONFIRMED)).isEmpty();
        assertThat(Service.ids(findings, FindingState.NOT_OBSERVABLE))
                .as("without a recording and thread dumps nothing is known of what runs")
                .containsExactly(
                        "recompilation-given-up",
                        "never-compiled",
                        "exceptions",
                        "reflection",
                        "log-formatting",
                        "class-loading");
        assertThat(findings)
                .hasSize(43)
                .extracting(Finding::id)
                .doesNotHaveDuplicates()
                .contains("memory-pressure", "aot-trained-without-traffic");
        assertThat(findings).allSatisfy(f -> {
            assertThat(f.remedies()).isEmpty();
            assertThat(f.weight()).isZero();
            assertThat(f.evidence()).isNotEmpty();
        });
    }

    /** Whose load another program sent: how it was launched is known all the same. */
    @Test
    void aRunThatKilnLaunchedIsNoImport() {
        Service service = Service.healthy();
        service.evidence();
        service.made.provenance = Optional.of(new Provenance(
                List.of("p"),
                new Provenance.SourceBins(1_000_000_000L, true, Provenance.SourceKind.TIME),
                true,
                true,
                true,
                OptionalLong.empty(),
                List.of()));
        assertThat(stateOf("aot-rejected", service)).isEqualTo("ruled-out");
        service.made.command = List.of();
        assertThat(stateOf("aot-rejected", service)).isEqualTo("not-observable");
    }

    private static String stateOf(String id, Service service) {
        return RunDigest.of(service.made.evidence(), AnalysisConfig.defaults()).findings().stream()
                .filter(finding -> finding.id().equals(id))
                .map(finding -> finding.state().text())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void threadCountersAloneShowStarvationAndItsPool() {
        Service imported = Service.healthy().starved().threadsAlone();
        imported.workerWait = 40;

        assertThat(imported.held()).containsExactly("c2-starved", "too-many-runnable", "c2-backlog");
        assertThat(Service.ids(imported.findings(), FindingState.NOT_OBSERVABLE))
                .contains(
                        "cgroup-throttling",
                        "noisy-neighbour",
                        "memory-pressure",
                        "heap-too-small",
                        "gc",
                        "code-cache-full",
                        "deoptimisation-storm");
    }

    @Test
    void aLiveProcessIsJudgedOverAnyStretch() {
        List<Finding> findings = Causes.judge(
                WindowEvidence.of(Service.healthy().starved().evidence(), 20 * HandMade.SECOND, 40 * HandMade.SECOND));

        assertThat(Service.ids(findings, FindingState.CONFIRMED)).contains("c2-starved");
        assertThat(findings.getFirst().evidence().getFirst().when()).contains(new Finding.Moment(0, 20));
    }

    @Test
    void withoutAnyEvidenceNothingIsClaimed() {
        List<Finding> findings = Causes.judge(WindowEvidence.of(new HandMade("a", 1).evidence(), 0, 0));

        assertThat(Service.ids(findings, FindingState.CONFIRMED)).isEmpty();
        assertThat(Service.ids(findings, FindingState.RULED_OUT))
                .containsExactlyInAnyOrder("stuck-at-tier-2", "aot-rejected", "aot-trained-without-traffic");
        assertThat(findings)
                .filteredOn(f -> f.state() == FindingState.NOT_OBSERVABLE)
                .allSatisfy(f -> assertThat(f.evidence().getFirst().text()).isNotBlank());
    }
}
