package dev.kiln.host.proc;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;

/** ProcStatus reads {@code /proc/PID/status} and {@code /proc/PID/task/TID/status}. */
public final class ProcStatus {
    private static final byte[] NAME = key("Name:");
    private static final byte[] STATE = key("State:");
    private static final byte[] RSS = key("VmRSS:");
    private static final byte[] VOLUNTARY = key("voluntary_ctxt_switches:");
    private static final byte[] INVOLUNTARY = key("nonvoluntary_ctxt_switches:");

    private ProcStatus() {}

    /** Switches are one thread's; its name has up to 15 bytes, its state is the kernel's letter. */
    record Switches(String name, char state, long voluntary, long involuntary) {}

    /** @param knownName given back when the name is still the same, so that no string is made */
    static Optional<Switches> switches(ProcText text, String knownName) {
        if (!text.startsWith(NAME)) {
            return Optional.empty();
        }
        String name = text.at(NAME.length).restOfLine(knownName);
        // It is the second or third line.
        char state = text.seek(STATE) ? text.nextChar() : '?';
        // The two lines are among the last of sixty. A search from the top would cost more than the kernel needs to
        // write all sixty. On x86 other lines may follow them.
        int below = text.length;
        int line = text.lineBefore(below);
        while (line > 0 && !text.hasAt(line, VOLUNTARY)) {
            below = line;
            line = text.lineBefore(line);
        }
        if (line == 0 || !text.hasAt(below, INVOLUNTARY)) {
            return Optional.empty();
        }
        long voluntary = text.at(line + VOLUNTARY.length).nextLong();
        boolean whole = !text.ranOut();
        long involuntary = text.at(below + INVOLUNTARY.length).nextLong();
        return whole && !text.ranOut()
                ? Optional.of(new Switches(name, state, voluntary, involuntary))
                : Optional.empty();
    }

    /** Returns the resident memory in bytes; 0 for a process that has none left. */
    public static long rssBytes(String status) {
        return rssBytes(ProcText.of(status));
    }

    static long rssBytes(ProcText text) {
        return text.seek(RSS) ? text.nextLong() * 1024 : 0;
    }

    /** Returns the value of a field, or the empty text. */
    public static String field(String status, String name) {
        ProcText text = ProcText.of(status);
        return text.seek(key(name + ":")) ? text.restOfLine().strip() : "";
    }

    /** Returns the pid inside the innermost pid namespace of the process. */
    public static int innermostPid(String status, int pid) {
        String field = field(status, "NSpid");
        int last = Math.max(field.lastIndexOf('\t'), field.lastIndexOf(' '));
        String inner = field.substring(last + 1);
        return inner.matches("\\d{1,9}") ? Integer.parseInt(inner) : pid;
    }

    /** Returns the user whose rights the process has, by number; empty where the text does not tell. */
    public static OptionalInt effectiveUser(String status) {
        // Real, effective, saved and file system user.
        String[] users = field(status, "Uid").split("\\s+", 4);
        return users.length > 1 && users[1].matches("\\d{1,10}")
                ? OptionalInt.of((int) Long.parseLong(users[1]))
                : OptionalInt.empty();
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
