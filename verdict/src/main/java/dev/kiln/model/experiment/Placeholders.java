package dev.kiln.model.experiment;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Placeholders are values that are known only when a run begins, such as the port: until then an experiment has {@code
 * ${port}} in their place. {@code $${x}} stands for the text {@code ${x}} itself.
 *
 * @param values by name, without the braces
 */
public record Placeholders(Map<String, String> values) {
    public static final String PORT = "port";
    /** This placeholder is the name of the machine that the target runs on. */
    public static final String HOST = "host";

    public static final String DB_URL = "db.url";
    public static final String DB_USER = "db.user";
    public static final String DB_PASSWORD = "db.password";
    public static final String RUN_DIR = "run.dir";

    /** This placeholder is the port of a workload's backend; only the workload's own file may name it. */
    public static final String BACKEND_PORT = "backend.port";

    /** An experiment may use these names and no others. */
    public static final List<String> KNOWN = List.of(PORT, HOST, DB_URL, DB_USER, DB_PASSWORD, RUN_DIR);

    private static final Pattern PLACEHOLDER = Pattern.compile("(\\$?)\\$\\{([^{}]*)}");

    public Placeholders {
        values = Map.copyOf(values);
    }

    /** Returns the names in {@code text}, in order; escaped ones do not count. */
    public static List<String> namesIn(String text) {
        return PLACEHOLDER
                .matcher(text)
                .results()
                .filter(match -> !escaped(match))
                .map(match -> match.group(2))
                .toList();
    }

    /** Returns {@code text} with each value in its place; a name without a value is an error. */
    public String fill(String text) {
        return PLACEHOLDER.matcher(text).replaceAll(match -> Matcher.quoteReplacement(valueOf(match)));
    }

    /** Returns the text with known values in their places; other names and what is escaped stay. */
    public String fillOnlyKnown(String text) {
        return PLACEHOLDER.matcher(text).replaceAll(match -> {
            Optional<String> value =
                    escaped(match) ? Optional.empty() : Optional.ofNullable(values.get(match.group(2)));
            return Matcher.quoteReplacement(
                    value.map(known -> known.replace("${", "$${")).orElse(match.group()));
        });
    }

    private String valueOf(MatchResult match) {
        if (escaped(match)) {
            return match.group().substring(1);
        }
        return Optional.ofNullable(values.get(match.group(2)))
                .orElseThrow(() -> new IllegalStateException("no value for " + match.group()));
    }

    private static boolean escaped(MatchResult match) {
        return !match.group(1).isEmpty();
    }
}
