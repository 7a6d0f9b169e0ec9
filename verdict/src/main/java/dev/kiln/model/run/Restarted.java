package dev.kiln.model.run;

import dev.kiln.model.Secrets;
import java.util.List;
import java.util.Locale;

/**
 * A Restarted says that a command of the user's had the target started anew for the run. Times of the run count from the
 * start of the new process.
 *
 * @param to how the process was named: a port or a container
 * @param pid on the machine of the run
 * @param by the command
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
                "process %d (%s) was started %.2f s after '%s' had begun: times count from the start of the process, which the"
                        + " kernel knows to 10 ms",
                pid,
                to,
                afterNanos / 1e9,
                String.join(" ", by));
    }
}
