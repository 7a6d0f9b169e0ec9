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
}
