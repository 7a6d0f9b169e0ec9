package dev.kiln.remote;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A FarLook is which processes run where a service is, as a shell there tells without Kiln's agent.
 *
 * @param name of the place: of a deployment, that of its pod
 * @param starts of the processes by their pids there, as its kernel counts them
 */
public record FarLook(String name, Map<Long, Long> starts) {
    private static final Duration ANSWER = Duration.ofSeconds(30);

    /**
     * A process may end while it is read, and a name may have a bracket in it. The shell's own are left out: itself, and what it
     * started to run this.
     */
    private static final String SCRIPT = """
            for p in /proc/[0-9]*; do
              [ "${p#/proc/}" != $$ ] && read -r s 2>/dev/null <"$p/stat" || continue
              case "${s##*) }" in ?" $$ "*) continue ;; esac
              echo "${s%% *} ${s##*) }"
            done 2>/dev/null
            exit 0
            """;

    /**
     * The start is the 22nd field of the kernel's line, of which the second, the name, is left out. One that has ended, and whose
     * parent has not noticed, does not match.
     */
    private static final Pattern LINE = Pattern.compile("(\\d+) [^ZX](?: \\S+){18} (\\d+)(?: .*)?");

    public FarLook {
        starts = Map.copyOf(starts);
    }

    /**
     * Looks there.
     *
     * @throws KilnException if there is no such place, or no shell in it
     */
    public static FarLook at(Where where) {
        FarShell shell = RemoteKiln.shell(where);
        FarShell.ShellEnd end = shell.run(SCRIPT, ANSWER, OutputStream::flush);
        if (end.exit().orElse(1) != 0) {
            throw shell.noConnection(end.said());
        }
        return new FarLook(shell.name(), starts(end.said()));
    }

    static Map<Long, Long> starts(String said) {
        Map<Long, Long> starts = new HashMap<>();
        said.lines().forEach(line -> {
            Matcher process = LINE.matcher(line);
            if (process.matches()) {
                starts.put(Long.parseLong(process.group(1)), Long.parseLong(process.group(2)));
            }
        });
        return starts;
    }
}
