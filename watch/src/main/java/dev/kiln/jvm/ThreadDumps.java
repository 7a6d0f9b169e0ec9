package dev.kiln.jvm;

import dev.kiln.files.Held;
import dev.kiln.files.InputFile;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import dev.kiln.jvm.threads.DumpedThread;
import dev.kiln.jvm.threads.ThreadJson;
import dev.kiln.jvm.threads.ThreadPrint;
import dev.kiln.jvm.threads.VirtualCounts;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * ThreadDumps are those of a running JVM. {@code Thread.print} is answered over the attach socket, at a safepoint. It
 * leaves out virtual threads; a JVM that has some is asked for them with {@code Thread.dump_to_file}, without a
 * safepoint, and writes them to a file. JDK 25 and later are not asked, because that can end the JVM: they tell how
 * many virtual threads wait for the network, and how many for a carrier. For use by one thread at a time.
 */
public final class ThreadDumps {
    private static final String POLLER = "sun.nio.ch.Poller";

    /** A JVM with virtual threads has one of these, to wake or carry them; JDK 21 to 23 not always pollers. */
    private static final List<String> OF_VIRTUAL =
            List.of("jdk.internal.vm.Continuation", "java.lang.VirtualThread", POLLER);

    /** This thread wakes virtual threads that sleep, up to JDK 23: it stands in code of a pool. */
    private static final String WAKES_VIRTUAL = "VirtualThread-unparker";

    /** From this version on a JVM counts its virtual threads when asked (JDK-8337199). */
    private static final int COUNTS_SINCE = 24;

    private static final String ANSWERS = "Attach Listener";

    /**
     * From this version on HotSpot itself takes the stacks of virtual threads for that file, and crashes now and then where
     * one mounts or unmounts meanwhile (JDK-8364343; seen on 25.0.3, SIGSEGV in GetThreadSnapshotHandshakeClosure). No
     * version is known in which that is mended.
     */
    private static final int CRASHES_SINCE = 25;

    private final ProcFs fs;
    private final long pid;
    private final Attachable target;
    private final DiagnosticCommands jvm;
    private final Optional<OrphanRegistry> registry;
    private OptionalInt feature = OptionalInt.empty();

    /** @param registry of this Kiln, where it has one: it notes what a killed Kiln leaves behind */
    public ThreadDumps(ProcFs fs, long pid, AttachSocket socket, Optional<OrphanRegistry> registry) {
        this.fs = fs;
        this.pid = pid;
        this.target = new Attachable(fs, pid);
        this.jvm = new DiagnosticCommands(socket);
        this.registry = registry;
    }

    /** Returns the platform threads. */
    public Reply<List<DumpedThread>> platform() {
        return jvm.raw("Thread.print").then(text -> {
            feature = ThreadPrint.feature(text);
            return understood(Optional.of(ThreadPrint.parse(text)).filter(threads -> !threads.isEmpty()));
        });
    }

    /** Tells whether a JVM has virtual threads, by its platform threads. */
    public static boolean hasVirtual(List<DumpedThread> platform) {
        return platform.stream()
                .filter(thread -> !thread.virtual())
                .anyMatch(thread -> thread.name().equals(WAKES_VIRTUAL)
                        || thread.carries().isPresent()
                        || thread.frames().stream().anyMatch(frame -> OF_VIRTUAL.contains(frame.type())));
    }

    /** Returns the CPU time of the thread that answers, since it began; empty where it cannot be read. */
    public OptionalLong answerersCpuNanos() {
        for (int tid : fs.tids(pid)) {
            if (fs.threadName(pid, tid).equals(ANSWERS)) {
                String[] schedstat = fs.text("proc/" + pid + "/task/" + tid + "/schedstat")
                        .orElse("")
                        .split(" ", 2);
                return schedstat[0].matches("\\d{1,18}")
                        ? OptionalLong.of(Long.parseLong(schedstat[0]))
                        : OptionalLong.empty();
            }
        }
        return OptionalLong.empty();
    }

    /**
     * Returns all threads, virtual ones among them. The thread that answers goes from one to the next. A JVM that could crash
     * at that is not asked, nor one whose version is not known: {@link #platform} tells it.
     */
    public Reply<List<DumpedThread>> all() {
        if (feature.isEmpty() || feature.getAsInt() >= CRASHES_SINCE) {
            return new Refusal(
                            RefusalReason.DISABLED,
                            (feature.isEmpty()
                                            ? "Kiln does not know which JDK this is, and from JDK 25 on "
                                            : "from JDK 25 on ")
                                    + "the JVM can crash while it dumps virtual threads (JDK-8364343): Kiln does not ask")
                    .reply();
        }
        try (DumpFolder folder = DumpFolder.make(fs, pid, target.tmp(), registry)) {
            return jvm.raw("Thread.dump_to_file", "-format=json", folder.nameForJvm())
                    .then(said -> read(folder));
        } catch (IOException e) {
            return new Refusal(
                            RefusalReason.FAILED,
                            "no folder for the JVM's file could be made in its /tmp (" + IoReason.of(e) + ")")
                    .reply();
        }
    }

    /**
     * Returns how many virtual threads wait for the network and for a carrier. The thread that answers reads counters of the
     * scheduler and of the pollers, and no stack. It would make them if there were none: so only a JVM is asked that {@link
     * #hasVirtual}, and of pollers only one that has a thread for them.
     */
    public Reply<VirtualCounts> counts(List<DumpedThread> platform) {
        if (feature.orElse(0) < COUNTS_SINCE) {
            return new Refusal(RefusalReason.DISABLED, "before JDK 24 a JVM does not count its virtual threads")
                    .reply();
        }
        return jvm.raw("Thread.vthread_scheduler")
                .then(text ->
                        understood(VirtualCounts.queued(text).stream().boxed().findFirst()))
                .then(queued -> hasPollers(platform)
                        ? jvm.raw("Thread.vthread_pollers").then(text -> understood(VirtualCounts.parse(queued, text)))
                        : new Reply.ToldReply<>(VirtualCounts.withoutNetwork(queued)));
    }

    private static boolean hasPollers(List<DumpedThread> platform) {
        return platform.stream()
                .anyMatch(thread ->
                        thread.frames().stream().anyMatch(frame -> frame.type().equals(POLLER)));
    }

    private static Reply<List<DumpedThread>> read(DumpFolder folder) {
        try {
            return understood(ThreadJson.parse(folder.read()));
        } catch (IOException e) {
            return new Refusal(RefusalReason.FAILED, "the JVM wrote no thread dump (" + IoReason.of(e) + ")").reply();
        }
    }

    private static <T> Reply<T> understood(Optional<T> threads) {
        return threads.isPresent()
                ? new Reply.ToldReply<>(threads.get())
                : new Refusal(RefusalReason.NOT_UNDERSTOOD, "the JVM's answer about its threads was not understood")
                        .reply();
    }

    /**
     * A DumpFolder is a fresh folder in a JVM's own /tmp, into which the JVM writes one file for Kiln. Only the JVM's user may
     * look into it. Closing deletes both, and so does the end of Kiln; if Kiln is killed, the next one does.
     */
    static final class DumpFolder implements AutoCloseable {
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
            this.name = PREFIX
                    + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
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
                OptionalInt user = ProcStatus.effectiveUser(
                        fs.text("proc/" + pid + "/status").orElse(""));
                if (user.isPresent()
                        && !user.equals(ProcStatus.effectiveUser(
                                fs.text("proc/self/status").orElse("")))) {
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
}
