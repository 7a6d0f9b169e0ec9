package dev.kiln.model;

import java.util.Locale;
import java.util.Optional;

/** The names under which a machine asks itself. */
public final class Loopback {
    private Loopback() {}

    /**
     * Tells whether a request asks for this machine. Another site's page can reach it under a name that it made point
     * here, but not under these.
     *
     * @param host header {@code Host}; empty where there is none
     */
    public static boolean isName(Optional<String> host) {
        return host.filter(name ->
                        name.toLowerCase(Locale.ROOT).matches("(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?"))
                .isPresent();
    }
}
