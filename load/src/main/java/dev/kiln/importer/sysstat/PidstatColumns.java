package dev.kiln.importer.sysstat;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** PidstatColumns are the columns of one block of a pidstat log, by its header. */
final class PidstatColumns {
    /** A Role is what a column contains; the command is always the last. */
    enum Role {
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

    private final Role[] roles;

    private PidstatColumns(Role[] roles) {
        this.roles = roles;
    }

    /** Reads a header without its time; empty for a line that is not a header. */
    static Optional<PidstatColumns> of(String names) {
        Role[] roles = Arrays.stream(names.strip().split("\\s+"))
                .map(PidstatColumns::role)
                .toArray(Role[]::new);
        boolean whole = roles.length > 2
                && roles[roles.length - 1] == Role.COMMAND
                && Arrays.stream(roles).filter(r -> r == Role.COMMAND).count() == 1
                && Arrays.stream(roles).anyMatch(r -> r == Role.PID || r == Role.TGID);
        return whole ? Optional.of(new PidstatColumns(roles)) : Optional.empty();
    }

    Role[] roles() {
        return roles;
    }

    boolean has(Role role) {
        return Arrays.asList(roles).contains(role);
    }

    private static Role role(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "tgid" -> Role.TGID;
            case "tid" -> Role.TID;
            case "pid" -> Role.PID;
            case "%usr", "%user" -> Role.USR;
            case "%system" -> Role.SYSTEM;
            case "%guest" -> Role.GUEST;
            case "%wait" -> Role.WAIT;
            case "cswch/s" -> Role.VOLUNTARY;
            case "nvcswch/s" -> Role.INVOLUNTARY;
            case "rss" -> Role.RESIDENT;
            case "command" -> Role.COMMAND;
            default -> Role.UNUSED;
        };
    }
}
