package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.FakeRoot;
import dev.kiln.host.proc.ProcStat;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttachedProcessTest {
    @TempDir
    private Path root;

    private FakeRoot machine = new FakeRoot(Path.of(""));

    @BeforeEach
    void begin() {
        machine = new FakeRoot(root)
                .with("proc/70/stat", "70 (runc:[2:INIT]) S 1 1 1 0 -1 0 0 0 0 0 250 50 0 0 20 0 9 0 5000 0 0\n")
                .with("proc/70/cmdline", "runc\0init\0");
    }

    private ProcStat found() {
        return machine.fs().stat(70).orElseThrow();
    }

    @Test
    void whatStartsAContainerIsNotItsCommand() throws Exception {
        AttachedProcess fresh = new AttachedProcess(machine.fs(), found(), 0, true);
        machine.with("proc/70/cmdline", "java\0-jar\0shop.jar\0");
        assertThat(fresh.command()).containsExactly("java", "-jar", "shop.jar");

        Files.delete(root.resolve("proc/70/stat"));
        Files.delete(root.resolve("proc/70/cmdline"));
        assertThat(fresh.command()).as("the last that was known").containsExactly("java", "-jar", "shop.jar");
    }

    @Test
    void oneThatRanBeforeHasTheCommandThatItHad() {
        AttachedProcess before = new AttachedProcess(machine.fs(), found(), System.nanoTime(), false);
        machine.with("proc/70/cmdline", "a new title");

        assertThat(before.command()).containsExactly("runc", "init");
    }
}
