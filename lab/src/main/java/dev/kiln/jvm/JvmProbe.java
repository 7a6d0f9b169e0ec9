package dev.kiln.jvm;

import dev.kiln.host.ProcFs;
import dev.kiln.host.ProcStatus;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the counters of a process that is a HotSpot JVM, or says why there are none. */
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

    /**
     * Whether HotSpot is in the process. A JVM that has just started has not loaded it yet. OpenJ9 has a libjvm.so too.
     */
    public boolean isHotSpot() {
        String maps = fs.text("proc/" + pid + "/maps").orElse("");
        return maps.contains("/libjvm.so") && !maps.contains("/libj9vm");
    }

    /** The counters, once the JVM has set them up; always empty for a process without counters. */
    public Optional<JvmCounters> counters() {
        String status = fs.text("proc/" + pid + "/status").orElse("");
        if (status.isEmpty()) {
            return Optional.empty();
        }
        String name = Integer.toString(ProcStatus.innermostPid(status, pid));
        // A JVM in a container has its files below its own root, which other users may not read. In Kiln's own /tmp,
        // the pid that it has in its own pid namespace belongs to another process.
        boolean sameNumbers = name.equals(Integer.toString(pid));
        return in(fs.path("proc/" + pid + "/root/tmp"), name)
                .or(() -> sameNumbers ? in(fs.path("tmp"), name) : Optional.empty())
                .map(JvmCounters::new)
                .filter(JvmCounters::isComplete);
    }

    /** Why {@link #counters} is empty, in words. Ask while the process lives. */
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
            return "the process is no HotSpot JVM (no libjvm.so in it): a native program, or a script without exec";
        }
        if (fs.text("proc/" + pid + "/cmdline").orElse("").contains("-XX:-UsePerfData")) {
            return "the JVM runs with -XX:-UsePerfData";
        }
        String name = Integer.toString(ProcStatus.innermostPid(status.get(), pid));
        boolean sameNumbers = name.equals(Integer.toString(pid));
        if (file(fs.path("proc/" + pid + "/root/tmp"), name)
                .or(() -> sameNumbers ? file(fs.path("tmp"), name) : Optional.empty())
                .isPresent()) {
            return "not permitted to read the JVM's hsperfdata file: run Kiln as the same user, or as root";
        }
        return "the JVM's hsperfdata file was not found in /tmp: disabled by -XX:-UsePerfData, /tmp not"
                + " writable, or a user without a name (no line in its /etc/passwd)";
    }

    private static Optional<HsPerfData> in(Path tmp, String name) {
        Optional<Path> file = file(tmp, name).filter(Files::isReadable);
        try {
            return file.isPresent() ? HsPerfData.map(file.get()) : Optional.empty();
        } catch (IOException e) {
            // Gone with its JVM: whyNone says so.
            return Optional.empty();
        }
    }

    /**
     * The file of a JVM, preferably one that can be read: another user's JVM in another namespace may have the same
     * pid.
     */
    private static Optional<Path> file(Path tmp, String name) {
        Optional<Path> found = Optional.empty();
        try (DirectoryStream<Path> users = Files.newDirectoryStream(tmp, "hsperfdata_*")) {
            for (Path user : users) {
                Path file = user.resolve(name);
                if (Files.isReadable(file)) {
                    return Optional.of(file);
                }
                found = Files.exists(file) ? Optional.of(file) : found;
            }
        } catch (IOException e) {
            // Not there, or not permitted: whyNone says so.
        }
        return found;
    }
}
