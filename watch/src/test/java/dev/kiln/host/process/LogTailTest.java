package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

        try (LogTail.LineSearch search = new LogTail.LineSearch(log, Pattern.compile("Started in \\d+ s"))) {
            assertThat(search.found()).isTrue();
        }
        assertThat(LogTail.lastLines(log, 2)).isEqualTo("a line of noise\nStarted in 3 s");
    }

    @Test
    void aSearchGoesOnWhereItStopped() throws Exception {
        Path log = directory.resolve("log");
        try (LogTail.LineSearch search = new LogTail.LineSearch(log, Pattern.compile("^ready$"))) {
            assertThat(search.found()).isFalse();
            Files.writeString(log, "not ready\nrea");
            assertThat(search.found()).isFalse();
            Files.writeString(log, "dy", StandardOpenOption.APPEND);
            assertThat(search.found()).isTrue();
            Files.writeString(log, "\nmore\n", StandardOpenOption.APPEND);
            assertThat(search.found()).isTrue();
            assertThat(search.found()).as("what was read is not read again").isFalse();
        }
    }

    @Test
    void errorsAreLookedForAtBothEndsOfALongLog() throws Exception {
        Path shorter = Files.writeString(directory.resolve("short"), "first\nlast\n");
        Path longer = Files.writeString(
                directory.resolve("long"),
                "first\n" + "noise\n".repeat(1 << 20) + "middle\n" + "noise\n".repeat(1 << 20) + "last\n");

        assertThat(LogTail.ends(shorter)).isEqualTo("first\nlast\n");
        assertThat(LogTail.ends(longer))
                .startsWith("first\n")
                .endsWith("last\n")
                .doesNotContain("middle");
        assertThat(LogTail.ends(directory.resolve("none"))).isEmpty();
    }

    @Test
    void aLogThatIsNotThereYetIsEmpty() {
        assertThat(LogTail.lastLines(directory.resolve("none"), 5)).isEmpty();
    }
}
