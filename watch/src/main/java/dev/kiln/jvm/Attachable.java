package dev.kiln.jvm;

import dev.kiln.files.Held;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.host.process.Signal;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An Attachable tells whether a process may be asked to open its attach socket. It only looks. */
final class Attachable {
    static final String SOCKET = ".java_pid";
    static final String TRIGGER = ".attach_pid";
    private static final Pattern DISABLED = Pattern.compile("-XX:\\+DisableAttachMechanism\\b");

    /** This flag in {@code /proc/PID/stat} means that the process is exiting. PF_EXITING of the kernel's sched.h. */
    private static final long EXITING = 0x4;

    /** Index among the fields after the name, which begin with the third. */
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

    /** Returns why the process is no HotSpot JVM; empty for one. Once it is one, it is not checked again. */
    Optional<Refusal> whyNotHotSpot() {
        if (hasEnded()) {
            return Optional.of(new Refusal(RefusalReason.DIED, "the process had ended"));
        }
        if (!hotSpot && fs.text("proc/" + pid + "/maps").isEmpty()) {
            return refused(
                    RefusalReason.NOT_PERMITTED,
                    "not permitted to look into the process: run Kiln as the same user, or as root");
        }
        hotSpot = hotSpot || probe.isHotSpot();
        return hotSpot
                ? Optional.empty()
                : refused(RefusalReason.NOT_HOTSPOT, "the process is no HotSpot JVM (no libjvm.so in it)");
    }

    /** Returns why SIGQUIT must not be sent; empty if it makes this JVM open its socket, and does nothing else. */
    Optional<Refusal> whyNotSignal() {
        if (isDisabled()) {
            return refused(RefusalReason.DISABLED, "the JVM runs with -XX:+DisableAttachMechanism");
        }
        if (!Signal.catchesQuit(status())) {
            return refused(
                    RefusalReason.NOT_READY,
                    "the JVM does not handle SIGQUIT, so the signal would kill it: it is still starting, or runs with -Xrs");
        }
        return Optional.empty();
    }

    /** Tells whether the process is dead or dying. The kernel sets the flag before it closes the sockets. */
    boolean hasEnded() {
        String[] fields = stat();
        // A process that got the same pid later has another start time, and must not get the signals.
        if (fields.length <= START || !fields[START].equals(started)) {
            return true;
        }
        boolean dead = fields[0].equals("Z") || fields[0].equals("X");
        return dead || (Long.parseLong(fields[FLAGS]) & EXITING) != 0;
    }

    /** Tells whether a signal (T) or a tracer (t) has stopped the process, see proc(5). */
    boolean isStopped() {
        String state = stat()[0];
        return state.equals("T") || state.equals("t");
    }

    /** Returns the fields after the name, which may contain blanks. */
    private String[] stat() {
        String stat = fs.text("proc/" + pid + "/stat").orElse("");
        return stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", START + 2);
    }

    /** Tells whether the process should answer Kiln's user: a JVM answers its own user and root. */
    boolean shouldAnswer() {
        OptionalInt user = ProcStatus.effectiveUser(fs.text("proc/self/status").orElse(""));
        return user.equals(OptionalInt.of(0)) || user.equals(ProcStatus.effectiveUser(status()));
    }

    /** Returns the JVM's own /tmp, wherever its root is. HotSpot uses no other folder on Linux. */
    Held tmp() throws IOException {
        return Held.below(fs.path("proc/" + pid + "/root"), "tmp");
    }

    /** Returns the name of a file in that folder. */
    String name(String prefix) {
        return prefix + ProcStatus.innermostPid(status(), (int) pid);
    }

    /** Another user's socket of that name is none: it would tell Kiln what it likes. */
    boolean hasSocket() {
        try {
            socket().close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the socket that was looked at, as long as it is held: a link cannot come between. */
    Held socket() throws IOException {
        try (Held tmp = tmp()) {
            Held socket = tmp.child(name(SOCKET));
            if (JvmProbe.isOf(ProcStatus.effectiveUser(status()), socket, "isOther")) {
                return socket;
            }
            socket.close();
            throw new NoSuchFileException(name(SOCKET));
        }
    }

    /** Returns what another user put into /tmp in the JVM's name, which the JVM neither obeys nor replaces. */
    Optional<String> planted() throws IOException {
        OptionalInt user = ProcStatus.effectiveUser(status());
        try (Held tmp = tmp()) {
            return Stream.of(SOCKET, TRIGGER)
                    .map(this::name)
                    .filter(name -> Files.exists(tmp.path().resolve(name), LinkOption.NOFOLLOW_LINKS))
                    .filter(name -> !owners(user).contains(owner(tmp.path().resolve(name))))
                    .findFirst();
        }
    }

    private static Set<Integer> owners(OptionalInt user) {
        return user.isPresent() ? Set.of(0, user.getAsInt() == 0 ? -1 : user.getAsInt()) : Set.of(0);
    }

    private static int owner(Path file) {
        try {
            return (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            // It has gone meanwhile.
            return 0;
        }
    }

    /**
     * Tells whether the thread that answers exists, but not its socket. A JVM that gets the signal while it starts
     * deletes its own socket, as if another JVM had left it. It makes a new one at the next signal.
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

    /** Tells by its counters, or else its flags, but for files of flags, whether attaching is off. */
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

    private Optional<Refusal> refused(RefusalReason reason, String why) {
        return Optional.of(
                hasEnded() ? new Refusal(RefusalReason.DIED, "the process had ended") : new Refusal(reason, why));
    }
}
