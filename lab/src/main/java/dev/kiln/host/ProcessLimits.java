package dev.kiln.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Limits of open files and processes of this very process, to be those of a container too.
 *
 * @param ulimits in the form {@code nofile=SOFT:HARD}
 */
record ProcessLimits(List<String> ulimits) {
    ProcessLimits {
        ulimits = List.copyOf(ulimits);
    }

    static ProcessLimits ofKiln(ProcFs fs) {
        return parse(
                fs.text("proc/self/limits").orElse(""),
                fs.text("proc/sys/kernel/pid_max").orElse(""));
    }

    /**
     * @param limits text of {@code /proc/self/limits}
     * @param pidMax text of {@code /proc/sys/kernel/pid_max}: podman lowers its own limit of processes to it, and may hand
     *     out no more
     */
    static ProcessLimits parse(String limits, String pidMax) {
        List<String> ulimits = new ArrayList<>();
        row("Max open files", limits, OptionalLong.empty()).ifPresent(row -> ulimits.add("nofile=" + row));
        row("Max processes", limits, number(pidMax.strip())).ifPresent(row -> ulimits.add("nproc=" + row));
        return new ProcessLimits(ulimits);
    }

    private static Optional<String> row(String name, String limits, OptionalLong atMost) {
        Matcher row = Pattern.compile("^" + name + " +(\\S+) +(\\S+)", Pattern.MULTILINE)
                .matcher(limits);
        return row.find()
                ? Optional.of(least(row.group(1), atMost) + ":" + least(row.group(2), atMost))
                : Optional.empty();
    }

    private static long least(String limit, OptionalLong atMost) {
        OptionalLong number = number(limit);
        if (number.isEmpty()) {
            return atMost.orElse(-1);
        }
        return Math.min(number.getAsLong(), atMost.orElse(Long.MAX_VALUE));
    }

    private static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty(); // unlimited
        }
    }
}
