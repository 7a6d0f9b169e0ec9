package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Main;
import dev.kiln.postgres.Postgres;
import dev.kiln.testing.FullRun;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.postgresql.Driver;

/** An experiment that names a database of the user's. */
@FullRun
@Execution(ExecutionMode.CONCURRENT)
final class ExternalDatabaseIT {
    /** Runs from source; leaves a row in the database for each start, which is what Kiln must not clear away. */
    private static final String VISITOR = """
            import com.sun.net.httpserver.HttpServer;
            import java.net.InetSocketAddress;
            import java.sql.*;

            public class Visitor {
                public static void main(String[] args) throws Exception {
                    try (Connection c = DriverManager.getConnection(
                            System.getenv("DB_URL"), System.getenv("DB_USER"), System.getenv("DB_PASSWORD"))) {
                        c.createStatement().execute("insert into visits values ('" + args[1] + "')");
                    }
                    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 0);
                    server.createContext("/", exchange -> {
                        exchange.sendResponseHeaders(200, 2);
                        exchange.getResponseBody().write("ok".getBytes());
                        exchange.close();
                    });
                    server.start();
                }
            }
            """;

    @Test
    void isUsedAndLeftAlone() throws Exception {
        try (Bench bench = new Bench();
                Postgres theirs =
                        bench.postgres(Optional.of(bench.file("visits.sql", "create table visits (who text)")))) {
            theirs.startFresh();
            long pid = theirs.pid();

            String said = run(bench, theirs);

            assertThat(theirs.isAlive()).isTrue();
            assertThat(theirs.pid()).isEqualTo(pid);
            assertThat(PostgresIT.query(theirs, "select string_agg(who, ' ' order by who) from visits"))
                    .as(said)
                    .isEqualTo("one two");
            assertThat(said).doesNotContain("PostgreSQL");
        }
    }

    private static String run(Bench bench, Postgres theirs) throws Exception {
        Path driver = Path.of(
                Driver.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        bench.file("Visitor.java", VISITOR);
        Path experiment =
                bench.file("visits.yaml", """
                target:
                  command: [java, -cp, '%s', Visitor.java, '${port}']
                  environment:
                    DB_URL: ${db.url}
                    DB_USER: ${db.user}
                    DB_PASSWORD: ${db.password}
                variants:
                  one: {arguments: [one]}
                  two: {arguments: [two]}
                load:
                  url: http://localhost:${port}/
                  connections: 1
                protocol: load=1s,pause=1s,load=1s
                runs: 1
                repeat: false
                database:
                  url: %s
                  user: %s
                  password: %s
                """.formatted(driver, theirs.jdbcUrl(), Postgres.USER, theirs.password()));
        Process kiln = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dkiln.driver.warmUpSeconds=0",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "run",
                        experiment.toString(),
                        "--results",
                        bench.folder().resolve("results").toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(kiln.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(kiln.waitFor()).as(said).isIn(0, 1);
        return said;
    }
}
