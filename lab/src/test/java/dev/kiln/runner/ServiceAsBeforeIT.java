package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.container.Containers;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.host.process.Ports;
import dev.kiln.model.experiment.Target;
import dev.kiln.plan.ExperimentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service of others whose command serves itself, in the foreground. */
class ServiceAsBeforeIT {
    @TempDir
    private Path dir;

    private final int port = Ports.free();

    private Target service() throws IOException {
        Path start = Files.writeString(dir.resolve("start.sh"), """
                #!/bin/sh
                if [ -f pid ]; then kill -9 $(cat pid); while [ -e /proc/$(cat pid)/exe ]; do sleep 0.05; done; fi
                echo $$ > pid
                exec '%s/bin/java' -XX:TieredStopAtLevel=1 -cp '%s' '%s' %d
                """.formatted(
                        System.getProperty("java.home"),
                        System.getProperty("java.class.path"),
                        HookRunnerIT.Listening.class.getName(),
                        port));
        assertThat(start.toFile().setExecutable(true)).isTrue();
        return ExperimentFile.read(Files.writeString(dir.resolve("test.yaml"), """
                        target: {attach: 'port:%d', restart: ./start.sh}
                        load: {url: 'http://localhost:8080/'}
                        """.formatted(port)))
                .variants()
                .getFirst()
                .target();
    }

    private long pid() throws IOException {
        return Long.parseLong(Files.readString(dir.resolve("pid")).strip());
    }

    @AfterEach
    void endTheService() throws IOException {
        if (Files.exists(dir.resolve("pid"))) {
            ProcessHandle.of(pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** Says what the next Kiln would do, if this one were killed now. */
    private List<String> nextKiln(Path state) throws IOException {
        Path next = Files.createDirectories(dir.resolve("next"));
        try (Stream<Path> books = Files.list(state)) {
            Files.copy(
                    books.findFirst().orElseThrow(),
                    next.resolve("999999999-1.running"),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        try (OrphanRegistry registry = new OrphanRegistry(next)) {
            return registry.sweep(Containers::removeOrphan, said -> {});
        }
    }

    @Test
    void aServiceThatWasRestoredIsNothingThatKilnLeft() throws Exception {
        Target target = service();
        Path state = dir.resolve("state");
        try (OrphanRegistry registry = new OrphanRegistry(state)) {
            RunControl control = new RunControl(new Bench.Unwatched(), new Cancellation(), new UnaskedJudge());
            HookRunner hooks = new HookRunner(registry, List.of(), dir.resolve("results"), control);
            ServiceAsBefore service = new ServiceAsBefore(
                    hooks, target, Optional.empty(), dir.resolve("results"), control, Duration.ofSeconds(1));
            service.changes();
            new ProcessBuilder("./start.sh").directory(dir.toFile()).start();
            while (!Ports.accepts("127.0.0.1", port)) {
                Thread.sleep(20);
            }
            long tried = pid();

            service.close();

            assertThat(service.failed()).isFalse();
            assertThat(pid()).isNotEqualTo(tried);
            assertThat(nextKiln(state)).isEmpty();
            assertThat(ProcessHandle.of(pid())).get().matches(ProcessHandle::isAlive);
        }
    }
}
