package dev.kiln.jvm;

import dev.kiln.host.ProcFs;
import dev.kiln.host.ProcStatus;
import dev.kiln.host.Signal;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Whether a process may be asked to open its attach socket. Looks only, and harms nobody. */
final class Attachable {
    static final String SOCKET = ".java_pid";
    private static final Pattern DISABLED = Pattern.compile("-XX:\\+DisableAttachMechanism\\b");

    /** Of the flags in {@code /proc/PID/stat}: it is getting shut down. PF_EXITING of the kernel's sched.h. */
    private static final long EXITING = 0x4;

    /** Of the fields behind the name, which are the third and those after it. */
    private static final int FLAGS = 9 - 3;

    private static final int START = 22 - 3;

    private final ProcFs fs;
    private final long pid;
    private final JvmProbe probe;
    private final String started;
    private boolean hotSpot;

    Attachable(ProcFs fs, long pid) {
        this.fs = fs;
        this.pid = pid;
        this.probe = new JvmProbe(fs, pid);
        String[] stat = stat();
        this.started = stat.length > START ? stat[START] : "";
    }

    /** Empty for a process that is a HotSpot JVM; that it is one is found out once. */
    Optional<Refusal> whyNotHotSpot() {
        if (hasEnded()) {
            return Optional.of(new Refusal(Reason.DIED, "the process had ended"));
        }
        if (!hotSpot && fs.text("proc/" + pid + "/maps").isEmpty()) {
            return refused(
                    Reason.NOT_PERMITTED,
                    "not permitted to look into the process: run Kiln as the same user, or as root");
        }
        hotSpot = hotSpot || probe.isHotSpot();
        return hotSpot
                ? Optional.empty()
                : refused(Reason.NOT_HOTSPOT, "the process is no HotSpot JVM (no libjvm.so in it)");
    }

    /** Empty if SIGQUIT makes this JVM open its socket, and nothing else. */
    Optional<Refusal> whyNotSignal() {
        if (isDisabled()) {
            return refused(Reason.DISABLED, "the JVM runs with -XX:+DisableAttachMechanism");
        }
        if (!Signal.catchesQuit(status())) {
            return refused(
                    Reason.NOT_READY,
                    "the JVM does not handle SIGQUIT, which would end it: it is starting, or runs with -Xrs");
        }
        return Optional.empty();
    }

    /** Whether it is dead or dying. Known for sure as soon as its sockets are closed: the flag is set before. */
    boolean hasEnded() {
        String[] fields = stat();
        // Another that was given its pid started at another time, and must not get its signals.
        if (fields.length <= START || !fields[START].equals(started)) {
            return true;
        }
        boolean dead = fields[0].equals("Z") || fields[0].equals("X");
        return dead || (Long.parseLong(fields[FLAGS]) & EXITING) != 0;
    }

    /** The fields behind the name, which may hold blanks. */
    private String[] stat() {
        String stat = fs.text("proc/" + pid + "/stat").orElse("");
        return stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", START + 2);
    }

    /** Whether it answers to the user that Kiln runs as: its own, or root. */
    boolean shouldAnswer() {
        String user = effectiveUser(fs.text("proc/self/status").orElse(""));
        return user.equals("0") || user.equals(effectiveUser(status()));
    }

    /** In the JVM's own /tmp, wherever its root is; HotSpot knows no other folder on Linux. */
    Path file(String prefix) {
        return fs.path("proc/" + pid + "/root/tmp/" + prefix + ProcStatus.innermostPid(status(), (int) pid));
    }

    boolean hasSocket() {
        return Files.exists(file(SOCKET));
    }

    /**
     * Whether the thread that answers is there and its socket is not. A JVM that got the signal while it started deletes its
     * own socket as one left by another, and makes a new one at the next signal.
     */
    boolean listensInVain() {
        for (int tid : fs.tids(pid)) {
            String name = fs.threadName(pid, tid);
            if (name.equals("Attach Listener")) {
                return !hasSocket();
            }
        }
        return false;
    }

    /** Told by its counters; without them by its flags, which may come from a file that is not looked into. */
    private boolean isDisabled() {
        return probe.counters()
                .map(JvmCounters::refusesAttaching)
                .orElseGet(() -> DISABLED.matcher(
                                fs.text("proc/" + pid + "/cmdline").orElse("")
                                        + fs.text("proc/" + pid + "/environ").orElse(""))
                        .find());
    }

    private String status() {
        return fs.text("proc/" + pid + "/status").orElse("");
    }

    /** Real, effective, saved and file system user, by tabs. */
    private static String effectiveUser(String status) {
        String[] users = ProcStatus.field(status, "Uid").split("\\s+", 4);
        return users.length > 1 ? users[1] : "";
    }

    private Optional<Refusal> refused(Reason reason, String why) {
        return Optional.of(hasEnded() ? new Refusal(Reason.DIED, "the process had ended") : new Refusal(reason, why));
    }
}
