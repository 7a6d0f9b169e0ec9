package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What Kiln sends of itself is what a release has. */
class OwnProgramTest {
    private static String dist() throws IOException {
        return Files.readString(Path.of("../deploy/dist.sh"));
    }

    @Test
    void theRuntimeHasTheModulesOfARelease() throws IOException {
        assertThat(dist()).contains("\nmodules=" + OwnRuntime.MODULES + "\n");
    }

    @Test
    void theProgramLeavesOutWhatTheDoctorsImageDoes() throws IOException {
        assertThat(dist()).contains("/lib/{" + String.join(",", WholeKiln.LEFT_OUT) + "}-*.jar");
    }

    @Test
    void theProgramIsItsClassPath() {
        assertThat(WholeKiln.classPath())
                .isNotEmpty()
                .allSatisfy(path -> assertThat(path).exists())
                .noneMatch(path -> path.getFileName().toString().startsWith("commons-compress-"));
    }
}
