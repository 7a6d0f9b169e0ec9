package dev.kiln.jvm;

import java.nio.file.Path;

/**
 * An installed JDK.
 *
 * @param home with symbolic links resolved
 * @param version as in {@code 25.0.3}
 * @param feature as in {@code 25}; 0 if unknown
 */
public record Jdk(Path home, String version, int feature, String vendor) {
    public Path java() {
        return home.resolve("bin").resolve("java");
    }

    /** {@code 1.8.0_412} is 8, {@code 25.0.3} and {@code 26-ea} are 25 and 26; 0 for what is no version. */
    public static int feature(String version) {
        String modern = version.startsWith("1.") ? version.substring(2) : version;
        int end = 0;
        while (end < modern.length() && Character.isDigit(modern.charAt(end))) {
            end++;
        }
        return end == 0 || end > 4 ? 0 : Integer.parseInt(modern.substring(0, end));
    }
}
