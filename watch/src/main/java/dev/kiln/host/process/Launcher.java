package dev.kiln.host.process;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.proc.Topology.CpuLists;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A Launcher starts the parts of the lab, each in a session of its own (no Ctrl-C reaches it), pinned from its first
 * instruction, and bound to die with Kiln.
 *
 * <p>The small programs in front of the command replace themselves by the next ({@code exec}), so the pid that Java
 * knows is the command's. The kernel sends the death signal when the <em>thread</em> that made the child ends, so one
 * thread that lives as long as Kiln starts them all.
 */
public final class Launcher implements AutoCloseable {
    /** Moves the shell into each cgroup named before "--", and then becomes the command after it. */
    private static final String ENTER =
            "while [ \"$1\" != -- ]; do echo $$ > \"$1/cgroup.procs\" || exit 126; shift; done; shift; exec \"$@\"";

    /** The shell needs a millisecond or two; on a busy machine more. */
    private static final Duration ENTER_LIMIT = Duration.ofSeconds(5);

    /** These environment variables give flags to any JVM. The user's are for targets, not for Kiln's own JVMs. */
    public static final List<String> JVM_OPTIONS = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    /** Shared by all launchers of this process, because all have the same owner. */
    private static final AtomicInteger CHILDREN = new AtomicInteger();

    private final OrphanRegistry registry;
    private final ProcFs fs = ProcFs.ofThisMachine();
    private final ExecutorService spawner = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("kiln-spawner").factory());

    private final Consumer<String> notes;
    private final AtomicBoolean unlimited = new AtomicBoolean();

    /** @param notes takes what a user must know while a child runs, from any thread */
    public Launcher(OrphanRegistry registry, Consumer<String> notes) {
        this.registry = registry;
        this.notes = notes;
    }

    /** It holds for all logs of a file system, so the first one is enough. */
    private void unlimited(Path log) {
        if (unlimited.compareAndSet(false, true)) {
            notes.accept(
                    log + " grows without a limit until its process ends: its file system cannot leave out the middle"
                            + " of a file; see that the disk has room, or that less is printed");
        }
    }

    /** Starts a child. {@link PinnedProcess#onExit} tells of its end. */
    public PinnedProcess start(LaunchSpec spec) {
        Programs.requireProgram(spec.what(), spec.command().getFirst(), spec.directory(), spec.environment());
        List<String> command = prefix(spec.cpus(), spec.user(), spec.cgroups());
        command.addAll(spec.command());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(spec.output().toFile()));
        builder.environment().put("PWD", folder(spec.directory()));
        builder.environment().putAll(spec.environment());
        String mark = registry.owner() + "/" + CHILDREN.incrementAndGet();
        builder.environment().put(ProcessTree.MARK, mark);
        spec.directory().ifPresent(directory -> builder.directory(directory.toFile()));
        try {
            PinnedProcess process = CompletableFuture.supplyAsync(
                            () -> spawn(spec.what(), command, mark, builder), spawner)
                    .join();
            LogLimit.watch(process, spec.output(), this::unlimited);
            awaitCgroups(process, spec.cgroups());
            return process;
        } catch (CompletionException e) {
            throw e.getCause() instanceof KilnException told ? told : e;
        }
    }

    /** Returns the folder as a shell names it that has gone there: of Kiln's own folder, the name that its shell has for it. */
    private static String folder(Optional<Path> directory) {
        Path here = directory.orElse(Path.of("")).toAbsolutePath();
        String told = System.getenv().getOrDefault("PWD", "");
        try {
            return directory.isEmpty() && !told.isEmpty() && Files.isSameFile(Path.of(told), here)
                    ? told
                    : here.toString();
        } catch (IOException | InvalidPathException e) {
            return here.toString();
        }
    }

    /** Waits until the child is in its cgroups, so that nobody sees it in Kiln's. */
    private void awaitCgroups(PinnedProcess process, List<Path> cgroups) {
        long deadline = System.nanoTime() + ENTER_LIMIT.toNanos();
        while (!cgroups.isEmpty() && process.isAlive() && System.nanoTime() < deadline) {
            String membership = fs.text("proc/" + process.pid() + "/cgroup").orElse("");
            if (cgroups.stream().allMatch(cgroup -> membership.contains("/" + cgroup.getFileName()))) {
                return;
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private PinnedProcess spawn(String what, List<String> command, String mark, ProcessBuilder builder) {
        long epochMillis = System.currentTimeMillis();
        long nanos = System.nanoTime();
        try {
            Process process = builder.start();
            long start = fs.stat(process.pid()).map(ProcStat::startTicks).orElse(-1L);
            registry.child(process.pid(), start, what);
            ProcessTree tree = new ProcessTree(fs, (int) process.pid(), start, mark);
            return new PinnedProcess(
                    process, new PinnedProcess.ChildLaunch(what, command, mark, nanos, epochMillis), registry, tree);
        } catch (IOException e) {
            throw KilnException.machine(
                    "cannot start the " + what + ": " + e.getMessage(),
                    "run the command by hand: " + String.join(" ", Secrets.HIDDEN.command(command)),
                    e);
        }
    }

    /** Returns the words that give a far command its own session, these CPUs, and death with Kiln. */
    public List<String> prefix(List<Integer> cpus) {
        return prefix(cpus, Optional.empty(), List.of());
    }

    private static List<String> prefix(List<Integer> cpus, Optional<LaunchSpec.LaunchUser> as, List<Path> cgroups) {
        List<String> command = new ArrayList<>();
        command.add(Programs.utilLinux("setsid"));
        if (!cgroups.isEmpty()) {
            command.addAll(List.of("/bin/sh", "-c", ENTER, "kiln"));
            cgroups.forEach(cgroup -> command.add(cgroup.toString()));
            command.add("--");
        }
        if (!cpus.isEmpty()) {
            command.addAll(List.of(Programs.utilLinux("taskset"), "-c", CpuLists.format(cpus)));
        }
        String setpriv = Programs.utilLinux("setpriv");
        // A change of credentials clears the death signal, so it is asked for after the change.
        as.ifPresent(user -> command.addAll(
                List.of(setpriv, "--reuid", "" + user.uid(), "--regid", "" + user.gid(), "--clear-groups", "--")));
        command.addAll(List.of(setpriv, "--pdeathsig", "KILL", "--"));
        return command;
    }

    /**
     * Starts a child from a thread that lives as long as the child. The kernel sends a death signal (setpriv
     * --pdeathsig) when the thread that started the process ends, not when Kiln ends. The child gets none of {@link
     * #JVM_OPTIONS}: a flag of the user's would kill or slow it.
     *
     * @param what its name in messages, such as "the load driver"
     * @throws KilnException with {@link Exit#MACHINE} if the command cannot be run
     */
    public static Process startBound(String what, ProcessBuilder builder) {
        builder.environment().keySet().removeAll(JVM_OPTIONS);
        CompletableFuture<Process> started = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .name("kiln-parent-of-" + what.replace(' ', '-'))
                .start(() -> {
                    try {
                        Process process = builder.start();
                        started.complete(process);
                        process.waitFor();
                    } catch (IOException e) {
                        started.completeExceptionally(e);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        try {
            return started.join();
        } catch (CompletionException e) {
            throw KilnException.machine(
                    "cannot start " + what + ": " + e.getCause(),
                    "check that this command can be run: "
                            + String.join(" ", Secrets.HIDDEN.command(builder.command())),
                    e);
        }
    }

    /** Call it when every child has ended: the others die with the thread that started them. */
    @Override
    public void close() {
        spawner.shutdownNow();
    }

    /**
     * A LaunchSpec is what to launch, and how.
     *
     * @param what the part's name for messages: {@code target}, {@code load}, {@code database}
     * @param output file that both output streams are appended to
     * @param environment added to Kiln's own
     * @param cpus to pin to; empty means not pinned
     * @param user to run as; only root may ask
     * @param cgroups to start in, one directory for each hierarchy; empty means those of Kiln
     */
    public record LaunchSpec(
            String what,
            List<String> command,
            Path output,
            Map<String, String> environment,
            Optional<Path> directory,
            List<Integer> cpus,
            Optional<LaunchUser> user,
            List<Path> cgroups) {
        /** A LaunchUser has the numbers of an unprivileged user and its group. */
        public record LaunchUser(int uid, int gid) {}

        public LaunchSpec {
            command = List.copyOf(command);
            environment = Map.copyOf(environment);
            cpus = List.copyOf(cpus);
            cgroups = List.copyOf(cgroups);
        }

        /** Describes a launch in Kiln's own environment, folder and cgroups, as Kiln's user, and not pinned. */
        public LaunchSpec(String what, List<String> command, Path output) {
            this(what, command, output, Map.of(), Optional.empty(), List.of(), Optional.empty(), List.of());
        }

        public LaunchSpec withEnvironment(Map<String, String> added) {
            return new LaunchSpec(what, command, output, added, directory, cpus, user, cgroups);
        }

        public LaunchSpec in(Optional<Path> workingDirectory) {
            return new LaunchSpec(what, command, output, environment, workingDirectory, cpus, user, cgroups);
        }

        public LaunchSpec on(List<Integer> some) {
            return new LaunchSpec(what, command, output, environment, directory, some, user, cgroups);
        }

        public LaunchSpec as(Optional<LaunchUser> other) {
            return new LaunchSpec(what, command, output, environment, directory, cpus, other, cgroups);
        }

        public LaunchSpec withCgroups(List<Path> directories) {
            return new LaunchSpec(what, command, output, environment, directory, cpus, user, directories);
        }
    }
}
