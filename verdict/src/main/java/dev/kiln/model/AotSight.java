package dev.kiln.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An AotSight says what a JVM makes of the AOT cache that its command names.
 *
 * @param cache that the JVM tried; empty if it tried none
 * @param jdkVersion as in {@code 25.0.3}
 * @param accepted whether the JVM uses it, and may
 * @param reasons why not; one of an accepted cache is why a part of it is not used
 * @param used what it takes from the cache; empty if it is not accepted
 */
public record AotSight(
        Optional<Path> cache,
        Path jdkHome,
        String jdkVersion,
        boolean accepted,
        List<Reason> reasons,
        Optional<Used> used,
        List<Fault> faults) {
    public AotSight {
        reasons = List.copyOf(reasons);
        faults = List.copyOf(faults);
    }

    /** A Reason says why an AOT cache, or a part of it, is not used: an id for scripts, and what differs. */
    public record Reason(String id, String text, String remedy) {}

    /**
     * A Used is what a JVM takes from its cache as it starts.
     *
     * @param classes that are loaded and linked from it at once; empty if the cache has none that are linked
     * @param profiles methods whose profile it has
     * @param heapBytes of objects; empty if it takes none
     * @param code pieces of machine code; empty if it takes none
     */
    public record Used(OptionalInt classes, int profiles, OptionalLong heapBytes, OptionalInt code) {}

    /**
     * A Fault is one of the JDK that hits users of AOT caches.
     *
     * @param id in the JDK's bug system
     * @param text what happens
     * @param fixed the first version of each release with the fix, oldest first; empty if there is none
     * @param source where the versions are from
     */
    public record Fault(String id, String text, String remedy, List<String> fixed, String source) {
        /** The month whose published state of the JDK's bugs this list has. */
        public static final String AS_OF = "2026-11";

        public Fault {
            fixed = List.copyOf(fixed);
        }
    }
}
