package dev.kiln.host.proc;

import dev.kiln.files.InputFile;
import dev.kiln.host.proc.Topology.CpuLists;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Cgroups finds those that control a process, and what they leave it: version 1, 2, or both mounted side by side. */
public final class Cgroups {
    /** The kernel keeps a cgroup busy for a moment after its last process has ended. */
    private static final Duration BUSY_LIMIT = Duration.ofSeconds(5);

    /** It holds two numbers; in a container that file may be anything. */
    private static final int MOST_BYTES = 4096;

    private Cgroups() {}

    /** CgroupFiles are a cgroup's files, by name. */
    private interface CgroupFiles {
        String text(String file) throws IOException;
    }

    private record CgroupMount(Path point, String root, String type, List<String> options) {}

    /** A Hierarchy has a controller's cgroups of a process up to the mount, nearest first; empty if unseen. */
    public record Hierarchy(boolean unified, List<Path> upward) {}

    /** Returns the cgroup and its ancestors up to the mount, nearest first: limits above throttle too. */
    static List<Path> cpuDirectories(String membership, String mountinfo) {
        return hierarchy("cpu", membership, mountinfo).upward();
    }

    /** Returns the hierarchy of {@code controller}. */
    public static Hierarchy hierarchy(String controller, String membership, String mountinfo) {
        Optional<String> v1 = Optional.empty();
        Optional<String> v2 = Optional.empty();
        for (String line : membership.replace("\0", "").lines().toList()) {
            String[] fields = line.split(":", 3);
            if (fields.length == 3 && List.of(fields[1].split(",", -1)).contains(controller)) {
                v1 = Optional.of(fields[2]);
            } else if (fields.length == 3 && fields[0].equals("0") && fields[1].isEmpty()) {
                v2 = Optional.of(fields[2]);
            }
        }
        for (CgroupMount mount : mounts(mountinfo)) {
            if (v1.isPresent()
                    && mount.type().equals("cgroup")
                    && mount.options().contains(controller)) {
                return new Hierarchy(false, upward(mount, v1.get()));
            }
            if (v1.isEmpty() && v2.isPresent() && mount.type().equals("cgroup2")) {
                return new Hierarchy(true, upward(mount, v2.get()));
            }
        }
        return new Hierarchy(false, List.of());
    }

    /** Returns how many CPUs, as 0.5, a process may use: by its affinity and all quotas of its cgroups. */
    public static double cpusOf(ProcFs fs, long pid) {
        String status = fs.text("proc/" + pid + "/status").orElse("");
        int allowed =
                CpuLists.parse(ProcStatus.field(status, "Cpus_allowed_list")).size();
        double least = allowed > 0 ? allowed : Topology.read(fs).ids().size();
        String membership = fs.text("proc/" + pid + "/cgroup").orElse("");
        List<Path> directories = new ArrayList<>();
        cpuDirectories(membership, fs.text("proc/self/mountinfo").orElse(""))
                .forEach(directory -> directories.add(fs.path("." + directory)));
        for (Path directory : directories) {
            least = Math.min(
                    least,
                    quota(file -> InputFile.text(directory.resolve(file), MOST_BYTES))
                            .orElse(least));
        }
        // Of a container beside Kiln's, whose cgroup is not below what Kiln sees: as the process itself sees it.
        Path root = fs.path("proc/" + pid + "/root");
        for (String its : List.of("sys/fs/cgroup/", "sys/fs/cgroup/cpu/")) {
            least = Math.min(
                    least,
                    quota(file -> InputFile.below(root, its + file, MOST_BYTES)).orElse(least));
        }
        return least;
    }

    /**
     * Returns how much memory a process may fill: the least limit of its cgroup and of those above, and that of the
     * machine where none limits it. Empty where a limit may be out of sight, as that of a pod above Kiln's own
     * container is.
     *
     * @param machine its memory in bytes
     */
    public static OptionalLong memoryOf(ProcFs fs, long pid, long machine) {
        Hierarchy memory = hierarchy(
                "memory",
                fs.text("proc/" + pid + "/cgroup").orElse(""),
                fs.text("proc/self/mountinfo").orElse(""));
        List<Path> upward = memory.upward().stream()
                .map(directory -> fs.path("." + directory))
                .toList();
        LongStream limits = upward.stream()
                .flatMapToLong(
                        directory -> limit(file -> InputFile.text(directory.resolve(file), MOST_BYTES)).stream());
        // Of a container beside Kiln's, as for the CPUs.
        Path root = fs.path("proc/" + pid + "/root");
        LongStream its = Stream.of("sys/fs/cgroup/", "sys/fs/cgroup/memory/")
                .flatMapToLong(folder -> limit(file -> InputFile.below(root, folder + file, MOST_BYTES)).stream());
        OptionalLong least = LongStream.concat(limits, its)
                .filter(limit -> limit > 0 && limit < machine)
                .min();
        return least.isEmpty() && seenToTheTop(memory.unified(), upward) ? OptionalLong.of(machine) : least;
    }

    /** Tells whether the last one is above all: it alone has no limit in version 2, and it alone an agent in version 1. */
    private static boolean seenToTheTop(boolean unified, List<Path> upward) {
        return !upward.isEmpty()
                && unified != Files.exists(upward.getLast().resolve(unified ? "memory.max" : "release_agent"));
    }

    /** Returns the limit of one cgroup; empty without one. */
    private static OptionalLong limit(CgroupFiles directory) {
        try {
            try {
                return OptionalLong.of(
                        Long.parseLong(directory.text("memory.max").strip()));
            } catch (NoSuchFileException e) {
                return OptionalLong.of(
                        Long.parseLong(directory.text("memory.limit_in_bytes").strip()));
            }
        } catch (IOException | NumberFormatException e) {
            // The root of version 2 has none, and "max" is none.
            return OptionalLong.empty();
        }
    }

    /** Returns the CPUs that the quota of one cgroup allows; empty without one. */
    private static OptionalDouble quota(CgroupFiles directory) {
        try {
            String[] both;
            try {
                both = directory.text("cpu.max").strip().split(" ", -1);
            } catch (NoSuchFileException e) {
                both = new String[] {
                    directory.text("cpu.cfs_quota_us").strip(),
                    directory.text("cpu.cfs_period_us").strip()
                };
            }
            double quota = Double.parseDouble(both[0]) / Double.parseDouble(both[1]);
            return quota > 0 && Double.isFinite(quota) ? OptionalDouble.of(quota) : OptionalDouble.empty();
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            // The root has none, and "max" is none.
            return OptionalDouble.empty();
        }
    }

    private static List<Path> upward(CgroupMount mount, String path) {
        String below = mount.root().equals("/") || !path.startsWith(mount.root())
                ? path
                : path.substring(mount.root().length());
        Path directory = mount.point()
                .resolve("." + (below.startsWith("/") ? below : "/" + below))
                .normalize();
        List<Path> directories = new ArrayList<>();
        while (directory != null && directory.startsWith(mount.point())) {
            directories.add(directory);
            directory = directory.getParent();
        }
        return directories;
    }

    /** Parses proc_pid_mountinfo(5). Its optional fields, whose number varies, end with a lone dash. */
    private static List<CgroupMount> mounts(String mountinfo) {
        List<CgroupMount> mounts = new ArrayList<>();
        for (String line : mountinfo.lines().toList()) {
            int dash = line.indexOf(" - ");
            if (dash < 0 || line.indexOf('\0') >= 0) {
                continue;
            }
            String[] before = line.substring(0, dash).split(" ", -1);
            String[] after = line.substring(dash + 3).split(" ", -1);
            if (before.length >= 5 && after.length >= 3) {
                mounts.add(new CgroupMount(
                        Path.of(before[4].replace("\\040", " ")),
                        before[3],
                        after[0],
                        List.of(after[2].split(",", -1))));
            }
        }
        return mounts;
    }

    /** Kills all processes of a cgroup that Kiln made, and deletes it; false if there is none. */
    public static boolean delete(Path cgroup) throws IOException {
        long deadline = System.nanoTime() + BUSY_LIMIT.toNanos();
        while (true) {
            kill(cgroup);
            try {
                // Harmless: the kernel removes a cgroup's directory with its files, and any other must be empty.
                return Files.deleteIfExists(cgroup);
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    /** Kills all: at once in version 2; in version 1 {@link #delete} repeats it for new processes. */
    private static void kill(Path cgroup) {
        try {
            Path all = cgroup.resolve("cgroup.kill");
            if (Files.exists(all)) {
                Files.writeString(all, "1", StandardOpenOption.WRITE);
                return;
            }
            for (String pid : InputFile.text(cgroup.resolve("cgroup.procs"), InputFile.DOCUMENT)
                    .lines()
                    .toList()) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
            }
        } catch (IOException | NumberFormatException e) {
            // There is none, or it is not Kiln's: the deletion says why.
            return;
        }
    }

    /**
     * Returns the directory to make a cgroup in that changes nothing but who belongs to it: no controller of CPU or
     * memory is at work there, and the JVM finds its limits where it found them before.
     */
    public static Optional<Path> holdingDirectory(ProcFs fs) {
        String membership = fs.text("proc/self/cgroup").orElse("");
        String mountinfo = fs.text("proc/self/mountinfo").orElse("");
        for (String controller : List.of("pids", "freezer")) {
            Hierarchy hierarchy = hierarchy(controller, membership, mountinfo);
            List<Path> upward = hierarchy.upward().stream()
                    .map(directory -> fs.path("." + directory).normalize())
                    .toList();
            boolean neutral = !hierarchy.unified() || upward.stream().noneMatch(Cgroups::limits);
            // The kernel asks for this right before it moves a process.
            if (!upward.isEmpty()
                    && neutral
                    && Files.isWritable(upward.getFirst().resolve("cgroup.procs"))) {
                return Optional.of(upward.getFirst());
            }
        }
        return Optional.empty();
    }

    /** Tells whether a directory of version 2 limits CPU or memory, or lets its children share them. */
    private static boolean limits(Path directory) {
        String children = read(directory.resolve("cgroup.subtree_control"));
        return List.of(children.split("\\s+", -1)).contains("cpu")
                || !read(directory.resolve("cpu.max")).startsWith("max")
                || !read(directory.resolve("memory.max")).startsWith("max");
    }

    /** Returns the text of a limit's file. What is not there is no limit. */
    private static String read(Path file) {
        try {
            return InputFile.text(file, MOST_BYTES).strip();
        } catch (IOException e) {
            return "max";
        }
    }
}
