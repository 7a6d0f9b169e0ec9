package dev.kiln.console;

import dev.kiln.model.KilnException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;

/**
 * A Consent is what a person gives to a change of something that is not Kiln's, on a terminal or by {@code --yes}.
 *
 * @param terminal where to ask; empty where {@code --yes} has agreed already
 */
public record Consent(Optional<java.io.Console> terminal) {
    /** Finds out who can agree to what an option changes, or throws, before there is anything to agree to. */
    public static Consent to(String option, boolean yes) {
        if (yes) {
            return new Consent(Optional.empty());
        }
        Optional<java.io.Console> terminal =
                Optional.ofNullable(System.console()).filter(java.io.Console::isTerminal);
        if (terminal.isEmpty()) {
            throw KilnException.usage(
                    option + " asks before it changes anything, and nobody can answer here", "give --yes");
        }
        return new Consent(terminal);
    }

    /** Asks, where nobody has agreed yet. What is to be changed stands above the question. */
    public boolean given(PrintWriter err) {
        if (terminal.isEmpty()) {
            return true;
        }
        err.print("Apply? [y/N] ");
        err.flush();
        String answer = terminal.get().readLine();
        return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
    }
}
