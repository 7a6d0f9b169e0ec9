package dev.kiln.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.console.Console;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.plan.ExperimentFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class LabSessionTest {
    @TempDir
    private Path dir;

    private final Some some = new Some();
    private final StringWriter said = new StringWriter();

    @Command
    private static final class Some {
        @Mixin
        private final Console console = new Console();
    }

    @BeforeEach
    void parse() {
        CommandLine line = new CommandLine(some);
        line.setErr(new PrintWriter(said, true));
        line.parseArgs();
    }

    /** An experiment that ends before its first run, and is cleaned up. */
    private int exit(String cleanup, int found) throws IOException {
        LabSession session = new LabSession(some.console, Secrets.HIDDEN);
        Experiment experiment = session.resolved(
                ExperimentFile.read(Files.writeString(dir.resolve("test.yaml"), """
                prepare: sh -c 'exit 3'
                cleanup: %s
                target: {command: sleep 600, environment: {PORT: '${port}'}}
                load: {url: 'http://localhost:${port}/'}
                """.formatted(cleanup))));
        assertThatThrownBy(() -> session.withLab(experiment.cpus(), lab -> {
                    try (var runner = session.runner(lab, experiment, dir.resolve("results"))) {
                        return runner.run(List.of(), block -> false);
                    }
                }))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("prepare (sh -c exit 3) exited with code 3");
        return session.exit(found);
    }

    /** A search and a gate make runners of their own, and their runs say nothing of it. */
    @Test
    void aCleanupThatFailsIsAProblemWhateverTheRunsShow() throws IOException {
        assertThat(exit("sh -c 'exit 4'", 0)).isEqualTo(1);
        assertThat(said.toString()).contains("cleanup (sh -c exit 4) exited with code 4");
        assertThat(exit("sh -c 'exit 4'", 4)).isEqualTo(4);
        assertThat(exit("sh -c true", 0)).isZero();
    }
}
