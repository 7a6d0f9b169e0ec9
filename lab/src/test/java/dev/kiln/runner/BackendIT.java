package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.process.Killed;
import dev.kiln.host.process.Ports;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.run.Course.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The process behind a target, and how its failures are told. */
final class BackendIT {
    private static final String SERVER = """
            import http.server, sys
            http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), http.server.SimpleHTTPRequestHandler).serve_forever()
            """;

    private final Bench bench = new Bench();

    @AfterEach
    void end() {
        bench.close();
    }

    private Optional<Backend> start(String... command) {
        Target target = new Target(
                new Target.Program(List.of("java"), List.of(), Map.of(), Optional.of(bench.folder()))
                        .with(List.of(command)),
                Target.Jvm.USUAL,
                new ReadySign.FirstResponse(Duration.ofSeconds(1)));
        return Backend.start(bench.launcher(), List.of(), target, folder(), new Cancellation());
    }

    private Path folder() {
        return bench.folder().resolve("run");
    }

    @Test
    void listensBeforeTheTargetIsLaunchedAndItsDeathFailsTheRun() throws InterruptedException {
        Backend backend = start("python3", bench.file("serve.py", SERVER).toString(), "${backend.port}")
                .orElseThrow();
        try {
            assertThat(Ports.accepts("localhost", backend.port())).isTrue();
            assertThat(folder().resolve("backend.log")).exists();
            backend.check();

            ProcessHandle.of(backend.process().pid()).orElseThrow().destroyForcibly();
            backend.process().onExit().join();
            assertThatExceptionOfType(RunFailure.class)
                    .isThrownBy(backend::check)
                    .withMessage("the backend " + Killed.text())
                    .satisfies(failure -> assertThat(failure.outcome()).isEqualTo(Outcome.LAB_FAILED));
        } finally {
            backend.stop();
        }
    }

    @Test
    void thatDoesNotStartSaysWhy() {
        assertThatThrownBy(() -> start("sh", "-c", "echo no room on ${backend.port}; exit 4"))
                .isInstanceOfSatisfying(KilnException.class, refused -> {
                    assertThat(refused.exit()).isEqualTo(Exit.MACHINE);
                    assertThat(refused).hasMessageStartingWith("the backend exited with code 4 (full output: ");
                    assertThat(refused.remedy()).matches("no room on \\d{4}");
                });
        assertThat(start()).as("a target without one").isEmpty();
    }
}
