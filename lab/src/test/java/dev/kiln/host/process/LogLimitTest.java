package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogLimitTest {
    @TempDir
    private Path folder;

    @Test
    void theBeginningAndTheEndOfALongLogStay() throws Exception {
        Path log = folder.resolve("target.log");
        Files.writeString(log, "first line\n" + "x".repeat(100_000) + "\nlast line\n");
        LogLimit.shorten(log, 200_000, 100);
        assertThat(log).content().hasSizeGreaterThan(100_000);
        LogLimit.shorten(log, 10_000, 100);
        assertThat(log)
                .content()
                .hasSizeLessThan(400)
                .startsWith("first line\n")
                .endsWith("last line\n")
                .contains("[kiln: 99822 bytes are left out here");
    }

    @Test
    void theProcessGoesOnBehindTheEnd() throws Exception {
        Path log = folder.resolve("target.log");
        Process process = new ProcessBuilder("sh", "-c", "seq 1 20000; read x; echo later")
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        while (Files.notExists(log) || !Files.readString(log).endsWith("\n20000\n")) {
            Thread.sleep(5);
        }
        LogLimit.shorten(log, 1000, 50);
        process.outputWriter().append("\n").close();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(log).content().hasSizeLessThan(400).startsWith("1\n2\n").endsWith("\n20000\nlater\n");
    }

    @Test
    void aFollowerOfAShortenedLogGoesOn() throws Exception {
        Path log = Files.writeString(folder.resolve("target.log"), "x\n".repeat(5000));
        try (LogTail.Follower follower = new LogTail.Follower(log)) {
            assertThat(follower.lines()).hasSize(5000);
            LogLimit.shorten(log, 1000, 50);
            follower.lines();
            Files.writeString(log, "ready\n", java.nio.file.StandardOpenOption.APPEND);
            assertThat(follower.lines()).containsExactly("ready");
        }
    }
}
