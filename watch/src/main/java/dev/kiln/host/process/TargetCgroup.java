package dev.kiln.host.process;

import dev.kiln.files.InputFile;
import dev.kiln.host.proc.Cgroups;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A TargetCgroup is a cgroup of Kiln's own. What is started in it stays in it, even a daemon, and ends with it. It may
 * limit CPU and memory: version 1 has a directory for each controller, version 2 one for both. It is removed at the end, or
 * by the next Kiln if this one is killed.
 */
public final class TargetCgroup implements AutoCloseable {
    /** The kernel's own default. */
    private static final long PERIOD_MICROS = 100_000;

    private static final String CPU = "cpu";
    private static final String UNIFIED_QUOTA = "cpu.max";
    private static final String MEMORY = "memory";
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** A Kiln in another container may see the same cgroups, and have the same pid. */
    private static final String OWN =
            HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());

    private final OrphanRegistry registry;
    private final List<Path> directories = new ArrayList<>();
    private Optional<Path> quota = Optional.empty();

    /** CgroupLimits are bytes, and CPU time for each unit of wall-clock time, such as 1.5. */
    public record CgroupLimits(OptionalDouble cpus, OptionalLong bytes) {
        public boolean none() {
            return cpus.isEmpty() && bytes.isEmpty();
        }

        private List<String> controllers() {
            return Stream.of(cpus.isPresent() ? CPU : "", bytes.isPresent() ? MEMORY : "")
                    .filter(name -> !name.isEmpty())
                    .toList();
        }
    }

    private TargetCgroup(OrphanRegistry registry) {
        this.registry = registry;
    }

    /** Makes a cgroup with these limits, or fails where this machine does not allow it. */
    public static TargetCgroup make(ProcFs fs, OrphanRegistry registry, CgroupLimits limits) {
        TargetCgroup made = new TargetCgroup(registry);
        try {
            made.fill(fs, limits);
            return made;
        } catch (IOException e) {
            made.close();
            throw refused(IoReason.of(e), e);
        }
    }

    /** Makes a cgroup without limits; empty where this machine does not allow it, or where it would change something. */
    public static Optional<TargetCgroup> holding(ProcFs fs, OrphanRegistry registry) {
        return Cgroups.holdingDirectory(fs).flatMap(parent -> {
            TargetCgroup made = new TargetCgroup(registry);
            try {
                made.make(parent.resolve(name()));
                return Optional.of(made);
            } catch (IOException e) {
                made.close();
                return Optional.empty();
            }
        });
    }

    private static String name() {
        return OrphanBook.OURS + ProcessHandle.current().pid() + "-" + OWN + "-" + NUMBER.incrementAndGet();
    }

    private static KilnException refused(String why, IOException e) {
        return KilnException.machine(
                "cannot limit the target by a cgroup: " + why,
                "cpu-quota and memory need root and a writable /sys/fs/cgroup with the controllers cpu and memory; under"
                        + " version 2 each parent must enable them: echo '+cpu +memory' > /sys/fs/cgroup/cgroup.subtree_control",
                e);
    }

    private void fill(ProcFs fs, CgroupLimits limits) throws IOException {
        String name = name();
        String membership = fs.text("proc/self/cgroup").orElse("");
        String mountinfo = fs.text("proc/self/mountinfo").orElse("");
        List<String> unified = new ArrayList<>();
        List<Path> upward = List.of();
        for (String controller : limits.controllers()) {
            Cgroups.Hierarchy hierarchy = Cgroups.hierarchy(controller, membership, mountinfo);
            if (hierarchy.upward().isEmpty()) {
                throw new IOException("no cgroup hierarchy with the controller '" + controller + "' is mounted");
            }
            if (hierarchy.unified()) {
                unified.add(controller);
                upward = hierarchy.upward();
            } else {
                limit(make(below(fs, hierarchy.upward().getFirst()).resolve(name)), controller, limits);
            }
        }
        if (!unified.isEmpty()) {
            Path directory = make(delegating(fs, upward, unified).resolve(name));
            for (String controller : unified) {
                limitUnified(directory, controller, limits);
            }
        }
    }

    /** Gives a cgroup made with a quota another one, in CPU time a unit of time, unless the kernel refuses. */
    public void limitCpu(double cpus) throws IOException {
        long micros = Math.round(cpus * PERIOD_MICROS);
        Path file = quota.orElseThrow();
        Files.writeString(file, file.endsWith(UNIFIED_QUOTA) ? micros + " " + PERIOD_MICROS : Long.toString(micros));
    }

    private void limit(Path directory, String controller, CgroupLimits limits) throws IOException {
        if (controller.equals(CPU)) {
            write(directory.resolve("cpu.cfs_period_us"), PERIOD_MICROS);
            quota = Optional.of(directory.resolve("cpu.cfs_quota_us"));
            limitCpu(limits.cpus().orElseThrow());
        } else {
            write(directory.resolve("memory.limit_in_bytes"), limits.bytes().orElseThrow());
        }
    }

    private void limitUnified(Path directory, String controller, CgroupLimits limits) throws IOException {
        if (controller.equals(CPU)) {
            quota = Optional.of(directory.resolve(UNIFIED_QUOTA));
            limitCpu(limits.cpus().orElseThrow());
        } else {
            write(directory.resolve("memory.max"), limits.bytes().orElseThrow());
        }
    }

    /** Returns the nearest cgroup that enables the controllers for its children. One with processes cannot. */
    private static Path delegating(ProcFs fs, List<Path> upward, List<String> controllers) throws IOException {
        for (Path candidate : upward) {
            Path directory = below(fs, candidate);
            Path handed = directory.resolve("cgroup.subtree_control");
            if (Files.isReadable(handed)
                    && List.of(InputFile.text(handed, InputFile.DOCUMENT)
                                    .strip()
                                    .split(" ", -1))
                            .containsAll(controllers)) {
                return directory;
            }
        }
        throw new IOException(
                "no cgroup above this process gives its children the controllers " + String.join(" and ", controllers));
    }

    private static Path below(ProcFs fs, Path directory) {
        return fs.path("." + directory).normalize();
    }

    private static void write(Path file, long number) throws IOException {
        Files.writeString(file, Long.toString(number));
    }

    private Path make(Path directory) throws IOException {
        // Noted first: if Kiln is killed in between, the next Kiln knows of it.
        registry.cgroup(directory);
        try {
            Files.createDirectory(directory);
        } catch (IOException e) {
            // One that is there is another's, with its processes.
            registry.removed(directory);
            throw e;
        }
        directories.add(directory);
        return directory;
    }

    /** Returns the directories to start a process in: one for each hierarchy. */
    public List<Path> directories() {
        return List.copyOf(directories);
    }

    /** Kills what is left in it, and removes it. */
    @Override
    public void close() {
        directories.forEach(this::remove);
        directories.clear();
    }

    private void remove(Path directory) {
        try {
            Cgroups.delete(directory);
            registry.removed(directory);
        } catch (IOException e) {
            // It stays in the book, and the next Kiln tries again.
            registry.kept(directory.toString(), IoReason.of(e));
        }
    }
}
