package dev.kiln.remote;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A FarLook is which processes a service is where it runs, as a shell there tells without Kiln's agent. Others that come and go in
 * the same place are none of it.
 *
 * @param name of the place: of a deployment, that of its pod
 * @param starts of its processes by their pids there, as its kernel counts them: one as a rule, and several where they hold one port
 * @param absent whether the service certainly does not run
 */
public record FarLook(String name, Map<Long, Long> starts, boolean absent) {
    /** A script says so where the service may run and not be seen. */
    private static final String UNSEEN = "unseen";

    /** The line of a process is printed, unless it has ended. A name may have a bracket in it. */
    private static final String LOOK = """
            look() { read -r s 2>/dev/null <"/proc/$1/stat" && echo "${s%% *} ${s##*) }"; }
            """;

    /** Who listens on the port holds its socket: a link to its number is among the open files. */
    private static final String LISTENING = """
            set --
            [ -r /proc/net/tcp ] || [ -r /proc/net/tcp6 ] || echo unseen
            for f in /proc/net/tcp /proc/net/tcp6; do
              [ -r "$f" ] || continue
              while read -r n at far state a b c d e inode rest; do
                case "$at $state" in *:PORT' 0A') set -- "$@" -e "socket:\\[$inode\\]" ;; esac
              done <"$f"
            done
            [ $# -gt 0 ] || exit 0
            echo unseen
            ls -l /proc/[0-9]*/fd 2>/dev/null | grep -e '^/proc/' "$@" | while read -r line; do
              case "$line" in /proc/*) p=${line#/proc/}; p=${p%%/*} ;; *) look "$p" ;; esac
            done
            exit 0
            """;

    /** The engine names the first process of the container, 0 of one that does not run. The shell may be in another place than it. */
    private static final String CONTAINED = """
            for engine in podman docker; do
              p=$("$engine" inspect --format '{{.State.Pid}}' 'NAME' 2>/dev/null) || continue
              [ "$p" = 0 ] || look "$p" || echo unseen
              exit 0
            done
            echo unseen
            exit 0
            """;

    /** Who sees the first process sees all: a kernel may hide those of others. */
    private static final String NUMBERED = """
            look PID || [ -r /proc/1/stat ] || echo unseen
            exit 0
            """;

    /**
     * The parent is the 4th field of the kernel's line, and the start the 22nd; the second, the name, is left out. A process that has
     * ended, and whose parent has not noticed, does not match.
     */
    private static final Pattern LINE = Pattern.compile("(\\d+) [^ZX] (\\d+)(?: \\S+){17} (\\d+)(?: .*)?");

    public FarLook {
        starts = Map.copyOf(starts);
    }

    /**
     * Looks there.
     *
     * @param limit for the answer
     * @throws KilnException if there is no such place, or no shell in it
     */
    public static FarLook at(Where.Running where, Duration limit) {
        FarShell shell = RemoteKiln.shell(where);
        FarShell.ShellEnd end = shell.run(script(where.point()), limit, OutputStream::flush);
        if (end.exit().orElse(1) != 0) {
            throw shell.noConnection(end.said());
        }
        Map<Long, Long> starts = starts(end.said());
        return new FarLook(
                shell.name(), starts, starts.isEmpty() && end.said().lines().noneMatch(UNSEEN::equals));
    }

    private static String script(AttachPoint point) {
        return LOOK
                + switch (point) {
                    case AttachPoint.ProcessId id -> NUMBERED.replace("PID", Long.toString(id.pid()));
                    // The first process of its container.
                    case AttachPoint.KubePod pod -> NUMBERED.replace("PID", "1");
                    case AttachPoint.ListeningPort listening ->
                        LISTENING.replace("PORT", String.format(Locale.ROOT, "%04X", listening.port()));
                    case AttachPoint.ContainerName container -> CONTAINED.replace("NAME", container.name());
                };
    }

    /** A server that forks has its socket from its parent: its children come and go. */
    static Map<Long, Long> starts(String said) {
        Map<Long, Long> starts = new HashMap<>();
        Map<Long, Long> parents = new HashMap<>();
        said.lines().map(LINE::matcher).filter(Matcher::matches).forEach(process -> {
            long pid = Long.parseLong(process.group(1));
            parents.put(pid, Long.parseLong(process.group(2)));
            starts.put(pid, Long.parseLong(process.group(3)));
        });
        return starts.entrySet().stream()
                .filter(process -> !starts.containsKey(parents.get(process.getKey())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
