package dev.kiln.model.run;

import dev.kiln.model.Secrets;
import java.util.List;
import java.util.Locale;

/**
 * An Attached says that the target ran before the run did, and that Kiln did not start it. Times of the run count from
 * the moment at which Kiln attached.
 *
 * @param to how the process was named: a pid, a port or a container
 * @param pid on the machine of the run
 * @param ageNanos how long it had run when Kiln attached
 * @param cpuNanos what its threads had used by then
 */
public record Attached(String to, long pid, long ageNanos, long cpuNanos) {
    private static final long SECOND = 1_000_000_000;
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    /** Returns how long it had run in words of at most two units, such as {@code 3 h 2 min}. */
    public String ran() {
        return text(ageNanos);
    }

    /** Returns the whole in one sentence, as the notes of a run have it. */
    public String note() {
        return "Kiln attached to process " + pid + (to.equals(Long.toString(pid)) ? "" : " (" + to + ")")
                + ", which had run for " + ran() + " and used " + text(cpuNanos)
                + " of CPU: its start and what it served before were not seen";
    }

    private static String text(long nanos) {
        long seconds = Math.max(0, nanos) / SECOND;
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1f s", Math.max(0, nanos) / 1e9);
        }
        if (seconds < MINUTE) {
            return seconds + " s";
        }
        if (seconds < HOUR) {
            return two(seconds, MINUTE, "min", 1, "s");
        }
        return seconds < DAY ? two(seconds, HOUR, "h", MINUTE, "min") : two(seconds, DAY, "d", HOUR, "h");
    }

    private static String two(long seconds, long large, String of, long small, String rest) {
        long left = seconds % large / small;
        return seconds / large + " " + of + (left == 0 ? "" : " " + left + " " + rest);
    }

    /**
     * A Restarted says that a command of the user's had the target started anew for the run. Times of the run count from the
     * start of the new process.
     *
     * @param to how the process was named: a port or a container
     * @param afterNanos from the begin of the command to the start of the process
     */
    public record Restarted(String to, long pid, List<String> by, long afterNanos) {
        public Restarted {
            by = List.copyOf(by);
        }

        /** Returns the same without the secrets of the command. */
        Restarted with(Secrets secrets) {
            return new Restarted(to, pid, secrets.command(by), afterNanos);
        }

        /** Returns the whole in one sentence, as the notes of a run have it. */
        public String note() {
            return String.format(
                    Locale.ROOT,
                    "the process of %s was started %.2f s after '%s' had begun: times count from the start of the process, which the"
                            + " kernel knows to 10 ms",
                    to,
                    afterNanos / 1e9,
                    String.join(" ", by));
        }
    }
}
