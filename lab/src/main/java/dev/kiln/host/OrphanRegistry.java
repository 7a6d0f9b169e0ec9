package dev.kiln.host;

import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Where.Engine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What this Kiln has started and made, written down so that the next one can clear it away should this one be killed.
 *
 * <p>One file a Kiln, named by its pid and start time, locked while it runs: a lock that can be had is a Kiln that is dead.
 * Lines are only ever appended.
 */
public final class OrphanRegistry implements AutoCloseable {
    private final Path folder;
    private final Path file;
    private final FileChannel channel;
    private final ProcFs fs = ProcFs.ofThisMachine();
    private final AtomicInteger containers = new AtomicInteger();
    private final Map<String, String> reasons = new ConcurrentHashMap<>();

    /** In the user's state folder. */
    public OrphanRegistry() {
        this(defaultFolder());
    }

    public OrphanRegistry(Path folder) {
        this.folder = folder;
        long pid = ProcessHandle.current().pid();
        long start = fs.stat(pid).map(ProcStat::startTicks).orElse(0L);
        file = folder.resolve(pid + "-" + start + OrphanBook.SUFFIX);
        try {
            Files.createDirectories(folder);
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            channel.tryLock();
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot keep Kiln's state in " + folder + ": " + IoReason.of(e),
                    "set XDG_STATE_HOME to a folder that can be written",
                    e);
        }
        append("boot " + HostFacts.bootId(fs));
    }

    /** Pid and start time of this Kiln; its children bear it in their environment. */
    String owner() {
        return OrphanBook.owner(file);
    }

    public static Path defaultFolder() {
        String state = System.getenv().getOrDefault("XDG_STATE_HOME", "");
        Path base = state.isEmpty() ? Path.of(System.getProperty("user.home"), ".local", "state") : Path.of(state);
        return base.resolve("kiln");
    }

    /** A child, named for good by its pid and start time. */
    public void child(long pid, long startTicks, String what) {
        append("child " + pid + " " + startTicks + " " + what);
    }

    public void childEnded(long pid) {
        append("ended " + pid);
    }

    /**
     * Makes a temporary directory and notes it.
     *
     * @param what is part of its name
     */
    public Path temporaryDirectory(String what) throws IOException {
        Path made = Files.createTempDirectory(OrphanBook.OURS + what + "-");
        directory(made);
        return made;
    }

    /** Notes a temporary directory, to be deleted with its content. Its name must begin with {@code kiln-}. */
    public void directory(Path directory) {
        if (!OrphanBook.isOurs(directory)) {
            throw new IllegalArgumentException(directory + " would not be recognised as Kiln's own");
        }
        append("directory " + directory.toAbsolutePath());
    }

    /** A cgroup that Kiln made. */
    public void cgroup(Path directory) {
        append("cgroup " + directory.toAbsolutePath());
    }

    /**
     * Notes a container before it is made.
     *
     * @return the name that the container must have
     */
    public String newContainer(Engine engine) {
        String name = OrphanBook.OURS + owner() + "-" + containers.incrementAndGet();
        container(engine, name);
        return name;
    }

    /** Notes a container, whose name must begin with {@code kiln-}. */
    void container(Engine engine, String name) {
        append("container " + engine.id() + " " + name);
    }

    public void containerGone(String name) {
        append("gone " + name);
    }

    /** A directory or cgroup that is gone. */
    public void removed(Path directory) {
        append("removed " + directory.toAbsolutePath());
    }

    /**
     * Ends and deletes what dead Kilns left behind.
     *
     * @return what it did, in words
     */
    public List<String> sweep(ContainerRemover containers) {
        return new Orphans(fs, containers).sweep(folder, Optional.of(file));
    }

    /** Why something could not be taken away, to be told at the end. */
    public void kept(String what, String why) {
        reasons.put(what, why);
    }

    /** What was made and is still there, in words. Children are none of it: they are bound to die with Kiln. */
    public List<String> remaining() {
        try {
            OrphanBook remains = OrphanBook.parse(Files.readAllLines(file));
            List<String> words = new ArrayList<>();
            remains.containers()
                    .forEach((name, engine) ->
                            words.add(remaining("container " + name, name, ContainerRemover.command(engine, name))));
            remains.directories().stream()
                    .filter(Files::isDirectory)
                    .forEach(path -> words.add(
                            remaining("folder " + path, path.toString(), List.of("rm", "-r", path.toString()))));
            remains.cgroups().stream()
                    .filter(Files::isDirectory)
                    .forEach(path ->
                            words.add(remaining("cgroup " + path, path.toString(), List.of("rmdir", path.toString()))));
            return List.copyOf(words);
        } catch (IOException e) {
            return List.of();
        }
    }

    private String remaining(String thing, String key, List<String> byHand) {
        return "could not remove the " + thing
                + Optional.ofNullable(reasons.get(key)).map(why -> ": " + why).orElse("")
                + "; the next Kiln tries again, or by hand: " + String.join(" ", byHand);
    }

    /** The end. The book stays for the next Kiln if there is something left in it. */
    @Override
    public void close() {
        try (channel) {
            if (remaining().isEmpty()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // The next sweep finds a dead Kiln without orphans and deletes the file.
            return;
        }
    }

    private synchronized void append(String line) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot write " + file + ": " + IoReason.of(e),
                    "make room, or set XDG_STATE_HOME to another folder",
                    e);
        }
    }
}
