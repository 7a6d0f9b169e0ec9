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
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * A file or folder that is held fast: {@link #path} stays the very same one, whatever somebody puts in the place of its
 * name meanwhile. A look before opening does not do: the file can be exchanged for a pipe in between, and Java's open
 * waits until somebody writes to a pipe.
 */
public final class Held implements AutoCloseable {
    /** As many as the kernel follows: path_resolution(7). */
    private static final int MOST_LINKS = 40;

    private final int descriptor;
    private final Path name;

    private Held(int descriptor, Path name) {
        this.descriptor = descriptor;
        this.name = name;
    }

    static Held of(Path file, Links links) throws IOException {
        return of(NativeOpen.NO_FOLDER, file.toAbsolutePath().toString(), links, file);
    }

    private static Held of(int folder, String name, Links links, Path file) throws IOException {
        int descriptor = NativeOpen.hold(folder, name, links);
        if (descriptor < 0) {
            throw refused(file, links);
        }
        return new Held(descriptor, file);
    }

    /** Java says whether it is not there or may not be reached. */
    private static IOException refused(Path file, Links links) {
        try {
            Files.readAttributes(
                    file,
                    BasicFileAttributes.class,
                    links == Links.REFUSED ? new LinkOption[] {LinkOption.NOFOLLOW_LINKS} : new LinkOption[0]);
        } catch (IOException e) {
            return e;
        }
        return new FileSystemException(file.toString(), null, "it cannot be opened");
    }

    /**
     * What a process sees under a name, whose root is another: links on the way are followed as the process would follow
     * them, and so never lead out of its root. Whoever is root in a container may have put them there.
     *
     * @param root such as {@code /proc/PID/root}
     * @param path from that root, such as {@code tmp}
     */
    public static Held below(Path root, String path) throws IOException {
        Deque<Held> way = new ArrayDeque<>();
        try {
            way.push(of(root, Links.FOLLOWED));
            Deque<String> names = new ArrayDeque<>(List.of(path.split("/", -1)));
            int links = 0;
            while (!names.isEmpty()) {
                String next = names.pop();
                if (next.equals("..")) {
                    up(way, 1);
                } else if (!next.isEmpty() && !next.equals(".")) {
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
                        List<String> more =
                                new ArrayList<>(List.of(to.toString().split("/", -1)));
                        Collections.reverse(more);
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

    /** The root has nothing above it. */
    private static void up(Deque<Held> way, int steps) {
        for (int i = 0; i < steps && way.size() > 1; i++) {
            way.pop().close();
        }
    }

    /** What is in this folder under that name; a link is held itself. */
    public Held child(String child) throws IOException {
        return of(descriptor, child, Links.REFUSED, path().resolve(child));
    }

    /** A way to what is held, as long as it is held. It is a link, which leads nowhere else. */
    public Path path() {
        return Path.of("/proc/self/fd/" + descriptor);
    }

    private BasicFileAttributes attributes() throws IOException {
        return Files.readAttributes(path(), BasicFileAttributes.class);
    }

    /**
     * Opens it if it is a regular file.
     *
     * @param how nothing is made
     */
    public FileChannel open(OpenOption... how) throws IOException {
        BasicFileAttributes found = attributes();
        if (!found.isRegularFile()) {
            throw new FileSystemException(
                    name.toString(),
                    null,
                    found.isSymbolicLink()
                            ? "it is a link, and Kiln follows none here"
                            : found.isDirectory() ? "it is a folder" : "it is no regular file, but a pipe or a device");
        }
        try {
            return FileChannel.open(path(), how);
        } catch (AccessDeniedException e) {
            throw new AccessDeniedException(name.toString());
        }
    }

    @Override
    public void close() {
        NativeOpen.release(descriptor);
    }
}
