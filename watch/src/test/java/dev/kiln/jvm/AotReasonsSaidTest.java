package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Logs as Temurin 25.0.3 prints them. */
class AotReasonsSaidTest {
    @Test
    void aMismatchedModuleProperty() {
        assertThat(AotReasons.said("""
                [0.008s][error][aot] An error has occurred while processing the AOT cache. Run with -Xlog:aot for details.
                [0.009s][error][aot] Mismatched values for property jdk.module.addmods: jdk.jfr specified during runtime but not during dump time
                [0.009s][error][aot] Disabling optimized module handling
                [0.009s][error][aot] AOT cache has aot-linked classes. It cannot be used when archived full module graph is not used.
                [0.009s][error][aot] Unable to map shared spaces
                [1.482s][info ][jfr,startup] Started recording 1. No limit specified, using maxsize=250MB as default.
                """))
                .contains("Mismatched values for property jdk.module.addmods: jdk.jfr specified during runtime but not"
                        + " during dump time");
    }

    @Test
    void theReasonMayStandInASecondLineOfAMessage() {
        assertThat(AotReasons.said("""
                OpenJDK 64-Bit Server VM warning: Option UseCompressedClassPointers was deprecated in version 25.0.
                [0.006s][warning][aot] Unable to use AOT cache.
                [                    ] The saved state of UseCompressedOops and UseCompressedClassPointers is different from runtime, CDS will be disabled.
                [0.006s][error  ][aot] An error has occurred while processing the AOT cache. Run with -Xlog:aot for details.
                [0.006s][error  ][aot] Loading static archive failed.
                """))
                .contains("The saved state of UseCompressedOops and UseCompressedClassPointers is different from"
                        + " runtime, CDS will be disabled.");
    }

    @Test
    void aCommonplaceIsBetterThanNothing() {
        assertThat(AotReasons.said("""
                [0.012s][error][aot] An error has occurred while processing the AOT cache. Run with -Xlog:aot for details.
                [0.012s][error][aot] Loading static archive failed.
                """))
                .contains("An error has occurred while processing the AOT cache. Run with -Xlog:aot for details.");
        assertThat(AotReasons.said("up\n[x][y] nothing of ours\n")).isEmpty();
    }

    @Test
    void theLastFlagDecidesWhetherTrainingIsReplayed() {
        assertThat(AotFlags.replaysTraining(List.of("-Xmx1g"), 25)).contains(true);
        assertThat(AotFlags.replaysTraining(List.of("-XX:-AOTReplayTraining"), 25))
                .contains(false);
        assertThat(AotFlags.replaysTraining(List.of("-XX:-AOTReplayTraining", "-XX:+AOTReplayTraining"), 25))
                .contains(true);
        assertThat(AotFlags.replaysTraining(List.of(), 24)).isEmpty();
        assertThat(AotFlags.create(Path.of("a"), Path.of("b")))
                .containsExactly("-XX:AOTMode=create", "-XX:AOTConfiguration=a", "-XX:AOTCache=b");
    }
}
