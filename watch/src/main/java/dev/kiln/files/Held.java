package dev.kiln.files;

import dev.kiln.files.NativeOpen.Links;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A Held is a file or folder that is held open: {@link #path} stays the very same one, whatever somebody puts in the
 * place of its name meanwhile. A check before opening is not enough: the file can be exchanged for a pipe in between,
 * and Java's open waits until somebody writes to a pipe.
 */
public final class Held implements AutoCloseable {
    /** A name may lead through this many links, as in the kernel: path_resolution(7). */
    static final int MOST_LINKS = 40;

    private static final Path ABOVE = Path.of("..");
    private static final Path HERE = Path.of(".");

    /** This is the path that an empty text becomes. */
    private static final Path NOWHERE = Path.of("");

    private final int descriptor;
    private final Path name;

    private Held(int descriptor, Path name) {
        this.descriptor = descriptor;
        this.name = name;
    }

    static Held of(Path file, Links links) throws IOException {
        return of(NativeOpen.NO_FOLDER, file.toAbsolutePath(), links, file);
    }

    /**
     * Opens a regular file by its name, and nothing else. Where nothing can be held, the file is checked first, which
     * refuses as much, except for a file that is exchanged in that instant.
     *
     * @param how must not create a file
     */
    static FileChannel open(Path file, Links links, OpenOption... how) throws IOException {
        if (!NativeOpen.usable()) {
            return looked(file, links, how);
        }
        try (Held held = of(file, links)) {
            return held.open(how);
        }
    }

    /** Checks and opens a file by Java's own means, which exist on any system. */
    static FileChannel looked(Path file, Links links, OpenOption... how) throws IOException {
        requireRegular(file, Files.readAttributes(file, BasicFileAttributes.class, options(links)));
        Set<OpenOption> all = new HashSet<>(List.of(how));
        all.addAll(List.of(options(links)));
        return FileChannel.open(file, all);
    }

    private static LinkOption[] options(Links links) {
        return links == Links.REFUSED ? new LinkOption[] {LinkOption.NOFOLLOW_LINKS} : new LinkOption[0];
    }

    private static void requireRegular(Path name, BasicFileAttributes found) throws FileSystemException {
        if (!found.isRegularFile()) {
            throw new FileSystemException(
                    name.toString(),
                    null,
                    found.isSymbolicLink()
                            ? "it is a link, and Kiln follows none here"
                            : found.isDirectory() ? "it is a folder" : "it is no regular file, but a pipe or a device");
        }
    }

    private static Held of(int folder, Path name, Links links, Path file) throws IOException {
        int descriptor = NativeOpen.hold(folder, name, links);
        if (descriptor < 0) {
            throw refused(file, links);
        }
        return new Held(descriptor, file);
    }

    /** Returns the error of a file that cannot be held: Java says whether it is missing or may not be reached. */
    private static IOException refused(Path file, Links links) {
        try {
            Files.readAttributes(file, BasicFileAttributes.class, options(links));
        } catch (IOException e) {
            return e;
        }
        return new FileSystemException(file.toString(), null, "it cannot be opened");
    }

    /**
     * Holds what a process with another root has under a name. Links on the way are followed as the process would
     * follow them, and so never lead out of its root. Whoever is root in a container may have put them there.
     *
     * @param root such as {@code /proc/PID/root}
     * @param path from that root, such as {@code tmp}
     */
    public static Held below(Path root, String path) throws IOException {
        Deque<Held> way = new ArrayDeque<>();
        try {
            way.push(of(root, Links.FOLLOWED));
            Deque<Path> names = new ArrayDeque<>();
            Path.of(path).forEach(names::add);
            int links = 0;
            while (!names.isEmpty()) {
                Path next = names.pop();
                if (next.equals(ABOVE)) {
                    up(way, 1);
                } else if (!next.equals(HERE) && !next.equals(NOWHERE)) {
                    Held found = way.element().child(next);
                    way.push(found);
                    if (found.attributes().isSymbolicLink()) {
                        Path to = Files.readSymbolicLink(way.stream()
                                .skip(1)
                                .findFirst()
                                .orElseThrow()
                                .path()
                                .resolve(next));
                        up(way, to.isAbsolute() ? way.size() - 1 : 1);
                        List<Path> more = new ArrayList<>();
                        to.forEach(more::addFirst);
                        more.forEach(names::push);
                        if (++links > MOST_LINKS) {
                            throw new FileSystemException(root.resolve(path).toString(), null, "too many links");
                        }
                    }
                }
            }
            return way.pop();
        } finally {
            way.forEach(Held::close);
        }
    }

    /** Goes up by some folders, at most to the root, which has nothing above it. */
    private static void up(Deque<Held> way, int steps) {
        for (int i = 0; i < steps && way.size() > 1; i++) {
            way.pop().close();
        }
    }

    /** Holds the file or folder of that name in this folder; a link is held itself and not followed. */
    public Held child(String child) throws IOException {
        return child(Path.of(child));
    }

    private Held child(Path child) throws IOException {
        return of(descriptor, child, Links.REFUSED, path().resolve(child));
    }

    /** Returns a path to what is held, valid as long as that is: a link that leads nowhere else. */
    public Path path() {
        return NativeOpen.DESCRIPTORS.resolve(Integer.toString(descriptor));
    }

    private BasicFileAttributes attributes() throws IOException {
        return Files.readAttributes(path(), BasicFileAttributes.class);
    }

    /** Opens what is held if it is a regular file, without making one. */
    public FileChannel open(OpenOption... how) throws IOException {
        requireRegular(name, attributes());
        try {
            return FileChannel.open(path(), how);
        } catch (AccessDeniedException e) {
            throw new AccessDeniedException(name.toString());
        }
    }

    /** Replaces the bytes between by zeros that take no room, and tells whether the file system can do that. */
    boolean hole(long from, long to) throws IOException {
        requireRegular(name, attributes());
        return NativeOpen.hole(path(), from, to);
    }

    @Override
    public void close() {
        NativeOpen.release(descriptor);
    }
}
