package dev.kiln.files;

import dev.kiln.files.NativeOpen.Links;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A file that Kiln writes. No link is followed, whoever put it there. */
public final class OutputFile {
    /** What the user's umask leaves of them: as any program makes its files. */
    private static final FileAttribute<?> USUAL =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-rw-rw-"));

    /** Whether a file has to outlive a crash of the machine, which takes longer. */
    public enum Durable {
        YES,
        NO
    }

    /** Writes the content of a file. */
    public interface Content {
        void write(OutputStream out) throws IOException;
    }

    private OutputFile() {}

    public static void replace(Path file, String text) throws IOException {
        replace(file, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void replace(Path file, byte[] content) throws IOException {
        replace(file, out -> out.write(content), Durable.NO, USUAL);
    }

    public static void replace(Path file, Content content) throws IOException {
        replace(file, content, Durable.NO, USUAL);
    }

    /**
     * Writes a file as a whole, beside it, and then puts it in its place: a crash at any moment leaves the old one or the
     * new one, and a link in its place is replaced and not followed.
     */
    public static void replace(Path file, Content content, Durable durable, FileAttribute<?> permissions)
            throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || file.getFileName() == null) {
            throw new FileSystemException(file.toString(), null, "it is a folder");
        }
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            // A rename would take the place of an empty one.
            throw new FileSystemException(file.toString(), null, "it is a folder");
        }
        Path beside = beside(file, folder, permissions);
        try {
            try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                OutputStream out = Channels.newOutputStream(channel);
                content.write(out);
                out.flush();
                if (durable == Durable.YES) {
                    channel.force(true);
                }
            }
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    private static Path beside(Path file, Path folder, FileAttribute<?> permissions) throws IOException {
        try {
            return Files.createTempFile(folder, file.getFileName() + ".", ".part", permissions);
        } catch (NoSuchFileException e) {
            throw new NoSuchFileException(file.toString());
        }
    }

    /** A file that is not there yet; whatever is there already, a link too, stays as it is. */
    public static FileChannel fresh(Path file, FileAttribute<?>... permissions) throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                permissions);
    }

    /** A file that grows while something is recorded, from its end on. It is made if it is not there. */
    public static FileChannel growing(Path file) throws IOException {
        try {
            return FileChannel.open(
                    file, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
        } catch (FileAlreadyExistsException e) {
            try (Held held = Held.of(file, Links.REFUSED)) {
                return held.open(StandardOpenOption.APPEND);
            }
        }
    }

    /** The same from the beginning: what was in it is gone. */
    public static FileChannel anew(Path file, FileAttribute<?>... permissions) throws IOException {
        Files.deleteIfExists(file);
        return fresh(file, permissions);
    }

    public static void append(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = growing(file);
                OutputStream out = Channels.newOutputStream(channel)) {
            out.write(bytes);
        }
    }

    /**
     * Writes to what the user named himself. A device or a pipe, such as {@code /dev/stdout}, is written to and never
     * replaced.
     */
    public static void named(Path file, byte[] content) throws IOException {
        Path whole = file.toAbsolutePath().normalize();
        boolean device = whole.startsWith("/dev") || whole.startsWith("/proc");
        if (device || isPipe(file)) {
            try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
                out.write(content);
            }
        } else {
            replace(file, content);
        }
    }

    private static boolean isPipe(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && !Files.isSymbolicLink(file)
                && !Files.isDirectory(file);
    }
}
