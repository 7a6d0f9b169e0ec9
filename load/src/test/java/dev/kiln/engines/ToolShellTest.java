package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.engines.ToolShell.LastWords;
import dev.kiln.engines.ToolShell.Running;
import dev.kiln.host.process.Programs;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ToolShellTest {
    @TempDir
    Path dir;

    @Test
    void aProgramsExitCodeIsTold() {
        try (ToolShell shell = new ToolShell(List.of(), dir)) {
            Running running = shell.start("three", List.of("/bin/sh", "-c", "echo it\\'s over; exit 3"));
            await(running);
            assertThat(ToolShell.exitCode(running)).isEqualTo(3);
            assertThat(LastWords.last(running.output())).isEqualTo("it's over");
        }
    }

    /** A stop may hit what the script does after the program; that it ended would then never be told. */
    @Test
    @Timeout(600)
    void aScriptThatWasEndedTooHasEnded() {
        try (ToolShell shell = new ToolShell(List.of(), dir)) {
            Running running = shell.start("long", List.of("sleep", "6000"));
            assertThat(running.ended()).isFalse();
            ProcessHandle.of(running.pid()).ifPresent(ProcessHandle::destroyForcibly);
            await(running);
            assertThat(ToolShell.exitCode(running)).isEqualTo(-1);
        }
    }

    /** As the shell dies with Kiln. */
    @Test
    @Timeout(600)
    void theProgramDiesWithTheShell() {
        assumeTrue(Programs.find("setpriv").isPresent(), "no setpriv here");
        try (ToolShell shell = new ToolShell(List.of(), dir)) {
            Running running = shell.start("long", List.of("sleep", "6000"));
            ProcessHandle program = program(running);
            ProcessHandle.of(shell.pid()).ifPresent(ProcessHandle::destroyForcibly);
            while (program.isAlive()) {
                LockSupport.parkNanos(1_000_000);
            }
            await(running);
        }
    }

    /** Once it is the program, and no longer what starts it. */
    private static ProcessHandle program(Running running) {
        while (true) {
            Optional<ProcessHandle> program = ToolShell.program(running);
            if (program.flatMap(child -> child.info().command()).orElse("").endsWith("sleep")) {
                return program.orElseThrow();
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void await(Running running) {
        while (!running.ended()) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
