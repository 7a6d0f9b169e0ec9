package dev.kiln.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.LiveJvms;
import dev.kiln.model.KilnException;
import dev.kiln.recorder.RecorderSpec.RecorderPace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchTest {
    @Test
    void whatCannotBeKeptIsToldAndNothingStaysOpen(@TempDir Path folder) throws Exception {
        long self = ProcessHandle.current().pid();
        Watch.Spec spec =
                new Watch.Spec(RecorderPace.GLANCE, false, false, Duration.ofSeconds(5), Optional.of(folder), "test");
        try (Watch watch = Watch.begin(new LiveJvms(ProcFs.ofThisMachine()).of(self), spec)) {
            assertThat(watch.isRecording()).isTrue();
            assertThat(open(folder)).isNotEmpty();
            // The way of the last facts is barred.
            Path info = folder.resolve("pid-" + self).resolve("1").resolve("run.json");
            Files.deleteIfExists(info);
            Files.createDirectory(info);
            assertThatThrownBy(watch::finish)
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining("cannot write")
                    .hasMessageContaining("run.json");
            assertThat(watch.isRecording()).isFalse();
            assertThat(open(folder)).isEmpty();
        }
    }

    /** Files of this process below a folder. */
    private static List<Path> open(Path folder) throws IOException {
        List<Path> open = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                try {
                    open.add(Files.readSymbolicLink(descriptor));
                } catch (NoSuchFileException e) {
                    // Closed meanwhile.
                }
            }
        }
        Path real = folder.toRealPath();
        return open.stream().filter(file -> file.startsWith(real)).toList();
    }
}
