package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {
    @TempDir
    Path directory;

    @Test
    void findsALineHoweverFarDown() throws Exception {
        Path log =
                Files.writeString(directory.resolve("log"), "a line of noise\n".repeat(500_000) + "Started in 3 s\n");

        assertThat(LogTail.contains(log, Pattern.compile("Started in \\d+ s"))).isTrue();
        assertThat(LogTail.lastLines(log, 2)).isEqualTo("a line of noise\nStarted in 3 s");
    }

    @Test
    void aLogThatIsNotThereYetIsEmpty() {
        assertThat(LogTail.lastLines(directory.resolve("none"), 5)).isEmpty();
    }
}
