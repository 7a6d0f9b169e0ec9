package dev.kiln.compare;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a table's column and its unit: {@code p99 [ms]}, {@code p99 (ms)}, {@code p99, ms} or {@code p99_ms}.
 *
 * @param unit empty if the column says none
 */
record Column(String name, String unit) {
    private static final Pattern SAID = Pattern.compile("(.+?)\\s*(?:\\[([^\\]]+)\\]|\\(([^)]+)\\)|,\\s*(\\S+))");
    private static final Pattern SUFFIX = Pattern.compile("(.+)_(s|ms|us|ns|bytes|kib|mib|gib|kb|mb|gb|pct)");

    static Column parse(String text) {
        Matcher said = SAID.matcher(text.strip());
        if (said.matches()) {
            for (int group = 2; group <= 4; group++) {
                if (said.group(group) != null) {
                    return new Column(said.group(1), said.group(group).strip());
                }
            }
        }
        Matcher suffix = SUFFIX.matcher(text.strip());
        return suffix.matches() ? new Column(suffix.group(1), unit(suffix.group(2))) : new Column(text.strip(), "");
    }

    private static String unit(String suffix) {
        return switch (suffix) {
            case "bytes" -> "B";
            case "kib" -> "KiB";
            case "mib" -> "MiB";
            case "gib" -> "GiB";
            case "kb" -> "kB";
            case "mb" -> "MB";
            case "gb" -> "GB";
            case "pct" -> "%";
            default -> suffix;
        };
    }
}
