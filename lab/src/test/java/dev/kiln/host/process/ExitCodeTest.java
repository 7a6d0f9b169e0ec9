package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
    void anExitIsAnExit(String script, String said) throws IOException, InterruptedException {
        int code = new ProcessBuilder("bash", "-c", script).start().waitFor();
        assertThat(ExitCode.text(code)).isEqualTo(said);
    }
}
