package dev.kiln.postgres;

import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.Launcher.LaunchSpec;
import dev.kiln.host.process.Launcher.LaunchSpec.LaunchUser;
import dev.kiln.host.process.LogTail;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Ports;
import dev.kiln.host.process.Signal;
import dev.kiln.host.process.Trees;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A Postgres is a PostgreSQL server that Kiln runs. Kiln makes and fills the data directory once. Every run gets a copy
 * of it, so each starts from the same state. The server refuses to run as root, so Kiln runs it as {@code nobody} if
 * the user is root.
 *
 * <p>Other users of the machine reach its port, so both of its users have a random password. The application's user
 * owns its database and is no superuser. Java's driver knows no Unix socket, so TCP on the loopback address stays. Only
 * for a run whose application is on another machine does it listen on one more address, and lets in that machine's.
 */
public final class Postgres implements AutoCloseable {
    public static final String USER = "kiln";
    private static final String DATABASE = "kiln";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String ADMINISTRATOR = "postgres";
    private static final int SECRET_BYTES = 24;
    private static final LaunchUser NOBODY = new LaunchUser(65534, 65534);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final long POLL_NANOS = 20_000_000;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    /** No data must outlive the run, so nothing waits for the disk. All else is PostgreSQL's default. */
    private static final List<String> SETTINGS = List.of(
            "listen_addresses=" + LOOPBACK,
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
    private final PostgresFolder folder;
    private final String password = secret();
    private final String administratorPassword = secret();
    private @Nullable PinnedProcess server;
    private int port;
    private Optional<Client> client = Optional.empty();

    /** A Client is another machine, by the address here that the application reaches, and its own. */
    public record Client(String here, String there) {}

    /** Makes the template data directory and loads {@code script} into it. */
    public Postgres(Launcher launcher, OrphanRegistry registry, List<Integer> cpus, Path cache, Optional<Path> script) {
        this.launcher = launcher;
        this.registry = registry;
        this.cpus = cpus;
        this.binaries = PostgresBinaries.unpackedInto(cache);
        Optional<LaunchUser> user =
                "root".equals(System.getProperty("user.name")) ? Optional.of(NOBODY) : Optional.empty();
        try {
            folder = new PostgresFolder(registry.temporaryDirectory("postgres"), user);
        } catch (IOException e) {
            throw KilnException.machine(
                    "PostgreSQL: cannot make a data directory: " + e.getMessage(), checkTemporary(), e);
        }
        boolean ready = false;
        try {
            initialise(script);
            ready = true;
        } finally {
            if (!ready) {
                close();
            }
        }
    }

    private static String secret() {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private void initialise(Optional<Path> script) {
        Path passwordFile = folder.password();
        try {
            folder.make();
        } catch (IOException e) {
            throw failed("cannot make " + folder.home() + ": " + e.getMessage(), e);
        }
        try {
            folder.write(passwordFile, administratorPassword);
            finish(
                    "initdb",
                    List.of(
                            binaries.resolve("bin/initdb").toString(),
                            "--pgdata=" + folder.template(),
                            "--username=" + ADMINISTRATOR,
                            "--pwfile=" + passwordFile,
                            "--auth=scram-sha-256",
                            "--encoding=UTF8",
                            "--no-locale",
                            "--no-sync"));
            Files.delete(passwordFile);
        } catch (IOException e) {
            throw failed("cannot write " + passwordFile + ": " + e.getMessage(), e);
        }
        serve(folder.template());
        makeDatabase();
        script.map(DatabaseScript::read).ifPresent(read -> read.loadInto(jdbcUrl(), USER, password));
        stop();
    }

    private void makeDatabase() {
        try (Connection connection = administer();
                Statement statement = connection.createStatement()) {
            statement.execute("create role " + USER + " login password '" + password + "'");
            statement.execute("create database " + DATABASE + " owner " + USER);
        } catch (SQLException e) {
            throw failed("cannot make the database: " + e.getMessage(), e);
        }
    }

    /** Runs a program as the server's user to its end. */
    private void finish(String what, List<String> command) {
        PinnedProcess program = launch(command);
        int exit = program.onExit().join();
        program.stop(Duration.ZERO);
        if (exit != 0) {
            throw failed(what + " ended with code " + exit, null);
        }
    }

    /** Starts a server on a fresh copy of the template and a free port; ends one that still runs. */
    public void startFresh() {
        startFresh(Optional.empty());
    }

    /** Starts a server in the same way for an application on another machine. */
    public void startFresh(Client other) {
        startFresh(Optional.of(other));
    }

    private void startFresh(Optional<Client> other) {
        stop();
        client = other;
        try {
            Trees.delete(folder.data());
        } catch (IOException e) {
            throw failed("cannot delete the last run's data: " + e.getMessage(), e);
        }
        finish(
                "the copy of the data",
                List.of("cp", "-a", folder.template().toString(), folder.data().toString()));
        serve(folder.data());
    }

    private void serve(Path dataDirectory) {
        port = Ports.free();
        List<String> command = new ArrayList<>(List.of(
                binaries.resolve("bin/postgres").toString(), "-D", dataDirectory.toString(), "-c", "port=" + port));
        SETTINGS.forEach(setting -> command.addAll(List.of("-c", setting)));
        // The last of two settings wins.
        client.ifPresent(other -> letIn(other).forEach(setting -> command.addAll(List.of("-c", setting))));
        PinnedProcess started = launch(command);
        server = started;
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try {
                administer().close();
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

    /** Returns the settings that let in the other machine: only the application's user, and only to its database. */
    private List<String> letIn(Client other) {
        Path rules = folder.clients();
        String all = other.there().contains(":") ? "/128" : "/32";
        try {
            Files.deleteIfExists(rules);
            folder.write(
                    rules,
                    "host all all " + LOOPBACK + "/32 scram-sha-256\nhost " + DATABASE + " " + USER + " "
                            + other.there() + all + " scram-sha-256\n");
        } catch (IOException e) {
            throw failed("cannot write " + rules + ": " + e.getMessage(), e);
        }
        String addresses = other.here().equals(LOOPBACK) ? LOOPBACK : LOOPBACK + "," + other.here();
        return List.of("listen_addresses=" + addresses, "hba_file=" + rules);
    }

    private PinnedProcess launch(List<String> command) {
        return launcher.start(new LaunchSpec("database", command, folder.log())
                .withEnvironment(Map.of("LC_ALL", "C", "TZ", "UTC"))
                .in(Optional.of(folder.home()))
                .on(cpus)
                .as(folder.user()));
    }

    private Connection administer() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(LOOPBACK, ADMINISTRATOR), ADMINISTRATOR, administratorPassword);
    }

    /** Returns the database's URL for the application, with the address by which that reaches this machine. */
    public String jdbcUrl() {
        return jdbcUrl(client.map(Client::here).orElse(LOOPBACK), DATABASE);
    }

    private String jdbcUrl(String address, String database) {
        String host = address.contains(":") ? "[" + address + "]" : address;
        return "jdbc:postgresql://" + host + ":" + port + "/" + database;
    }

    public int port() {
        return port;
    }

    /** Returns the password of {@link #USER}, which each Kiln makes anew. */
    public String password() {
        return password;
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

    /** Returns the last lines of the server's log. */
    public String lastLines() {
        return LogTail.lastLines(folder.log(), 5);
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
            Trees.delete(folder.root());
            registry.removed(folder.root());
        } catch (IOException e) {
            // It stays in the registry: the next start tries again.
            return;
        }
    }

    private static String checkTemporary() {
        return "check space and permissions in " + System.getProperty("java.io.tmpdir");
    }

    private KilnException failed(String what, @Nullable Exception cause) {
        String said = lastLines();
        return KilnException.machine(
                "PostgreSQL: " + what,
                said.isEmpty() ? checkTemporary() : said,
                cause == null ? new IllegalStateException(what) : cause);
    }
}
