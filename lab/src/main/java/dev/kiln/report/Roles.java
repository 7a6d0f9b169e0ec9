package dev.kiln.report;

import java.util.Locale;

/** Thread roles as people call them. */
final class Roles {
    private Roles() {}

    static String words(String role) {
        return switch (role) {
            case "C1" -> "C1 compiler";
            case "C2" -> "C2 compiler";
            case "GC" -> "garbage collector";
            case "VM" -> "JVM";
            case "WORKER" -> "worker";
            case "IO" -> "event loop";
            default -> role.toLowerCase(Locale.ROOT);
        };
    }
}
