package dev.kiln.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A JdkSight is a JDK, and what Kiln can observe of a program that it runs.
 *
 * @param feature such as 25; 0 if unknown
 * @param architecture of its {@code java}, as the kernel names it: x86_64, aarch64
 */
public record JdkSight(
        Path home, String version, int feature, String vendor, String architecture, List<Ability> abilities) {
    public JdkSight {
        abilities = List.copyOf(abilities);
    }

    /**
     * An Ability is something that can be observed, or not.
     *
     * @param id for machines
     * @param name for people
     * @param whyNot empty if it can
     */
    public record Ability(String id, String name, Optional<String> whyNot) {}
}
