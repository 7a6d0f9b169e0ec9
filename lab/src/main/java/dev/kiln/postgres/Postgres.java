package dev.kiln.postgres;

import dev.kiln.host.process.LaunchSpec;
import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.LogTail;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Ports;
import dev.kiln.host.process.Signal;
import dev.kiln.host.process.Trees;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server that Kiln runs. Kiln makes and fills the data directory once. Every run gets a copy of it, so
 * each starts from the same state. The server refuses to run as root, so Kiln runs it as {@code nobody} if the user is
 * root.
 */
public final class Postgres implements AutoCloseable {
    public static final String USER = "kiln";
    private static final String DATABASE = "postgres";
    private static final LaunchSpec.User NOBODY = new LaunchSpec.User(65534, 65534);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final long POLL_NANOS = 20_000_000;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    /**
     * No data must outlive the run, so nothing waits for the disk. No background work disturbs the run. All else is
     * PostgreSQL's default.
     */
    private static final List<String> SETTINGS = List.of(
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "max_connections=300",
            "shared_buffers=128MB",
            "fsync=off",
            "synchronous_commit=off",
            "full_page_writes=off",
            "autovacuum=off",
            "jit=off",
            "max_wal_senders=0",
            "wal_level=minimal");

    private final Launcher launcher;
    private final OrphanRegistry registry;
    private final List<Integer> cpus;
    private final Path binaries;
    private final Path scratch;
    private final Optional<LaunchSpec.User> user;
    private @Nullable PinnedProcess server;
    private int port;

    /** Makes the template data directory and loads {@code script} into it. */
    public Postgres(Launcher launcher, OrphanRegistry registry, List<Integer> cpus, Path cache, Optional<Path> script) {
        this.launcher = launcher;
        this.registry = registry;
        this.cpus = cpus;
        this.binaries = PostgresBinaries.unpackedInto(cache);
        this.user = "root".equals(System.getProperty("user.name")) ? Optional.of(NOBODY) : Optional.empty();
        try {
            scratch = registry.temporaryDirectory("postgres");
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE, "PostgreSQL: cannot make a data directory: " + e.getMessage(), checkTemporary(), e);
        }
        boolean ready = false;
        try {
            // The folder belongs to the server's user. Others need no access.
            user.ifPresent(this::giveScratchAway);
            initialise(script);
            ready = true;
        } finally {
            if (!ready) {
                close();
            }
        }
    }

    private void giveScratchAway(LaunchSpec.User owner) {
        try {
            Files.setAttribute(scratch, "unix:uid", owner.uid());
            Files.setAttribute(scratch, "unix:gid", owner.gid());
            Files.setPosixFilePermissions(scratch, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw failed("cannot give " + scratch + " to user " + owner.uid() + ": " + e.getMessage(), e);
        }
    }

    private void initialise(Optional<Path> script) {
        PinnedProcess initdb = launch(List.of(
                binaries.resolve("bin/initdb").toString(),
                "--pgdata=" + template(),
                "--username=" + USER,
                "--auth=trust",
                "--encoding=UTF8",
                "--no-locale",
                "--no-sync"));
        int exit = initdb.onExit().join();
        initdb.stop(Duration.ZERO);
        if (exit != 0) {
            throw failed("initdb ended with code " + exit, null);
        }
        if (script.isPresent()) {
            DatabaseScript loaded = DatabaseScript.read(script.get());
            serve(template());
            loaded.loadInto(jdbcUrl(), USER);
            stop();
        }
    }

    /** Starts a server on a fresh copy of the template and a free port; ends one that still runs. */
    public void startFresh() {
        stop();
        try {
            Trees.delete(data());
            Trees.copy(template(), data());
        } catch (IOException e) {
            throw failed("cannot copy the data directory: " + e.getMessage(), e);
        }
        serve(data());
    }

    private void serve(Path dataDirectory) {
        port = Ports.free();
        List<String> command = new ArrayList<>(List.of(
                binaries.resolve("bin/postgres").toString(), "-D", dataDirectory.toString(), "-c", "port=" + port));
        SETTINGS.forEach(setting -> command.addAll(List.of("-c", setting)));
        PinnedProcess started = launch(command);
        server = started;
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try {
                connect().close();
                return;
            } catch (SQLException notYet) {
                if (!started.isAlive()
                        || System.nanoTime() > deadline
                        || Thread.currentThread().isInterrupted()) {
                    throw failed("did not start: " + notYet.getMessage(), notYet);
                }
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private PinnedProcess launch(List<String> command) {
        return launcher.start(new LaunchSpec("database", command, log())
                .withEnvironment(Map.of("LC_ALL", "C", "TZ", "UTC"))
                .in(Optional.of(scratch))
                .on(cpus)
                .as(user));
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), USER, "");
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE;
    }

    public long pid() {
        return server == null ? -1 : server.pid();
    }

    public boolean isAlive() {
        return server != null && server.isAlive();
    }

    /** Runs {@code action} when the present server ends, for whatever reason. */
    public void onExit(Runnable action) {
        if (server != null) {
            var unused = server.onExit().thenRun(action);
        }
    }

    /** The last lines of the server's log. */
    public String lastLines() {
        return LogTail.lastLines(log(), 5);
    }

    /** Stops the server fast, without waiting for open connections. */
    public void stop() {
        if (server != null) {
            server.stop(Signal.INT, STOP_LIMIT);
            server = null;
        }
    }

    @Override
    public void close() {
        stop();
        try {
            Trees.delete(scratch);
            registry.removed(scratch);
        } catch (IOException e) {
            // It stays in the registry: the next start tries again.
            return;
        }
    }

    private Path template() {
        return scratch.resolve("template");
    }

    private Path data() {
        return scratch.resolve("data");
    }

    private Path log() {
        return scratch.resolve("server.log");
    }

    private static String checkTemporary() {
        return "check space and permissions in " + System.getProperty("java.io.tmpdir");
    }

    private KilnException failed(String what, @Nullable Exception cause) {
        String said = lastLines();
        return new KilnException(
                Exit.MACHINE,
                "PostgreSQL: " + what,
                said.isEmpty() ? checkTemporary() : said,
                cause == null ? new IllegalStateException(what) : cause);
    }
}
