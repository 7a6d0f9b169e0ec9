package dev.kiln.jvm;

import dev.kiln.files.Held;
import dev.kiln.files.InputFile;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.model.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * A DumpFolder is a fresh folder in a JVM's own /tmp, into which the JVM writes one file for Kiln. Only the JVM's user may
 * look into it. Closing deletes both, and so does the end of Kiln; if Kiln is killed, the next one does.
 */
final class DumpFolder implements AutoCloseable {
    /** The next Kiln deletes no folder without this prefix. */
    private static final String PREFIX = "kiln-threads-";

    private static final String FILE = "threads.json";

    /** A dump of 100,000 virtual threads has about this size. */
    private static final int MOST_BYTES = 128 << 20;

    private final Held tmp;
    private final String name;
    private final Optional<OrphanRegistry> registry;
    private final Path noted;
    private final Thread atExit = new Thread(this::delete, "kiln-threads-end");

    private DumpFolder(Held tmp, Path root, Optional<OrphanRegistry> registry) {
        this.tmp = tmp;
        this.name =
                PREFIX + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        this.registry = registry;
        this.noted = root.resolve("tmp").resolve(name);
    }

    /** Makes the folder in the JVM's tmp, which it closes, and notes it with this Kiln, if there is one. */
    static DumpFolder make(ProcFs fs, long pid, Held tmp, Optional<OrphanRegistry> registry) throws IOException {
        boolean made = false;
        DumpFolder folder = new DumpFolder(tmp, seenRoot(fs, pid), registry);
        try {
            // Before it is there: a line for a folder that is not there does no harm.
            registry.ifPresent(notes -> notes.directory(folder.noted));
            Runtime.getRuntime().addShutdownHook(folder.atExit);
            Files.createDirectory(folder.here(), OwnerOnly.FOLDER);
            OptionalInt user =
                    ProcStatus.effectiveUser(fs.text("proc/" + pid + "/status").orElse(""));
            if (user.isPresent()
                    && !user.equals(
                            ProcStatus.effectiveUser(fs.text("proc/self/status").orElse("")))) {
                folder.give(user.getAsInt());
            }
            made = true;
            return folder;
        } catch (IllegalStateException e) {
            throw new IOException("Kiln is ending", e);
        } finally {
            if (!made) {
                folder.close();
            }
        }
    }

    /** Gives the JVM's user what is held, an empty folder of Kiln's: a user of /tmp may have swapped it. */
    private void give(int user) throws IOException {
        try (Held made = tmp.child(name);
                Stream<Path> inside = Files.list(made.path())) {
            boolean own = Files.getAttribute(made.path(), "unix:uid")
                    .equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
            if (!own || inside.findAny().isPresent()) {
                throw new IOException("another program put something in its place");
            }
            Files.setAttribute(made.path(), "unix:uid", user);
        }
    }

    /** Returns the root of a process by a name that outlives the process, where that is Kiln's own root. */
    private static Path seenRoot(ProcFs fs, long pid) throws IOException {
        Path root = fs.path("proc/" + pid + "/root");
        Path own = fs.path("");
        return Files.isSameFile(root, own) ? own : root;
    }

    /** Returns the file by the name that it has for the JVM. */
    String nameForJvm() {
        return "/tmp/" + name + "/" + FILE;
    }

    /** Returns what the JVM wrote. The folder is the JVM's, so a link in it is not followed. */
    byte[] read() throws IOException {
        try (Held folder = tmp.child(name);
                Held file = folder.child(FILE);
                InputStream in = Channels.newInputStream(file.open(StandardOpenOption.READ))) {
            return InputFile.limited(Path.of(nameForJvm()), in, MOST_BYTES);
        }
    }

    private Path here() {
        return tmp.path().resolve(name);
    }

    private void delete() {
        try (Held folder = tmp.child(name)) {
            Files.deleteIfExists(folder.path().resolve(FILE));
            Files.deleteIfExists(here());
        } catch (IOException e) {
            // It is not there, or not Kiln's any more.
            return;
        }
    }

    @Override
    public void close() {
        try (tmp) {
            delete();
            registry.filter(notes -> !Files.exists(here())).ifPresent(notes -> notes.removed(noted));
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // Kiln is ending, and the hook has run or will find nothing.
            return;
        }
    }
}
