package dev.kiln.jvm;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStatus;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

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

    /** Whether HotSpot is in the process, which takes a moment at its start. OpenJ9 has a libjvm.so too. */
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
        int inner = ProcStatus.innermostPid(status, pid);
        return folders(inner)
                .flatMap(tmp -> in(tmp, inner).stream())
                .findFirst()
                .map(JvmCounters::new)
                .filter(JvmCounters::isComplete);
    }

    /**
     * Where the file may be. A JVM in a container has it below its own root, which other users may not read. In Kiln's own
     * /tmp, the pid that it has in its own pid namespace belongs to another process.
     */
    private Stream<Path> folders(int inner) {
        Path own = fs.path("proc/" + pid + "/root/tmp");
        return inner == pid ? Stream.of(own, fs.path("tmp")) : Stream.of(own);
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
        int inner = ProcStatus.innermostPid(status.get(), pid);
        if (folders(inner).anyMatch(tmp -> file(tmp, inner).isPresent())) {
            return "not permitted to read the JVM's hsperfdata file: run Kiln as the same user, or as root";
        }
        return "the JVM's hsperfdata file was not found in /tmp: disabled by -XX:-UsePerfData, /tmp not"
                + " writable, or a user without a name (no line in its /etc/passwd)";
    }

    private static Optional<HsPerfData> in(Path tmp, int inner) {
        Optional<Path> file = file(tmp, inner).filter(Files::isReadable);
        try {
            return file.isPresent() ? HsPerfData.map(file.get()) : Optional.empty();
        } catch (IOException e) {
            // Gone with its JVM: whyNone says so.
            return Optional.empty();
        }
    }

    /** The file of a JVM, if possible a readable one: a JVM of another namespace may have the same pid. */
    private static Optional<Path> file(Path tmp, int inner) {
        Optional<Path> found = Optional.empty();
        try (DirectoryStream<Path> users = Files.newDirectoryStream(tmp, "hsperfdata_*")) {
            for (Path user : users) {
                Path file = user.resolve(Integer.toString(inner));
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
