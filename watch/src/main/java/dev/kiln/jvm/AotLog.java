package dev.kiln.jvm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An AotLog is a JVM's own reason for not using its cache: tag {@code aot}, or {@code cds}, in JDK 25. */
public final class AotLog {
    /** Decorations, then the message. Further lines of the same message have an empty decoration. */
    private static final Pattern LINE =
            Pattern.compile("(?:\\[[^\\]]*])*\\[(?:error|warning)\\s*]\\[(?:aot|cds)[^\\]]*]\\s*(.*)");

    private static final Pattern CONTINUED = Pattern.compile("\\[ +]\\s*(.*)");

    /** Messages of every rejection, which give no reason. */
    private static final Set<String> COMMONPLACES = Set.of(
            "An error has occurred while processing the AOT cache. Run with -Xlog:aot for details.",
            "Unable to use AOT cache.",
            "Loading static archive failed.",
            "Unable to map shared spaces",
            "Disabling optimized module handling");

    private AotLog() {}

    /** Returns the first message that names a reason, else the first message; empty if there is none. */
    public static Optional<String> reason(String log) {
        List<String> messages = messages(log);
        return messages.stream()
                .filter(message -> !COMMONPLACES.contains(message))
                .findFirst()
                .or(() -> messages.stream().findFirst());
    }

    private static List<String> messages(String log) {
        List<String> messages = new ArrayList<>();
        boolean ours = false;
        for (String line : log.lines().toList()) {
            Matcher message = LINE.matcher(line);
            Matcher more = CONTINUED.matcher(line);
            if (message.matches()) {
                messages.add(message.group(1).strip());
                ours = true;
            } else if (ours && more.matches()) {
                messages.add(more.group(1).strip());
            } else {
                ours = false;
            }
        }
        return messages;
    }
}
