package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.Machine.JvmInfo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClosingRecordingTest {
    private static boolean records(String version, String... flags) {
        return ClosingRecording.records(new JvmInfo("/jdk", version, "Vendor", List.of(flags), List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-XX:AOTMode=record",
                "-XX:AOTCacheOutput=app.aot",
                "-XX:AOTConfiguration=app.conf",
                "-XX:ArchiveClassesAtExit=app.jsa",
                "-XX:DumpLoadedClassList=app.list",
                "-XX:+AutoCreateSharedArchive"
            })
    void classesOfARecorderAreInNoArchiveOfTheUsers(String flag) {
        assertThat(records("25.0.1", "-Xmx1g", flag)).isFalse();
    }

    @Test
    void whatIsNotKnownOfTheTargetIsTold() {
        Optional<JvmInfo> jvm = Optional.of(new JvmInfo("/jdk", "25.0.1", "Vendor", List.of(), List.of()));

        assertThat(ClosingRecording.unknown(Optional.empty(), false, OptionalLong.empty()))
                .contains("the JVM did not say what it is");
        assertThat(ClosingRecording.unknown(jvm, true, OptionalLong.empty()))
                .contains("the process that serves was not found");
        assertThat(ClosingRecording.unknown(jvm, true, OptionalLong.of(7))).isEmpty();
        assertThat(ClosingRecording.unknown(jvm, false, OptionalLong.empty())).isEmpty();
    }

    @Test
    void otherJvmsFromTheFirstWithARecorderOnAreRecorded() {
        assertThat(records("25.0.1", "-XX:AOTMode=auto", "-XX:-AutoCreateSharedArchive", "-XX:AOTCache=app.aot"))
                .isTrue();
        assertThat(records("11.0.2")).isTrue();
        assertThat(records("10.0.2")).isFalse();
    }
}
