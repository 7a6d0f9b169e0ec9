package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.closed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.load.driver.DriverLines.MessageFields;
import dev.kiln.load.driver.DriverLines.MessageWriter;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What either end of a pipe does when nothing more comes from the other, and what the far one keeps. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class FarEndIT {
    private static final LoadSpec LOAD = closed(1, URI.create("http://localhost:1/"));

    @TempDir
    Path there;

    private Process alone() throws IOException {
        return new ProcessBuilder(new FarPipe(there).command(List.of(DriverMain.class.getName(), DriverMain.FAR)))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** The input of a container's process may stay open when what led there was killed. */
    @Test
    void aDriverThatHearsNothingEndsItself() throws Exception {
        Process alone = alone();
        assertThat(alone.inputReader().readLine()).startsWith("ready\t");
        assertThat(alone.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(alone.exitValue()).isZero();
        assertThat(there).isEmptyDirectory();
    }

    /** What led there may have been stopped, and then nobody reads: all that sends waits. */
    @Test
    void aDriverThatNobodyReadsEndsItselfToo() throws Exception {
        Process alone = alone();
        try {
            String open = NettyDriver.opening("", System.nanoTime(), 0, LOAD, Optional.empty())
                    .end()
                    .toString();
            alone.getOutputStream().write((open + "clock\t1\n".repeat(5_000)).getBytes(StandardCharsets.UTF_8));
            alone.getOutputStream().flush();
            assertThat(alone.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(alone.exitValue()).isZero();
        } finally {
            alone.destroyForcibly();
        }
        assertThat(there).isEmptyDirectory();
    }

    /** The network may be gone without a word in the middle of a message: what is sent waits for as long as nobody reads. */
    @Test
    void aDriverThatReadsNothingAnyMoreIsLost() {
        FeedTable.FeedTableBuilder table = new FeedTable.FeedTableBuilder(List.of("id"));
        table.add(List.of("a".repeat(300_000)));
        FarPipe pipe = new FarPipe(
                there,
                "sh",
                "-c",
                "{ dd bs=64 count=200; exec tail --pid=$$ -f /dev/null </dev/null >/dev/null; } 2>/dev/null | \"$@\"",
                "sh");
        try (FarDriver driver = new FarDriver(pipe, Optional.of(table.build()), Set.of())) {
            assertThatThrownBy(() -> driver.prepare(LOAD))
                    .isInstanceOf(KilnException.class)
                    .hasMessageStartingWith(
                            "the load driver is lost: the connection to the far end of a pipe was lost");
        }
    }

    /** As after a failure in the middle, such as that of a full disk. */
    @Test
    void aFileThatIsSentAgainIsThereOnce() throws Exception {
        Process alone = alone();
        try (BufferedReader answers = alone.inputReader();
                Writer commands = alone.outputWriter()) {
            assertThat(answers.readLine()).startsWith("ready\t");
            Path file = placed(commands, answers, 0, "abc");
            placed(commands, answers, 0, "abc");
            placed(commands, answers, 3, "def");
            assertThat(file).hasContent("abcdef");
        }
        assertThat(alone.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(there).isEmptyDirectory();
    }

    private static Path placed(Writer commands, BufferedReader answers, long offset, String piece) throws IOException {
        commands.write(new MessageWriter("piece")
                .add("feed.bin")
                .add(offset)
                .add(Base64.getEncoder().encodeToString(piece.getBytes(StandardCharsets.UTF_8)))
                .end()
                .toString());
        commands.flush();
        MessageFields answer = new MessageFields(answers.readLine());
        assertThat(answer.text()).isEqualTo("placed");
        return Path.of(answer.text());
    }
}
