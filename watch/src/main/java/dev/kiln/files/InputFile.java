package dev.kiln.files;

import dev.kiln.files.NativeOpen.Links;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/**
 * An InputFile is a file that somebody else may have made, or may exchange at any moment. Only a regular file is
 * opened, without following a link and without waiting; every other is refused with the reason.
 */
public final class InputFile {
    /** A document that is read whole, as {@code run.json}, has at most so many bytes; the largest known 3 MB. */
    public static final int DOCUMENT = 32 << 20;

    /** A user's file, or a table whose rows are kept, has at most so many bytes: some hundred million figures. */
    public static final int TABLE = 1 << 30;

    /** No line has more bytes than this: a histogram of a second's latencies takes some KB. */
    private static final int LONGEST_LINE = 4 << 20;

    private static final Set<PosixFilePermission> OF_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private static final Integer ROOT = 0;

    private InputFile() {}

    public static FileChannel open(Path file) throws IOException {
        return Held.open(file, Links.REFUSED, StandardOpenOption.READ);
    }

    /** Opens a regular file, also through a link: folders that the user named may have links in them. */
    public static FileChannel openFollowed(Path file) throws IOException {
        return Held.open(file, Links.FOLLOWED, StandardOpenOption.READ);
    }

    public static InputStream followed(Path file) throws IOException {
        return Channels.newInputStream(openFollowed(file));
    }

    /** Opens a stream of a file's bytes. */
    public static InputStream stream(Path file) throws IOException {
        return Channels.newInputStream(open(file));
    }

    /** Opens a stream of a file's bytes, unless it has more than the limit. */
    public static InputStream stream(Path file, long most) throws IOException {
        FileChannel channel = open(file);
        if (channel.size() > most) {
            channel.close();
            throw tooLarge(file, most);
        }
        return Channels.newInputStream(channel);
    }

    /** Opens a stream of text in lines, for readers of one line: one without an end must not fill memory. */
    public static InputStream lines(Path file, long most) throws IOException {
        return new FilterInputStream(stream(file, most)) {
            private long length;

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int from, int bytes) throws IOException {
                int n = in.read(into, from, bytes);
                int last = n - 1;
                while (last >= 0 && into[from + last] != '\n') {
                    last--;
                }
                length = last < 0 ? length + Math.max(0, n) : n - 1 - last;
                if (length > LONGEST_LINE) {
                    throw new IOException("a line has more than " + (LONGEST_LINE >> 20) + " MB");
                }
                return n;
            }
        };
    }

    /** Reads a file as a whole, unless it has more bytes than the limit. */
    public static byte[] bytes(Path file, int most) throws IOException {
        try (InputStream in = stream(file, most)) {
            return limited(file, in, most);
        }
    }

    /** Reads a file as a whole, as UTF-8; a byte that is none becomes a replacement character. */
    public static String text(Path file, int most) throws IOException {
        return new String(bytes(file, most), StandardCharsets.UTF_8);
    }

    /** Reads a file as a whole, as UTF-8, or the one that a link leads to. */
    public static String followedText(Path file, int most) throws IOException {
        try (InputStream in = followed(file)) {
            return new String(limited(file, in, most), StandardCharsets.UTF_8);
        }
    }

    /** Reads a file that the user named, also a link or pipe, up to the limit, and refuses one beyond it. */
    public static byte[] named(Path file, int most) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return limited(file, in, most);
        }
    }

    /** Reads a text below a root such as {@code /proc/PID/root}; see {@link Held#below}. */
    public static String below(Path root, String path, int most) throws IOException {
        try (Held held = Held.below(root, path);
                InputStream in = Channels.newInputStream(held.open(StandardOpenOption.READ))) {
            return new String(limited(root.resolve(path), in, most), StandardCharsets.UTF_8);
        }
    }

    /** Tells whether there is a regular file, and not a link to one. */
    public static boolean isThere(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Says of a file or folder how others than this user and root can write it; empty where they cannot. */
    public static Optional<String> othersCanWrite(Path path) throws IOException {
        PosixFileAttributes found = Files.readAttributes(path, PosixFileAttributes.class);
        Object user = Files.getAttribute(path, "unix:uid");
        boolean ours = user.equals(ROOT) || user.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        return ours && Collections.disjoint(found.permissions(), OF_OTHERS)
                ? Optional.empty()
                : Optional.of("owner " + found.owner().getName() + ", permissions "
                        + PosixFilePermissions.toString(found.permissions()));
    }

    /** Reads a stream to its end, unless it has more bytes than the limit; errors name the file. */
    public static byte[] limited(Path file, InputStream in, int most) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 16];
        int n;
        while ((n = in.read(buffer)) >= 0) {
            if (read.size() + n > most) {
                throw tooLarge(file, most);
            }
            read.write(buffer, 0, n);
        }
        return read.toByteArray();
    }

    private static FileSystemException tooLarge(Path file, long most) {
        return new FileSystemException(
                file.toString(),
                null,
                most >= 1 << 20 ? "it has more than " + (most >> 20) + " MB" : "it has more than " + most + " bytes");
    }
}
