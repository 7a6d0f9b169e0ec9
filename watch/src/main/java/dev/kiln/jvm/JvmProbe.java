package dev.kiln.jvm;

import dev.kiln.files.Held;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.proc.ProcStatus;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A JvmProbe finds the counters of a process that is a HotSpot JVM, or says why there are none. */
public final class JvmProbe {
    private final ProcFs fs;
    private final int pid;

    public JvmProbe(ProcFs fs, long pid) {
        this.fs = fs;
        this.pid = (int) pid;
    }

    public boolean isAlive() {
        return fs.stat(pid).filter(stat -> !stat.isDead()).isPresent();
    }

    /** Tells whether HotSpot is in the process, which takes a moment at its start. OpenJ9 has a libjvm.so too. */
    public boolean isHotSpot() {
        String maps = fs.text("proc/" + pid + "/maps").orElse("");
        return maps.contains("/libjvm.so") && !maps.contains("/libj9vm");
    }

    /**
     * Removes the attach socket that a JVM of this user left in /tmp when it was killed; one that ends in good order does that itself. The
     * next process with its pid may be another user's JVM, which would be kept from answering.
     */
    public static void removeSocketOfDead(long pid) {
        Path socket = Path.of("/tmp", Attachable.SOCKET + pid);
        try {
            boolean ours = Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                            .isOther()
                    && Files.getAttribute(socket, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                            .equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
            if (ours && ProcessHandle.of(pid).isEmpty()) {
                Files.deleteIfExists(socket);
            }
        } catch (IOException e) {
            // There is none, as after most ends.
            return;
        }
    }

    /**
     * Returns the process itself if it is a HotSpot JVM, else the nearest of its descendants that is one: a start
     * script that does not end with exec has its JVM as a child. Empty where there is none, or none yet.
     */
    public static OptionalLong inTree(ProcFs fs, long root) {
        if (new JvmProbe(fs, root).isHotSpot()) {
            return OptionalLong.of(root);
        }
        List<ProcStat> all = new ArrayList<>();
        for (int pid : fs.pids()) {
            fs.stat(pid).filter(process -> !process.isDead()).ifPresent(all::add);
        }
        Set<Integer> level = Set.of((int) root);
        while (!level.isEmpty()) {
            Set<Integer> parents = level;
            level = all.stream()
                    .filter(process -> parents.contains(process.parent()))
                    .map(ProcStat::pid)
                    .collect(Collectors.toCollection(TreeSet::new));
            for (int pid : level) {
                if (new JvmProbe(fs, pid).isHotSpot()) {
                    return OptionalLong.of(pid);
                }
            }
        }
        return OptionalLong.empty();
    }

    /** Returns the counters, once the JVM has set them up; always empty for a process without counters. */
    public Optional<JvmCounters> counters() {
        String status = fs.text("proc/" + pid + "/status").orElse("");
        if (status.isEmpty()) {
            return Optional.empty();
        }
        return folders(status)
                .flatMap(tmp -> file(tmp, status, JvmProbe::opened).stream())
                .flatMap(Optional::stream)
                .findFirst()
                .map(JvmCounters::new)
                .filter(JvmCounters::isComplete);
    }

    /**
     * Returns where the file may be. A JVM in a container has it below its own root, which other users may not read. In
     * Kiln's own /tmp, the pid that it has in its own pid namespace belongs to another process.
     */
    private Stream<Path> folders(String status) {
        Path own = fs.path("proc/" + pid + "/root");
        return ProcStatus.innermostPid(status, pid) == pid ? Stream.of(own, fs.path("")) : Stream.of(own);
    }

    /** Says why {@link #counters} is empty. Ask while the process lives. */
    public String whyNone() {
        Optional<String> status = fs.text("proc/" + pid + "/status");
        if (status.isEmpty()) {
            return "the process had ended";
        }
        Optional<String> maps = fs.text("proc/" + pid + "/maps");
        if (maps.isEmpty()) {
            return "not permitted to look into the process: run Kiln as the same user, or as root";
        }
        if (!maps.get().contains("/libjvm.so")) {
            return "the process is no HotSpot JVM (no libjvm.so in it): a native program, or a script without a JVM";
        }
        if (fs.text("proc/" + pid + "/cmdline").orElse("").contains("-XX:-UsePerfData")) {
            return "the JVM runs with -XX:-UsePerfData";
        }
        if (folders(status.get())
                .anyMatch(tmp -> file(tmp, status.get(), found -> true).isPresent())) {
            return "not permitted to read the JVM's hsperfdata file: run Kiln as the same user, or as root";
        }
        return "the JVM's hsperfdata file was not found in /tmp: disabled by -XX:-UsePerfData, /tmp not"
                + " writable, or a user without a name (no line in its /etc/passwd)";
    }

    private static Optional<HsPerfData> opened(Held file) {
        try {
            return HsPerfData.open(file);
        } catch (IOException e) {
            // Gone with its JVM: whyNone says so.
            return Optional.empty();
        }
    }

    /**
     * Reads the file of the process. Any user can make a folder of that name in /tmp, with a file, a link or a pipe in
     * it. So folder and file must belong to the user of the process, as the JVM itself demands. What is looked at is
     * held, because its owner may put something else in its place at any moment.
     *
     * @param root of the process, with its /tmp
     */
    private <T> Optional<T> file(Path root, String status, Function<Held, T> found) {
        OptionalInt user = ProcStatus.effectiveUser(status);
        String name = Integer.toString(ProcStatus.innermostPid(status, pid));
        try (Held tmp = Held.below(root, "tmp");
                DirectoryStream<Path> folders = Files.newDirectoryStream(tmp.path(), "hsperfdata_*")) {
            for (Path each : folders) {
                Optional<T> result = inFolder(tmp, each.getFileName().toString(), name, user, found);
                if (result.isPresent()) {
                    return result;
                }
            }
        } catch (IOException e) {
            // Not there, or not permitted: whyNone says so.
        }
        return Optional.empty();
    }

    private static <T> Optional<T> inFolder(
            Held tmp, String folder, String name, OptionalInt user, Function<Held, T> found) {
        try (Held held = tmp.child(folder)) {
            if (!isOf(user, held, "isDirectory")) {
                return Optional.empty();
            }
            try (Held file = held.child(name)) {
                return isOf(user, file, "isRegularFile") ? Optional.of(found.apply(file)) : Optional.empty();
            }
        } catch (IOException e) {
            // Another JVM's folder, or one of another user.
            return Optional.empty();
        }
    }

    /** Tells whether it is the user's and of a kind, as {@code isDirectory}; a link is of none. */
    static boolean isOf(OptionalInt user, Held held, String kind) {
        try {
            Map<String, Object> found = Files.readAttributes(held.path(), "unix:uid," + kind);
            return user.isPresent()
                    && Integer.valueOf(user.getAsInt()).equals(found.get("uid"))
                    && Boolean.TRUE.equals(found.get(kind));
        } catch (IOException e) {
            return false;
        }
    }
}
