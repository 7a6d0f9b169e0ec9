package dev.kiln.runner;

import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.Launcher.LaunchSpec;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Trees;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.postgres.Postgres;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.runner.RunControl.RunListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A place for parts of the lab outside an experiment. What they leave behind can be seen in its book. */
public final class Bench implements AutoCloseable {
    public static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    private final Path folder;
    private final OrphanRegistry registry;
    private final Launcher launcher;

    public Bench() {
        try {
            // Anyone may pass through: a database that root starts runs as somebody else.
            folder = Files.createTempDirectory("it-kiln-");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        registry = new OrphanRegistry(folder.resolve("state"));
        launcher = new Launcher(registry, note -> {});
    }

    /** Kiln's own folder. */
    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("workloads"))) {
            folder = folder.resolve("..").normalize();
        }
        return folder;
    }

    public Path folder() {
        return folder;
    }

    Launcher launcher() {
        return launcher;
    }

    Path cache() {
        return folder.resolve("cache");
    }

    Postgres postgres(Optional<Path> script) {
        return postgres(cache(), script);
    }

    Postgres postgres(Path cache, Optional<Path> script) {
        return new Postgres(launcher, registry, List.of(), cache, script);
    }

    public PinnedProcess start(Path directory, Map<String, String> environment, List<String> command, Path log) {
        return launcher.start(new LaunchSpec("target", command, log)
                .withEnvironment(environment)
                .in(Optional.of(directory)));
    }

    public Path file(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Temporary folders that the parts made, whether they are still there or not. */
    List<Path> temporaryFolders() {
        return book().stream()
                .filter(line -> line.startsWith("directory "))
                .map(line -> Path.of(line.substring(line.indexOf(' ') + 1)))
                .toList();
    }

    /** Processes that the parts started, whether they still run or not. */
    List<Long> processes() {
        return book().stream()
                .filter(line -> line.startsWith("child "))
                .map(line -> Long.parseLong(line.split(" ", -1)[1]))
                .toList();
    }

    private List<String> book() {
        try (Stream<Path> files = Files.list(folder.resolve("state"))) {
            return Files.readAllLines(files.findFirst().orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        launcher.close();
        registry.close();
        try {
            Trees.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nobody watches; a test that does says what it hears. */
    static class Unwatched implements RunListener {
        @Override
        public void stage(String text) {}

        @Override
        public void runStarted(String variant, int position, int total) {}

        @Override
        public void doing(String what) {}

        @Override
        public void tick(Phase.Load phase, Tick tick, Optional<CompilerLoad> c2) {}

        @Override
        public void note(String text) {}
    }
}
