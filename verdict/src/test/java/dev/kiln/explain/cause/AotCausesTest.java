package dev.kiln.explain.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Treatment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** AOT caches that are rejected, or that were trained without what the service does. */
class AotCausesTest {
    @Test
    void methodsStuckAtTier2NeedTrainingDataAndAQueue() {
        assertThat(replaying(true, 5, 6).held()).contains("stuck-at-tier-2");
        assertThat(replaying(true, 5, 6).first("stuck-at-tier-2"))
                .isEqualTo(
                        "level 3 is 0.8 % of the methods at levels 2 and 3 (0.8 % at the start of the window), with 6"
                                + " methods waiting for C2");
        assertThat(replaying(true, 5, 5).held()).as("no real queue").isEmpty();
        assertThat(replaying(false, 5, 6).held()).as("no training data").isEmpty();
        assertThat(replaying(true, 67, 6).held()).as("10 %").isEmpty();
        assertThat(replaying(true, 66, 6).held()).contains("stuck-at-tier-2");
        Service rising = replaying(true, 5, 6);
        rising.level3PerSecond = 0.3;
        assertThat(rising.held()).isEmpty();
        Service unknown = replaying(true, 5, 6);
        unknown.made.treatment = Treatment.NONE;
        unknown.made.command = List.of("java", "-XX:AOTCache=app.aot");
        assertThat(unknown.finding("stuck-at-tier-2").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        Service flagged = replaying(true, 5, 6);
        flagged.made.treatment = Treatment.NONE;
        flagged.made.flags = List.of("-XX:+AOTReplayTraining");
        assertThat(flagged.held()).contains("stuck-at-tier-2");
        Service off = replaying(true, 5, 6);
        off.made.flags = List.of("-XX:-AOTReplayTraining");
        assertThat(off.held()).isEmpty();
        assertThat(replaying(true, 5, 6).finding("stuck-at-tier-2").remedies())
                .extracting(Finding.FindingRemedy::how)
                .contains("-XX:+UnlockDiagnosticVMOptions -XX:-AOTReplayTraining");
    }

    private static Service replaying(boolean replays, int level3, int queue) {
        Service service = Service.healthy();
        service.level2 = 600;
        service.level3 = level3;
        service.queue = queue;
        service.made.treatment = aot("traffic", true, 9000, replays, Optional.empty());
        return service;
    }

    private static Treatment aot(String trained, boolean mapped, long classes, boolean replays, Optional<String> why) {
        return new Treatment(
                List.of(),
                List.of(),
                Optional.of(new Treatment.AotUse(
                        "app.aot",
                        trained,
                        mapped,
                        OptionalLong.of(classes),
                        Optional.of(replays),
                        why,
                        Optional.empty(),
                        Optional.empty())));
    }

    @Test
    void aRejectedCacheIsToldWithTheJvmsReason() {
        Service service = Service.healthy();
        service.made.treatment =
                aot("startup", false, 0, true, Optional.of("Mismatched values for property jdk.module.addmods"));

        assertThat(service.held()).containsExactly("aot-rejected");
        assertThat(service.first("aot-rejected"))
                .isEqualTo("app.aot is not mapped, and 0 classes came from a cache: Mismatched values for property"
                        + " jdk.module.addmods");
        assertThat(service.first("aot-trained-without-traffic")).isEqualTo("the cache was not used at all");
        Service used = Service.healthy();
        used.made.treatment = aot("traffic", true, 9000, true, Optional.empty());
        assertThat(used.first("aot-rejected")).isEqualTo("the cache is mapped, and 9,000 classes came from it");
        assertThat(used.held()).isEmpty();
    }

    @Test
    void trainingWithoutTrafficIsHeldAgainstAnOverloadedC2Alone() {
        Service starved = Service.healthy().starved();
        starved.made.treatment = aot("startup", true, 9000, false, Optional.empty());
        Service served = Service.healthy();
        served.made.treatment = aot("startup", true, 9000, false, Optional.empty());
        Service file = Service.healthy();
        file.made.treatment = aot("file", true, 9000, false, Optional.empty());

        assertThat(starved.held()).containsExactly("c2-starved", "aot-trained-without-traffic");
        assertThat(served.held()).isEmpty();
        assertThat(file.finding("aot-trained-without-traffic").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }
}
