package dev.kiln.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.cli.Kiln;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class DoctorSessionTest {
    /** Of a watch that would go on for ever. */
    @Test
    @Timeout(600)
    void aFullDiskEndsTheWatch(@TempDir Path disk) throws Exception {
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", disk.toString()), "not permitted to mount");
        String self = Long.toString(ProcessHandle.current().pid());
        Path saved = disk.resolve("saved");
        Thread filler = Thread.ofPlatform()
                .daemon()
                .start(() -> fill(saved.resolve("pid-" + self).resolve("1").resolve("run.json")));
        try {
            Kiln kiln = Kiln.run("doctor", self, "--watch", "--no-ask", "--save", saved.toString());
            assertThat(kiln.exit()).as(kiln.err()).isEqualTo(3);
            assertThat(kiln.err()).contains("cannot write " + saved).contains("make room");
        } finally {
            filler.interrupt();
            run("umount", "-l", disk.toString());
        }
    }

    /** Once the watch has begun. */
    private static void fill(Path begun) {
        try {
            while (!Files.exists(begun)) {
                Thread.sleep(20);
            }
            Files.write(begun.resolveSibling("filler"), new byte[200_000]);
        } catch (IOException | InterruptedException e) {
            // It is full, or too late.
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).start().waitFor() == 0;
    }
}
