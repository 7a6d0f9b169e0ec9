package dev.kiln.jvm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why a JVM did not use the AOT cache it was given, in its own words. JDK 25 says so at the log levels that are on by
 * default, with the tag {@code aot}; some lines with {@code cds}, as before.
 */
public final class AotLog {
    /** Decorations, then the message; what belongs to the same message stands in further lines with an empty decoration. */
    private static final Pattern LINE =
            Pattern.compile("(?:\\[[^\\]]*])*\\[(?:error|warning)\\s*]\\[(?:aot|cds)[^\\]]*]\\s*(.*)");

    private static final Pattern CONTINUED = Pattern.compile("\\[ +]\\s*(.*)");

    /** True of every rejection, so no reason for any. */
    private static final Set<String> COMMONPLACES = Set.of(
            "An error has occurred while processing the AOT cache. Run with -Xlog:aot for details.",
            "Unable to use AOT cache.",
            "Loading static archive failed.",
            "Unable to map shared spaces",
            "Disabling optimized module handling");

    private AotLog() {}

    /** The first line that names a reason; a commonplace where that is all there is; empty where nothing is said. */
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
