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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A file that Kiln writes. No link is followed, whoever put it there, but for one that the user names: {@link #named} and
 * {@link #appendNamed} write to what it leads to, and to pipes and devices.
 */
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
        Path beside = written(file, content, durable, permissions);
        try {
            put(beside, file);
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    private static void put(Path beside, Path file) throws IOException {
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The new file, beside the old one. */
    private static Path written(Path file, Content content, Durable durable, FileAttribute<?> permissions)
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
            return Held.open(file, Links.REFUSED, StandardOpenOption.APPEND);
        }
    }

    /**
     * Leaves out the middle of a file that somebody is appending to: a hole that takes no room, with a note at its
     * beginning. All other bytes stay where they are, so neither who writes nor who reads need to know. Where there are no
     * holes, the file stays as it is.
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

    /** A file that grows, from the beginning: what was in it is gone. */
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
     * Writes to what the user named himself, with the old content gone. A pipe, a device or what is open already, such as
     * {@code /dev/stdout}, is written to and never replaced.
     */
    public static void named(Path file, byte[] content) throws IOException {
        named(file, out -> out.write(content));
    }

    /** The same; the content may be asked for twice. */
    public static void named(Path file, Content content) throws IOException {
        if (!passedOn(file, content)) {
            replaceNamed(file, content);
        }
    }

    /**
     * The same behind the old content: CI systems name a file, or a link to one, that each step adds to. Where there is no
     * room for all of it, nothing is added.
     */
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

    /** Whether it is no file of its own, so that the bytes went to whoever reads or keeps it. */
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

    /** Which of its own descriptors a name means, such as 1 for {@code /dev/stdout}. */
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
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    /** Whether its folder would take a new file if there were room: this user may write there, and the file system can. */
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

    /** Whoever could not read the old file cannot read the new one. */
    private static FileAttribute<?> permissions(Path file) throws IOException {
        return Files.exists(file) && Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class)
                ? PosixFilePermissions.asFileAttribute(Files.getPosixFilePermissions(file))
                : USUAL;
    }
}
