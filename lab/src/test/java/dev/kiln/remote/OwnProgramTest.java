package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.remote.Shipment.WholeKiln;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Kiln sends of itself is what a release has. */
class OwnProgramTest {
    @TempDir
    private Path folder;

    private static String dist() throws IOException {
        return Files.readString(Path.of("../deploy/dist.sh"));
    }

    @Test
    void theRuntimeHasTheModulesOfARelease() throws IOException {
        assertThat(dist()).contains("\nmodules=" + OwnRuntime.MODULES + "\n");
    }

    /** In the place of jlink, which takes a while: it notes what it was asked for. */
    private Path jlink(int exit) throws IOException {
        Path program = Files.writeString(folder.resolve("jlink"), """
                #!/bin/sh
                echo "$2" >>"${0%%/*}/asked"
                while [ "$1" != --output ]; do shift; done
                mkdir "$2"
                echo half
                [ %1$d = 0 ] || exit %1$d
                touch "$2/release"
                """.formatted(exit));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    /** The same JDK makes both. */
    @Test
    void aRuntimeOfOtherModulesIsAnotherOne() throws IOException {
        Path jlink = jlink(0);
        Path cache = folder.resolve("cache");
        List<String> few = List.of("--add-modules", "java.base");
        List<String> more = List.of("--add-modules", "java.base,java.sql");

        Path first = OwnRuntime.made(jlink, cache, few);
        Path second = OwnRuntime.made(jlink, cache, more);

        assertThat(OwnRuntime.made(jlink, cache, few)).isEqualTo(first).isNotEqualTo(second);
        assertThat(folder.resolve("asked")).hasContent("java.base\njava.base,java.sql\n");
        assertThat(cache.toFile().listFiles()).containsExactlyInAnyOrder(first.toFile(), second.toFile());
    }

    @Test
    void ofARuntimeThatCannotBeMadeNothingStays() throws IOException {
        Path jlink = jlink(1);
        Path cache = folder.resolve("cache");

        assertThatThrownBy(() -> OwnRuntime.made(jlink, cache, List.of("--add-modules", "java.base")))
                .isInstanceOf(KilnException.class)
                .hasMessage("cannot make a Java runtime to send: half");
        assertThat(cache).isEmptyDirectory();
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
