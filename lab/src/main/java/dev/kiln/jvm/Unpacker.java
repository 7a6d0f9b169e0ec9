package dev.kiln.jvm;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * Unpacks tar and zip files of unknown origin into an empty folder. Nothing is written outside it: a name or link that leads
 * out is refused, and links are made after all files, so that no file can be written through one.
 */
final class Unpacker {
    /** A JDK with its sources and debug symbols has 1.5 GB; what has more is something else, or a trap. */
    private static final long MOST_BYTES = 4L << 30;

    private static final int OWNER_EXECUTES = 0100;
    private static final int HEAD = 262;

    private final Path root;
    private final Map<Path, String> symbolic = new LinkedHashMap<>();
    private final Map<Path, Path> hard = new LinkedHashMap<>();
    private long written;

    /** What is wrong with an archive, in words that follow its name. */
    static final class Unsuitable extends Exception {
        private static final long serialVersionUID = 1;

        Unsuitable(String message) {
            super(message);
        }

        Unsuitable(String message, Exception cause) {
            super(message, cause);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    Unpacker(Path root) {
        this.root = root;
    }

    void unpack(Path file) throws IOException, Unsuitable {
        byte[] head;
        try (InputStream in = Files.newInputStream(file)) {
            head = in.readNBytes(HEAD);
        }
        try {
            if (begins(head, 'P', 'K')) {
                zip(file);
            } else {
                tar(file, head);
            }
        } catch (ZipException | EOFException e) {
            throw damaged(e);
        } catch (IOException e) {
            // What the file system says has a class of its own; all else is said by the readers of the formats.
            if (e.getClass() == IOException.class
                    || e.getClass().getPackageName().startsWith("org.")) {
                throw damaged(e);
            }
            throw e;
        } catch (IllegalArgumentException e) {
            throw damaged(e);
        }
        links();
    }

    private static Unsuitable damaged(Exception e) {
        return new Unsuitable("is damaged: " + e.getMessage(), e);
    }

    private void tar(Path file, byte[] head) throws IOException, Unsuitable {
        try (InputStream packed = new BufferedInputStream(Files.newInputStream(file));
                TarArchiveInputStream tar = new TarArchiveInputStream(plain(packed, head))) {
            int entries = 0;
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                entries++;
                Path path = inside(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                } else if (entry.isSymbolicLink()) {
                    symbolic.put(path, entry.getLinkName());
                } else if (entry.isLink()) {
                    hard.put(path, inside(entry.getLinkName()));
                } else if (entry.isFile()) {
                    write(path, tar, (entry.getMode() & OWNER_EXECUTES) != 0);
                }
            }
            if (entries == 0) {
                throw new Unsuitable("is an empty archive");
            }
        }
    }

    private static InputStream plain(InputStream packed, byte[] head) throws IOException, Unsuitable {
        if (begins(head, 0x1f, 0x8b)) {
            return new GZIPInputStream(packed);
        }
        if (begins(head, 0xfd, '7', 'z', 'X', 'Z')) {
            return new XZCompressorInputStream(packed);
        }
        // POSIX has it at 257 of the first header.
        boolean tar = head.length == HEAD && new String(head, 257, 5, StandardCharsets.US_ASCII).equals("ustar");
        if (!tar) {
            throw new Unsuitable("is no archive: neither tar (plain, gz or xz) nor zip");
        }
        return packed;
    }

    private void zip(Path file) throws IOException, Unsuitable {
        try (ZipFile zip = ZipFile.builder().setPath(file).get()) {
            for (ZipArchiveEntry entry : Collections.list(zip.getEntries())) {
                Path path = inside(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                } else if (entry.isUnixSymlink()) {
                    symbolic.put(path, zip.getUnixSymlink(entry));
                } else {
                    int mode = entry.getUnixMode();
                    // A zip made elsewhere than on Unix has no modes: what lies in a bin folder is a program.
                    boolean program = folder(path).endsWith("bin") || path.endsWith("lib/jspawnhelper");
                    try (InputStream in = zip.getInputStream(entry)) {
                        write(path, in, mode == 0 ? program : (mode & OWNER_EXECUTES) != 0);
                    }
                }
            }
        }
    }

    private Path inside(String name) throws Unsuitable {
        try {
            Path path = root.resolve(name).normalize();
            if (path.startsWith(root)) {
                return path;
            }
        } catch (InvalidPathException e) {
            throw new Unsuitable("has an entry that cannot be a file: " + name, e);
        }
        throw new Unsuitable("is not safe to unpack: its entry " + name + " would be written outside");
    }

    private void write(Path path, InputStream in, boolean executable) throws IOException, Unsuitable {
        if (path.equals(root)) {
            throw new Unsuitable("has an entry without a name");
        }
        Files.createDirectories(folder(path));
        Files.deleteIfExists(path);
        try (var out = Files.newOutputStream(path)) {
            byte[] part = new byte[1 << 16];
            for (int read = in.read(part); read >= 0; read = in.read(part)) {
                written += read;
                if (written > MOST_BYTES) {
                    throw new Unsuitable("has more than " + (MOST_BYTES >> 30) + " GB in it, which is no JDK");
                }
                out.write(part, 0, read);
            }
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }

    private void links() throws IOException, Unsuitable {
        for (Map.Entry<Path, Path> link : hard.entrySet()) {
            if (!Files.isRegularFile(link.getValue())) {
                throw new Unsuitable("is damaged: " + root.relativize(link.getKey()) + " links to nothing");
            }
            Files.createDirectories(folder(link.getKey()));
            Files.deleteIfExists(link.getKey());
            Files.createLink(link.getKey(), link.getValue());
        }
        for (Map.Entry<Path, String> link : symbolic.entrySet()) {
            symbolic(link.getKey(), link.getValue());
        }
        // A link that goes by way of another may lead elsewhere than its words say.
        for (Path link : symbolic.keySet()) {
            if (Files.exists(link) && !link.toRealPath().startsWith(root.toRealPath())) {
                throw leadsOut(link, symbolic.getOrDefault(link, ""));
            }
        }
    }

    private void symbolic(Path path, String target) throws IOException, Unsuitable {
        Path parent = folder(path);
        if (path.equals(root) || !parent.resolve(target).normalize().startsWith(root)) {
            throw leadsOut(path, target);
        }
        for (Path above = parent; above.startsWith(root); above = folder(above)) {
            if (symbolic.containsKey(above)) {
                throw new Unsuitable("is not safe to unpack: " + root.relativize(path) + " lies below its own link");
            }
        }
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new Unsuitable("is not safe to unpack: " + root.relativize(path) + " is a folder and a link");
        }
        Files.createDirectories(parent);
        Files.deleteIfExists(path);
        Files.createSymbolicLink(path, Path.of(target));
    }

    private Unsuitable leadsOut(Path link, String target) {
        return new Unsuitable(
                "is not safe to unpack: its link " + root.relativize(link) + " leads outside, to " + target);
    }

    /** What is unpacked has a folder: the root at least. */
    static Path folder(Path path) {
        return Objects.requireNonNull(path.getParent());
    }

    private static boolean begins(byte[] head, int... bytes) {
        if (head.length < bytes.length) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if ((head[i] & 0xff) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    /** A whole tree; links are not followed. */
    static void delete(Path tree) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            @SuppressWarnings("NullAway") // What the listing of a folder threw is null when it threw nothing.
            public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
