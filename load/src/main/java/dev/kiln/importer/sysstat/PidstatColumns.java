package dev.kiln.importer.sysstat;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** PidstatColumns are the columns of one block of a pidstat log, by its header. */
final class PidstatColumns {
    /** A PidstatRole is what a column contains; the command is always the last. */
    enum PidstatRole {
        TGID,
        TID,
        PID,
        USR,
        SYSTEM,
        GUEST,
        WAIT,
        VOLUNTARY,
        INVOLUNTARY,
        RESIDENT,
        COMMAND,
        UNUSED;

        /** Returns the role's place in a row of cells, which is an array for speed. */
        @SuppressWarnings("EnumOrdinal") // it lives no longer than the row
        int place() {
            return ordinal();
        }
    }

    private final PidstatRole[] roles;

    private PidstatColumns(PidstatRole[] roles) {
        this.roles = roles;
    }

    /** Reads a header without its time; empty for a line that is not a header. */
    static Optional<PidstatColumns> of(String names) {
        PidstatRole[] roles = Arrays.stream(names.strip().split("\\s+"))
                .map(PidstatColumns::role)
                .toArray(PidstatRole[]::new);
        boolean whole = roles.length > 2
                && roles[roles.length - 1] == PidstatRole.COMMAND
                && Arrays.stream(roles).filter(r -> r == PidstatRole.COMMAND).count() == 1
                && Arrays.stream(roles).anyMatch(r -> r == PidstatRole.PID || r == PidstatRole.TGID);
        return whole ? Optional.of(new PidstatColumns(roles)) : Optional.empty();
    }

    PidstatRole[] roles() {
        return roles;
    }

    boolean has(PidstatRole role) {
        return Arrays.asList(roles).contains(role);
    }

    private static PidstatRole role(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "tgid" -> PidstatRole.TGID;
            case "tid" -> PidstatRole.TID;
            case "pid" -> PidstatRole.PID;
            case "%usr", "%user" -> PidstatRole.USR;
            case "%system" -> PidstatRole.SYSTEM;
            case "%guest" -> PidstatRole.GUEST;
            case "%wait" -> PidstatRole.WAIT;
            case "cswch/s" -> PidstatRole.VOLUNTARY;
            case "nvcswch/s" -> PidstatRole.INVOLUNTARY;
            case "rss" -> PidstatRole.RESIDENT;
            case "command" -> PidstatRole.COMMAND;
            default -> PidstatRole.UNUSED;
        };
    }
}
