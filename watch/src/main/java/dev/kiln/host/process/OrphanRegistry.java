package dev.kiln.host.process;

import dev.kiln.files.InputFile;
import dev.kiln.host.proc.HostFacts;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.model.KilnException;
import dev.kiln.model.OwnerOnly;
import dev.kiln.model.experiment.Where.ContainerEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The OrphanRegistry notes what this Kiln starts and makes, so that the next Kiln can remove it if this one is killed.
 *
 * <p>Each Kiln has one file, named by its pid and start time, and locks it while it runs. If the lock is free, that
 * Kiln is dead. Lines are only appended.
 */
public final class OrphanRegistry implements AutoCloseable {
    /** Shared by all registries of this process, because all have the same owner. */
    private static final AtomicInteger CONTAINERS = new AtomicInteger();

    private static final AtomicInteger OWED = new AtomicInteger();

    private final Path folder;
    private final Path file;
    private final FileChannel channel;
    private final ProcFs fs = ProcFs.ofThisMachine();
    private final Map<String, String> reasons = new ConcurrentHashMap<>();

    public OrphanRegistry(Path folder) {
        this.folder = folder;
        long pid = ProcessHandle.current().pid();
        long start = fs.stat(pid).map(ProcStat::startTicks).orElse(0L);
        file = folder.resolve(pid + "-" + start + OrphanBook.SUFFIX);
        try {
            Files.createDirectories(folder, OwnerOnly.FOLDER);
            keepGroupOut(folder);
            channel = FileChannel.open(
                    file,
                    Set.of(
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.APPEND,
                            LinkOption.NOFOLLOW_LINKS),
                    OwnerOnly.FILE);
            channel.tryLock();
        } catch (IOException e) {
            throw KilnException.machine(
                    e, "cannot keep Kiln's state in " + folder, "set XDG_STATE_HOME to a folder that can be written");
        }
        append("boot " + HostFacts.bootId(fs));
    }

    /** Closes this user's folder to its group, as umask 002 opened it; not one that everybody can write. */
    private static void keepGroupOut(Path folder) throws IOException {
        Set<PosixFilePermission> found = Files.getPosixFilePermissions(folder);
        boolean ours =
                Files.getAttribute(folder, "unix:uid").equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        if (ours
                && found.contains(PosixFilePermission.GROUP_WRITE)
                && !found.contains(PosixFilePermission.OTHERS_WRITE)) {
            Files.setPosixFilePermissions(folder, OwnerOnly.FOLDER.value());
        }
    }

    /** Returns the pid and start time of this Kiln. Its children have them in their environment. */
    String owner() {
        return OrphanBook.owner(file);
    }

    /** Returns the folder in which this user's Kilns keep their state; empty for a user without a home, who names none. */
    public static Optional<Path> folder() {
        return XdgFolder.of("XDG_STATE_HOME").find(".local/state");
    }

    public static Path defaultFolder() {
        return folder().orElseThrow(() -> KilnException.machine(
                "this user has no home folder, and XDG_STATE_HOME names no other",
                "set XDG_STATE_HOME to the path of a folder that can be written"));
    }

    /** Notes a child. Its pid and start time together are unique. */
    public void child(long pid, long startTicks, String what) {
        append("child " + pid + " " + startTicks + " " + what);
    }

    public void childEnded(long pid) {
        append("ended " + pid);
    }

    /** Makes a temporary directory with such a name, and notes it. */
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

    /** Notes a cgroup. */
    public void cgroup(Path directory) {
        append("cgroup " + directory.toAbsolutePath());
    }

    /** Notes a container before it is made, and returns the name that it must have. */
    public String newContainer(ContainerEngine engine) {
        String name = OrphanBook.OURS + owner() + "-" + CONTAINERS.incrementAndGet();
        container(engine, name);
        return name;
    }

    /** Notes a container, whose name must begin with {@code kiln-}. */
    void container(ContainerEngine engine, String name) {
        append("container " + engine.id() + " " + name);
    }

    public void containerGone(String name) {
        append("gone " + name);
    }

    /** Notes a user's command that is to be run, if need be by the next Kiln, and returns its number. */
    public String owe(UserCommand command) {
        String number = Integer.toString(OWED.incrementAndGet());
        append("owe " + number + " " + command.note());
        return number;
    }

    /** Notes that an owed command has been run, whatever came of it. */
    public void paid(String number) {
        append(OrphanBook.paid(number));
    }

    /** Notes that a directory or cgroup is gone. */
    public void removed(Path directory) {
        append("removed " + directory.toAbsolutePath());
    }

    /** Ends and deletes what dead Kilns left; tells what takes long before, and returns what it did. */
    public List<String> sweep(ContainerRemover containers, Consumer<String> now) {
        return new Orphans(fs, containers, Orphans.OWED_LIMIT, now).sweep(folder, Optional.of(file));
    }

    /** Keeps the reason why something could not be removed, for {@link #remaining}. */
    public void kept(String what, String why) {
        reasons.put(what, why);
    }

    /** Says what Kiln made and is still there. Children are left out: they die with Kiln. */
    public List<String> remaining() {
        try {
            OrphanBook remains = OrphanBook.parse(
                    InputFile.text(file, InputFile.DOCUMENT).lines().toList());
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
            remains.owed()
                    .values()
                    .forEach(command -> words.add(command.text()
                            + " has not been run to its end; the next Kiln runs it, or " + command.byHand()));
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

    /** Ends the registry. Its file stays for the next Kiln if something is left. */
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
            throw KilnException.machine(
                    e, "cannot write " + file, "make room, or set XDG_STATE_HOME to another folder");
        }
    }
}
