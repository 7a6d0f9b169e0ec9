package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.process.ExitCode.WaitStatus;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCodeTest {
    /** Of a real shell that exits, or ends itself by a signal. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            exit 3          | exited with code 3
            exit 128        | exited with code 128
            exit 255        | exited with code 255
            exit 193        | exited with code 193
            kill -KILL $$   | exited with code 137 (as after signal 9, SIGKILL)
            kill -SEGV $$   | exited with code 139 (as after signal 11, SIGSEGV)
            kill -SYS $$    | exited with code 159 (as after signal 31, SIGSYS)
            kill -40 $$     | exited with code 168 (as after signal 40)
            exit 143        | exited with code 143 (as after signal 15, SIGTERM)
            """)
    void aNumberAloneLeavesItOpen(String script, String said) throws IOException, InterruptedException {
        int code = new ProcessBuilder("bash", "-c", script).start().waitFor();
        assertThat(ExitCode.unsure(code).text()).isEqualTo(said);
    }

    /** Each waits for a line, so that it lives as long as it is looked for. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            exit 3          | exited with code 3
            exit 255        | exited with code 255
            kill -KILL $$   | was killed by signal 9, SIGKILL
            kill -40 $$     | was killed by signal 40
            exit 137        | exited with code 137, as a JVM or a shell does after signal 9, SIGKILL
            exit 143        | exited with code 143, as a JVM or a shell does after signal 15, SIGTERM
            """)
    void anExitIsAnExitAndASignalASignal(String script, String said) throws IOException, InterruptedException {
        assumeTrue(Killed.kernelTells(), "the kernel does not keep the status");
        Process process = new ProcessBuilder("bash", "-c", "read line; " + script).start();
        WaitStatus status = WaitStatus.of(process);
        assertThat(status.exit()).isEmpty();
        process.getOutputStream().close();
        process.waitFor();
        assertThat(status.exit().orElseThrow().text()).isEqualTo(said);
        // Asked a second time, when the descriptor is closed.
        assertThat(status.exit().orElseThrow().text()).isEqualTo(said);
    }

    /** Its status is that of whatever has its number now, if anything has. */
    @Test
    void ofOneThatHadEndedBeforeOnlyTheNumberIsKnown() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("bash", "-c", "exit 137").start();
        process.waitFor();
        assertThat(WaitStatus.of(process).exit()).hasValue(ExitCode.unsure(137));
    }
}
