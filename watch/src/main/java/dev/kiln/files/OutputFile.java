package dev.kiln.files;

import dev.kiln.files.NativeOpen.Links;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * An OutputFile is a file that Kiln writes. No link is followed, whoever put it there, except one that the user names:
 * {@link #named} and {@link #appendNamed} write to what it leads to, and to pipes and devices.
 */
public final class OutputFile {
    /** Files get these permissions, less those that the user's umask takes away, as in any other program. */
    private static final FileAttribute<?> USUAL =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-rw-rw-"));

    /** A Kiln in another container may write into the same folder, and have the same pid. */
    private static final String OWN = ProcessHandle.current().pid() + "-"
            + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()) + ".part";

    /** Durable says whether a file has to outlive a crash of the machine, which takes longer to write. */
    public enum Durable {
        YES,
        NO
    }

    /** A Content writes the content of a file. */
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

    /** Writes a file beside it, then puts it in its place: never half of it, and a link is replaced. */
    public static void replace(Path file, Content content, Durable durable, FileAttribute<?> permissions)
            throws IOException {
        put(written(file, content, durable, permissions), file);
    }

    private static void put(Path beside, Path file) throws IOException {
        try {
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            // Nowhere else: once it has moved, another thread may have its name.
            Files.deleteIfExists(beside);
            throw e;
        }
    }

    /** Writes the new file beside the old one, and returns its path. */
    private static Path written(Path file, Content content, Durable durable, FileAttribute<?> permissions)
            throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        // A rename would take the place of an empty one.
        if (folder == null || file.getFileName() == null || Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(file.toString(), null, "it is a folder");
        }
        Path beside = beside(file, folder, permissions);
        try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            OutputStream out = Channels.newOutputStream(channel);
            content.write(out);
            out.flush();
            if (durable == Durable.YES) {
                channel.force(true);
            }
        } catch (IOException | RuntimeException | Error e) {
            Files.deleteIfExists(beside);
            throw e;
        }
        return beside;
    }

    /** Makes the file by the same name each time, where it is free: the JVM keeps each name that it is to delete at its end. */
    private static Path beside(Path file, Path folder, FileAttribute<?> permissions) throws IOException {
        String prefix = file.getFileName() + ".";
        Path beside = folder.resolve(prefix + OWN);
        try {
            Files.createFile(beside, permissions);
        } catch (NoSuchFileException e) {
            throw new NoSuchFileException(file.toString());
        } catch (FileAlreadyExistsException anotherWrites) {
            beside = Files.createTempFile(folder, prefix, ".part", permissions);
        }
        // A signal ends Kiln in the middle of a file, and no block of its own runs then.
        beside.toFile().deleteOnExit();
        return beside;
    }

    /** Opens a file that does not exist yet; whatever is there, a link too, stays, and the call fails. */
    public static FileChannel fresh(Path file, FileAttribute<?>... permissions) throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                permissions);
    }

    /** Opens a file that grows while something is recorded, at its end; makes it where there is none. */
    public static FileChannel growing(Path file) throws IOException {
        try {
            return FileChannel.open(
                    file, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
        } catch (FileAlreadyExistsException e) {
            return Held.open(file, Links.REFUSED, StandardOpenOption.APPEND);
        }
    }

    /**
     * Removes the middle of a file that another process is appending to: it becomes a hole that takes no room, with a
     * note at its beginning. All other bytes stay where they are, so neither a writer nor a reader needs to know.
     * Returns false, with the file unchanged, where the system has no holes.
     */
    public static boolean leaveOut(Path file, long from, long to, byte[] note) throws IOException {
        if (!NativeOpen.usable()) {
            return false;
        }
        try (Held held = Held.of(file, Links.REFUSED)) {
            if (!held.hole(from, to)) {
                return false;
            }
            try (FileChannel channel = held.open(StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(note), from);
            }
            return true;
        }
    }

    /** Opens a file that grows from its beginning: the old content is gone. */
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

    /** Writes to what the user named, its old content gone; pipes, devices and open files are not replaced. */
    public static void named(Path file, byte[] content) throws IOException {
        named(file, out -> out.write(content));
    }

    /** Writes to what the user named himself, with the old content gone; the content may be written twice. */
    public static void named(Path file, Content content) throws IOException {
        if (!passedOn(file, content)) {
            replaceNamed(file, content);
        }
    }

    /** Appends to what the user named, or a link's file, as CI systems want; all of it, or nothing. */
    public static void appendNamed(Path file, byte[] content) throws IOException {
        if (passedOn(file, out -> out.write(content))) {
            return;
        }
        boolean made = !Files.exists(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            long before = channel.size();
            try {
                Channels.newOutputStream(channel).write(content);
            } catch (IOException e) {
                channel.truncate(before);
                throw e;
            }
        } catch (IOException e) {
            if (made && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                Files.delete(file);
            }
            throw e;
        }
    }

    /** Writes the content if the name means a pipe, a device or an open descriptor, and tells whether it did. */
    private static boolean passedOn(Path file, Content content) throws IOException {
        Optional<String> open = descriptor(file);
        if (open.isPresent()) {
            switch (open.get()) {
                // By its number: a socket cannot be opened by a name, and a file would be written from its beginning.
                // It stays open.
                case "1" -> content.write(new FileOutputStream(FileDescriptor.out));
                case "2" -> content.write(new FileOutputStream(FileDescriptor.err));
                default -> write(file, content, StandardOpenOption.APPEND);
            }
            return true;
        }
        if (Files.exists(file)
                && Files.readAttributes(file, BasicFileAttributes.class).isOther()) {
            write(file, content, StandardOpenOption.WRITE);
            return true;
        }
        return false;
    }

    private static void write(Path file, Content content, OpenOption... how) throws IOException {
        try (OutputStream out = Files.newOutputStream(file, how)) {
            content.write(out);
        }
    }

    /** Returns the descriptor of this process that a name means, such as 1 for {@code /dev/stdout}, or nothing. */
    private static Optional<String> descriptor(Path file) throws IOException {
        if (!Files.isDirectory(NativeOpen.DESCRIPTORS)) {
            return Optional.empty();
        }
        Path own = NativeOpen.DESCRIPTORS.toRealPath();
        Path at = file.toAbsolutePath();
        for (int links = 0; links < Held.MOST_LINKS && Files.isSymbolicLink(at); links++) {
            Path folder = Objects.requireNonNull(at.getParent(), "a link has a folder")
                    .toRealPath();
            if (folder.equals(own)) {
                return Optional.of(at.getFileName().toString());
            }
            at = folder.resolve(Files.readSymbolicLink(at));
        }
        return Optional.empty();
    }

    private static void replaceNamed(Path file, Content content) throws IOException {
        Path real = file;
        if (Files.isSymbolicLink(file)) {
            // The kernel opens no link that another user put into /tmp: proc_sys_fs(5), protected_symlinks. A rename to
            // where it leads would not ask.
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                    .close();
            real = file.toRealPath();
        }
        Path beside;
        try {
            beside = written(real, content, Durable.NO, permissions(real));
        } catch (FileSystemException e) {
            // Where only room is missing, the old content is better than half of the new one.
            if (takesFiles(real)) {
                throw e;
            }
            inPlace(real, content, e);
            return;
        }
        try {
            put(beside, real);
        } catch (FileSystemException e) {
            // The file is mounted into a container by itself, or it is another user's in a folder such as /tmp.
            inPlace(real, content, e);
        }
    }

    /** Tells whether the file's folder would take a new file if there were room for it. */
    private static boolean takesFiles(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null || Files.isWritable(folder);
    }

    private static void inPlace(Path file, Content content, FileSystemException why) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isWritable(file)) {
            throw why;
        }
        try {
            write(file, content, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        } catch (IOException e) {
            // The old content is gone, and half of the new one would pass for all of it.
            write(file, out -> {}, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            throw e;
        }
    }

    /** Returns the permissions of the old file, so that whoever could not read it cannot read the new one. */
    private static FileAttribute<?> permissions(Path file) throws IOException {
        return Files.exists(file) && Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class)
                ? PosixFilePermissions.asFileAttribute(Files.getPosixFilePermissions(file))
                : USUAL;
    }
}
