package dev.kiln.jvm;

import dev.kiln.model.run.JitState.Deoptimisations;
import dev.kiln.model.run.JitState.Trap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A DeoptimisationLog reads the answers to {@code VM.events log=deopt} of one JVM, one after the other. The JVM keeps the
 * last 20 lines, and writes about four for each deoptimisation: two of a trap, then one when its frame is packed, and one
 * when it is unpacked. Code that was thrown away while a thread was in it is left without a trap, and has the last two.
 *
 * <p>What is new since the answer before is told with the time in which it came. That time ends with the question, not
 * with the last event: deoptimisations come in bursts, and between two of a burst there is next to no time.
 */
final class DeoptimisationLog {
    /** HotSpot keeps so many lines (-XX:LogEventsBufferEntries); fewer are all that there ever were. */
    private static final int FULL = 20;

    private static final Pattern HEAD =
            Pattern.compile("(?m)^Deoptimization events \\((\\d{1,9}) events\\):|^No events");
    private static final Pattern LINE =
            Pattern.compile("^Event: (\\d{1,12})\\.(\\d{3}) Thread (0x[0-9a-f]{1,16}) (.*)$");
    private static final Pattern TRAP = Pattern.compile(
            "^Uncommon trap: reason=(\\w{1,60}) action=(\\w{1,60}) pc=\\S{1,20} method=(\\S{1,1000})(?: @ (-?\\d{1,9})\\b)?");
    private static final String PACKING = "DEOPT PACKING";
    private static final String NONE = "none";

    /** Hidden classes have an address behind their name: those of one lambda differ by it alone. */
    private static final Pattern ADDRESS = Pattern.compile("[/+]0x[0-9a-f]+");

    private static final Pattern UPTIME = Pattern.compile("(?m)^(\\d{1,12})\\.(\\d{3}) s$");

    private long offsetNanos = Long.MAX_VALUE;
    private long askedMillis;
    private long lastMillis = -1;

    private record Event(long millis, Optional<Trap> trap) {}

    /**
     * Takes the JVM's clock. An answer that is late makes the JVM seem to have begun later than it did, so the least late one
     * counts.
     *
     * @param uptime the answer to {@code VM.uptime}
     * @param nanos when it came, by Kiln's monotonic clock
     * @return whether it was understood
     */
    boolean clock(String uptime, long nanos) {
        Matcher time = UPTIME.matcher(uptime);
        if (!time.find()) {
            return false;
        }
        offsetNanos = Math.min(offsetNanos, nanos - 1_000_000 * millis(time));
        return true;
    }

    /** Returns what is new in an answer of a time by {@link #clock}; empty where the answer is none. */
    Optional<Deoptimisations> since(String answer, long nanos) {
        List<Matcher> lines =
                answer.lines().map(LINE::matcher).filter(Matcher::find).toList();
        Matcher head = HEAD.matcher(answer);
        // Lines that are not understood are no sign that nothing happened.
        if (!head.find() || lines.size() != (head.group(1) == null ? 0 : Integer.parseInt(head.group(1)))) {
            return Optional.empty();
        }
        long now = Math.max(askedMillis, (nanos - offsetNanos) / 1_000_000);
        List<Event> fresh = events(lines).stream()
                .filter(event -> event.millis > lastMillis)
                .toList();
        boolean all = lines.size() < FULL || millis(lines.getFirst()) <= lastMillis;
        // Times are whole milliseconds, cut off.
        long from = all ? askedMillis : fresh.isEmpty() ? now : Math.min(now, fresh.getFirst().millis);
        Deoptimisations told = new Deoptimisations(
                fresh.size(),
                1_000_000 * (now - from + 1),
                all,
                (int) traps(fresh).stream()
                        .filter(trap -> trap.action().equals(NONE))
                        .count(),
                Trap.commonest(traps(fresh).stream()));
        askedMillis = now;
        lastMillis = lines.isEmpty() ? lastMillis : millis(lines.getLast());
        return Optional.of(told);
    }

    /** A deoptimisation counts once: by its trap, and by its frame only where the thread was in none. */
    private static List<Event> events(List<Matcher> lines) {
        List<Event> events = new ArrayList<>();
        Set<String> trapped = new HashSet<>();
        for (Matcher line : lines) {
            String thread = line.group(3);
            Matcher trap = TRAP.matcher(line.group(4));
            if (trap.find()) {
                trapped.add(thread);
                events.add(new Event(millis(line), Optional.of(trap(trap))));
            } else if (line.group(4).startsWith(PACKING) && !trapped.remove(thread)) {
                events.add(new Event(millis(line), Optional.empty()));
            }
        }
        return events;
    }

    private static Trap trap(Matcher line) {
        String method = ADDRESS.matcher(line.group(3)).replaceAll("");
        int signature = method.indexOf('(');
        return new Trap(
                line.group(1),
                line.group(2),
                // A long signature is cut off, and with it the place in the code.
                (signature < 0 ? method : method.substring(0, signature))
                        + (line.group(4) == null ? "" : "@" + line.group(4)));
    }

    private static List<Trap> traps(List<Event> events) {
        return events.stream().flatMap(event -> event.trap.stream()).toList();
    }

    private static long millis(Matcher time) {
        return 1_000 * Long.parseLong(time.group(1)) + Long.parseLong(time.group(2));
    }
}
