package dev.kiln.model.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * ToolOptions are the flags in the variable that every JVM reads at its start, whoever starts it. A flag on the JVM's
 * command line wins over them.
 */
public record ToolOptions(List<String> flags) {
    public static final String NAME = "JAVA_TOOL_OPTIONS";

    public ToolOptions {
        flags = List.copyOf(flags);
    }

    /** Reads the variable as a JVM does: it splits at blanks outside quotes, and takes the quotes away. */
    public static ToolOptions parse(String value) {
        List<String> flags = new ArrayList<>();
        StringBuilder flag = new StringBuilder();
        char quote = 0;
        for (char c : (value + " ").toCharArray()) {
            if (c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (quote == 0 && Character.isWhitespace(c)) {
                if (!flag.isEmpty()) {
                    flags.add(flag.toString());
                    flag.setLength(0);
                }
            } else {
                flag.append(c);
            }
        }
        return new ToolOptions(flags);
    }

    /** Returns these flags and others behind them, without those that contradict the others. */
    public ToolOptions and(List<String> others) {
        return new ToolOptions(Stream.concat(
                        flags.stream()
                                .filter(flag -> others.stream().noneMatch(other -> JvmOptions.contradict(flag, other))),
                        others.stream())
                .toList());
    }

    /** Returns the value of the variable that has these flags. */
    public String text() {
        return flags.stream().map(ToolOptions::quoted).collect(Collectors.joining(" "));
    }

    /** The quotes begin behind the flag's name, for systemd would remove quotes at the beginning of a value. */
    private static String quoted(String flag) {
        if (flag.chars().noneMatch(c -> Character.isWhitespace(c) || c == '"' || c == '\'')) {
            return flag;
        }
        int begin = flag.indexOf('=') + 1;
        String value = flag.substring(begin);
        String inQuotes = value.indexOf('"') < 0
                ? '"' + value + '"'
                : value.indexOf('\'') < 0 ? "'" + value + "'" : '"' + value.replace("\"", "\"'\"'\"") + '"';
        return flag.substring(0, begin) + inQuotes;
    }
}
