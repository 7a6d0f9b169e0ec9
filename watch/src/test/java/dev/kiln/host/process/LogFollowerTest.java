package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFollowerTest {
    @TempDir
    private Path directory;

    @Test
    void halfALineIsNoLineUntilItsEnd() throws IOException {
        Path log = Files.writeString(directory.resolve("log"), "one\r\nBooted in 5");
        try (LogTail.Follower follower = new LogTail.Follower(log)) {
            assertThat(follower.lines()).containsExactly("one");
            assertThat(follower.lines()).isEmpty();
            Files.writeString(log, "44 ms\n\u00fcber\nlast", StandardOpenOption.APPEND);
            assertThat(follower.lines()).containsExactly("Booted in 544 ms", "\u00fcber");
            assertThat(follower.rest()).isEqualTo("last");
        }
    }

    @Test
    void readsOnBeyondItsBuffer() throws IOException {
        String line = "x".repeat(200_000);
        Path log = Files.writeString(directory.resolve("log"), line + "\n" + line + "\n");
        try (LogTail.Follower follower = new LogTail.Follower(log)) {
            assertThat(follower.lines()).containsExactly(line, line);
        }
    }

    /** All of them at once would fill Kiln's memory, while a program prints faster than they are read. */
    @Test
    void veryManyLinesComeInParts() throws IOException {
        Path log = Files.writeString(directory.resolve("log"), "y\n".repeat(2_000_000));
        try (LogTail.Follower follower = new LogTail.Follower(log)) {
            int seen = 0;
            while (!follower.isAtEnd()) {
                List<String> part = follower.lines();
                assertThat(part.size()).isLessThan(600_000);
                seen += part.size();
            }
            assertThat(seen).isEqualTo(2_000_000);
        }
    }
}
