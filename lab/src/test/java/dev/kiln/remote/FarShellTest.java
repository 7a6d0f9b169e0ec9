package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where.HostPlace;
import dev.kiln.remote.FarShell.Pipe;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FarShellTest {
    @Test
    void theReasonIsWhatTheFarEndSaidLast() {
        assertThat(FarShell.lastLine("tar: 0: No space left on device\ncommand terminated with exit code 2\n\n"))
                .isEqualTo("tar: 0: No space left on device");
        assertThat(FarShell.lastLine("java:\ncommand terminated with exit code 3\n"))
                .isEqualTo("java:");
        assertThat(FarShell.lastLine("command terminated with exit code 1")).isEqualTo("it said nothing");
    }

    /** It neither answers nor takes more input than a pipe holds. */
    @Test
    @Timeout(60)
    void aCommandThatHangsIsEnded() {
        String mark = "1000.0" + ProcessHandle.current().pid();
        Pipe pipe = new Pipe(HostPlace.through(List.of("sh", "-c", "sleep " + mark + "; true", "x")));

        assertThatThrownBy(() -> pipe.run("true", Duration.ofSeconds(1), out -> out.write(new byte[1 << 20])))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("no shell at the far end of sh -c sleep " + mark)
                .hasMessageContaining(": no answer within 1 s");
        assertThat(ProcessHandle.allProcesses())
                .noneMatch(process -> process.info().commandLine().orElse("").endsWith("sleep " + mark));
    }

    /** It would fill memory. */
    @Test
    @Timeout(60)
    void aCommandThatComplainsWithoutAnEndOfTheLineIsEnded() throws Exception {
        Process endless = new ProcessBuilder("sh", "-c", "echo one >&2; exec cat /dev/zero >&2").start();
        StringWriter said = new StringWriter();

        assertThat(FarCommand.lines("pod shop/a", endless, new PrintWriter(said)))
                .isEmpty();
        assertThat(said.toString().lines())
                .containsExactly(
                        "one", "kiln: ended the connection to pod shop/a: a line has more than 1048576 characters");
        assertThat(endless.waitFor()).isNotZero();
    }
}
