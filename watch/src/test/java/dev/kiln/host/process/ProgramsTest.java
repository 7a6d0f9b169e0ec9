package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.kiln.model.KilnException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramsTest {
    @TempDir
    private Path folder;

    private Path program(String name, String text) throws Exception {
        Path file = folder.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** As execvp(3) does once it has gone there. */
    @ParameterizedTest
    @ValueSource(strings = {"bin", "./bin:/bin", "/none:bin", "::bin"})
    void aRelativeFolderIsBelowThatOfTheProcess(String path) throws Exception {
        Path service = program("bin/service", ":");
        assertThat(Programs.inPath("service", Optional.of(folder), Map.of("PATH", path)))
                .hasValueSatisfying(found -> assertThat(found)
                        .isAbsolute()
                        .satisfies(
                                it -> assertThat(Files.isSameFile(it, service)).isTrue()));
        assertThatCode(() -> Programs.requireProgram("target", "service", Optional.of(folder), Map.of("PATH", path)))
                .doesNotThrowAnyException();
        assertThat(Programs.inPath(
                        "service", Optional.of(folder.resolve("bin/..").resolve("none")), Map.of("PATH", path)))
                .isEmpty();
    }

    @Test
    void anEmptyEntryIsTheFolderItself() throws Exception {
        Path service = program("service", ":");
        assertThat(Programs.inPath("service", Optional.of(folder), Map.of("PATH", "/none:")))
                .contains(service);
        assertThatCode(() -> Programs.requireProgram("target", "service", Optional.of(folder), Map.of("PATH", "/none")))
                .isInstanceOf(KilnException.class);
    }

    /** Root may work in a folder of somebody else's, who has put a setsid of his own there. */
    @Test
    void whatKilnRunsItselfIsNotFoundInTheFolderWhereItWorks() throws Exception {
        program("setsid", "echo planted");
        program("bin/setsid", "echo planted");
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath,
                        Found.class.getName())
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().put("PATH", ".:bin::" + System.getenv("PATH"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.lines().toList())
                .hasSize(1)
                .allMatch(line -> line.startsWith("/") && !line.contains(folder.toString()));
    }

    /** Prints where it finds setsid. */
    static final class Found {
        private Found() {}

        public static void main(String[] args) {
            System.out.println(String.join(" ", List.of(Programs.utilLinux("setsid"))));
        }
    }
}
