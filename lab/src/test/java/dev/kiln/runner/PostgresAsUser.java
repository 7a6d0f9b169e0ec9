package dev.kiln.runner;

import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.postgres.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Starts a PostgreSQL as whoever runs this, and says how it went. Arguments: a folder to write in, a script. */
final class PostgresAsUser {
    private PostgresAsUser() {}

    public static void main(String[] args) throws IOException, SQLException {
        Path home = Path.of(args[0]);
        String found;
        Object uid;
        try (OrphanRegistry registry = new OrphanRegistry(home.resolve("state"));
                Launcher launcher = new Launcher(registry, note -> {});
                Postgres postgres = new Postgres(
                        launcher, registry, List.of(), home.resolve("cache"), Optional.of(Path.of(args[1])))) {
            postgres.startFresh();
            uid = Files.getAttribute(Path.of("/proc", Long.toString(postgres.pid())), "unix:uid");
            found = PostgresIT.query(postgres, "select name from things");
        }
        try (Stream<Path> left = Files.list(home)) {
            List<Path> temporary = left.filter(
                            path -> path.getFileName().toString().startsWith("kiln-"))
                    .toList();
            System.out.println("uid " + uid + ", found " + found + ", left " + temporary);
        }
    }
}
