package dev.kiln.jvm.flight;

import dev.kiln.model.run.FlightDigest.Work;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedMethod;
import org.jspecify.annotations.Nullable;

/** C2Work sums what C2 spent its time on, by method and library; its memory grows with C2's methods. */
final class C2Work {
    private static final String UNKNOWN = "unknown";
    private static final Set<String> JDK = Set.of("java", "javax", "jdk", "sun");

    /** A JDK brings these packages of com.sun, as far as services use them. */
    private static final Set<String> JDK_OF_SUN =
            Set.of("crypto", "security", "net", "nio", "naming", "jndi", "management", "jmx", "org", "beans");

    /** Two parts of a name that are one of these are still a whole family of libraries. */
    private static final Set<String> FAMILIES =
            Set.of("org.apache", "org.eclipse", "com.google", "com.sun", "com.github");

    private static final class Compiled {
        private int count;
        private int code;
        private long nanos;
    }

    private final Map<String, Map<String, Compiled>> libraries = new TreeMap<>();

    /** Adds a compilation, which gave code of the whole method or of a loop that runs. */
    void compiled(@Nullable RecordedMethod method, boolean gaveCode, long nanos) {
        String type = method == null ? "" : method.getType().getName();
        String name = method == null ? "" : type + "." + method.getName() + method.getDescriptor();
        Compiled all = libraries
                .computeIfAbsent(library(type), l -> new HashMap<>())
                .computeIfAbsent(name, n -> new Compiled());
        all.count++;
        all.nanos += nanos;
        all.code += gaveCode ? 1 : 0;
    }

    /** Returns a row for each library, the one that took most first. */
    List<Work> rows() {
        return libraries.entrySet().stream()
                .map(library -> row(library.getKey(), library.getValue()))
                .sorted(Comparator.comparingLong(Work::nanos).reversed().thenComparing(Work::library))
                .toList();
    }

    private static Work row(String library, Map<String, Compiled> methods) {
        Map.Entry<String, Compiled> longest = methods.entrySet().stream()
                .max(Comparator.<Map.Entry<String, Compiled>>comparingLong(method -> method.getValue().nanos)
                        .thenComparing(Map.Entry.comparingByKey()))
                .orElseThrow();
        return new Work(
                library,
                methods.values().stream().mapToInt(method -> method.count).sum(),
                methods.values().stream()
                        .mapToInt(method -> Math.max(0, method.code - 1))
                        .sum(),
                methods.values().stream().mapToLong(method -> method.nanos).sum(),
                longest.getKey().replaceFirst("\\(.*", ""),
                longest.getValue().nanos);
    }

    /** Returns the library that a class name tells of: its first two parts, or three within a family. */
    static String library(String type) {
        String[] parts = type.split("\\.", -1);
        if (type.isEmpty()) {
            return UNKNOWN;
        }
        if (JDK.contains(parts[0]) || (type.startsWith("com.sun.") && JDK_OF_SUN.contains(parts[2]))) {
            return "JDK";
        }
        if (parts.length < 3) {
            return parts.length == 1 ? "(no package)" : parts[0];
        }
        String two = parts[0] + "." + parts[1];
        return FAMILIES.contains(two) && parts.length > 3 ? two + "." + parts[2] : two;
    }
}
