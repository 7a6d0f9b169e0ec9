package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.console.Console;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.plan.ExperimentFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A cure is applied to what it was measured on: a deployment that somebody has changed since the search is not touched. */
class ApplyingTest {
    private static final String SET = "kubectl set env deployment/checkout -n shop JAVA_TOOL_OPTIONS MODE";

    @TempDir
    private Path dir;

    private final StringWriter said = new StringWriter();

    @Command
    private static final class Some {
        @Mixin
        private final Console console = new Console();
    }

    private Console console() {
        Some some = new Some();
        CommandLine line = new CommandLine(some);
        line.setErr(new PrintWriter(said, true));
        line.parseArgs();
        return some.console;
    }

    /** A service that this command starts anew, with these variables; a second variant has others. */
    private Experiment having(String restart, String environment) throws IOException {
        return ExperimentFile.read(Files.writeString(dir.resolve("shop.yaml"), """
                target: {attach: 'kube:shop/deployment/checkout', restart: %s}
                variants:
                  plain: {environment: {%s}}
                  other: {environment: {JAVA_TOOL_OPTIONS: -Dother=1}}
                load: {url: 'http://localhost:8080/'}
                """.formatted(restart, environment)));
    }

    private boolean isAsMeasured(String restart, String had, String has) throws IOException {
        Experiment measured = having(restart, had);
        return new Applying(console(), Secrets.HIDDEN, measured, measured, dir).isAsMeasured(having(restart, has));
    }

    @Test
    void aDeploymentThatHasWhatItHadIsAsMeasured() throws IOException {
        assertThat(isAsMeasured(SET, "JAVA_TOOL_OPTIONS: -Xmx1g", "JAVA_TOOL_OPTIONS: -Xmx1g"))
                .isTrue();
        assertThat(isAsMeasured(SET, "", "")).isTrue();
        assertThat(said.toString()).isEmpty();
    }

    @Test
    void eachVariableThatIsAnotherIsNamed() throws IOException {
        assertThat(isAsMeasured(SET, "JAVA_TOOL_OPTIONS: -Xmx1g, MODE: a", "JAVA_TOOL_OPTIONS: -Xmx2g, MODE: a"))
                .isFalse();
        assertThat(said.toString())
                .isEqualToIgnoringNewLines(
                        "kiln: nothing was applied: the deployment has another JAVA_TOOL_OPTIONS since the search");
    }

    @Test
    void oneThatCameOrWentIsAnotherToo() throws IOException {
        assertThat(isAsMeasured(SET, "JAVA_TOOL_OPTIONS: -Xmx1g", "MODE: a")).isFalse();
        assertThat(said.toString()).contains("has another JAVA_TOOL_OPTIONS, MODE since the search");
    }
}
