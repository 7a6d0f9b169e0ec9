package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.console.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Kiln complains of goes to the log of a job, which others read. */
class TypedSecretsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "report --db-password=hunter2",
                "report --db-password hunter2",
                "report x postgres://u:hunter2@h/db",
                "run --url http://localhost/ java -Ddb.password=hunter2",
                "gate --api-key=hunter2",
                "postgres://u:hunter2@h/db"
            })
    void aWordThatNoCommandTakes(String line) {
        Kiln kiln = Kiln.run(line.split(" ", -1));
        assertThat(kiln.exit()).isEqualTo(2);
        assertThat(kiln.out() + kiln.err()).doesNotContain("hunter2");
    }

    @Test
    void whatIsWrongIsStillSaid() {
        assertThat(Kiln.run("report", "--db-password=hunter2", "--also").err())
                .startsWith("kiln: Unknown options: '--db-password=***', '--also'");
        assertThat(Kiln.run("history", "--runs", "x?token=hunter2").err()).doesNotContain("hunter2");
    }

    @Test
    void theMessageOfABug() {
        StringWriter err = new StringWriter();
        Console.trace(new PrintWriter(err), new IllegalStateException("at http://u:hunter2@h/x"));
        assertThat(err.toString())
                .contains("IllegalStateException: at http://u:***@h/x", "\tat dev.kiln.")
                .doesNotContain("hunter2");
    }

    @Test
    void whyARunIsLeftOut() {
        StringWriter err = new StringWriter();
        Console.leftOut(new PrintWriter(err)).accept("run 1: no answer at http://h/?token=hunter2");
        assertThat(err).hasToString("kiln: left out: run 1: no answer at http://h/?token=***" + System.lineSeparator());
    }
}
