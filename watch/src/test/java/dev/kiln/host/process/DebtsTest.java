package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.container.Containers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed Kiln owed a cluster is owed until it has succeeded. */
class DebtsTest {
    @TempDir
    private Path directory;

    private static List<String> swept(Path state) {
        try (OrphanRegistry mine = new OrphanRegistry(state)) {
            return mine.sweep(Containers::removeOrphan, said -> {});
        }
    }

    /** The cluster may be out of reach today, and has not been booted with this machine. */
    @Test
    void oneThatGivesADeploymentItsOwnBackIsOwedUntilItSucceeds() throws IOException {
        Path programs = Files.createDirectory(directory.resolve("programs"));
        Path kubectl = Files.writeString(
                programs.resolve("kubectl"),
                "#!/bin/sh\necho \"$1\" >> ../done\n[ -e there ] || { echo no route; exit 1; }\necho updated\n");
        assertThat(kubectl.toFile().setExecutable(true)).isTrue();
        String value = "JAVA_TOOL_OPTIONS=" + "-Dlong=1 ".repeat(20).strip();
        UserCommand back = new UserCommand(
                        "restart",
                        List.of("kubectl", "set", "env", "deployment/checkout", value),
                        programs,
                        Map.of("PATH", programs + ":" + System.getenv("PATH")))
                .behind("[ ! -e back ] || exit 0");
        Path state = Files.createDirectories(directory.resolve("state"));
        Path book = Files.writeString(
                state.resolve("999999999-1" + OrphanBook.SUFFIX), "boot another-boot\nowe 1 " + back.note() + "\n");

        for (int kiln = 0; kiln < 2; kiln++) {
            assertThat(swept(state))
                    .containsExactly("restart (kubectl set env deployment/checkout " + value
                            + "), which a killed Kiln left to do, exited with code 1 (no route); run it by hand in "
                            + programs
                            + "; the next Kiln tries again, until " + book + " is deleted");
        }
        Files.createFile(programs.resolve("there"));
        assertThat(swept(state))
                .singleElement()
                .asString()
                .endsWith(", which a killed Kiln left to do, was run (updated)");
        assertThat(directory.resolve("done")).hasContent("set\nset\nset\n");
        assertThat(book).doesNotExist();
    }

    private List<String> sweptAfterBoot(UserCommand owed) throws IOException {
        Path state = Files.createDirectories(directory.resolve("state"));
        Files.writeString(
                state.resolve("999999999-1" + OrphanBook.SUFFIX), "boot another-boot\nowe 1 " + owed.note() + "\n");
        return swept(state);
    }

    /** It tells why nothing was to be put back. */
    @Test
    void theCpuOfAPodIsPutBackAfterABootToo() throws IOException {
        UserCommand undo = new UserCommand("cpu-boost", List.of("sh", "-c", "echo has it"), directory, Map.of());

        assertThat(sweptAfterBoot(undo))
                .containsExactly("cpu-boost (sh -c echo has it), which a killed Kiln left to do, was run (has it)");
    }

    /** What it means after a boot is known to nobody but its user. */
    @Test
    void aCommandOfTheUsersOwnThatSetsVariablesIsOwedOnce() throws IOException {
        UserCommand own = new UserCommand(
                "cleanup", List.of("kubectl", "set", "env", "deployment/checkout", "A-"), directory, Map.of());

        assertThat(sweptAfterBoot(own))
                .singleElement()
                .asString()
                .contains("was not run: the machine has been booted since");
        assertThat(swept(directory.resolve("state"))).isEmpty();
    }
}
