package dev.kiln.jvm;

import dev.kiln.model.AotSight.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/**
 * A ClassPathCheck holds the class path of an AOT cache against the one it is used with. A JVM compares them itself,
 * except builds with {@link AotFaults#UNSEEN_JAR}, which run classes of jars that are no longer there.
 */
final class ClassPathCheck {
    /** -Xlog:class+path lists the class path of the training in this form. */
    private static final Pattern RECORDED = Pattern.compile("\\(app *\\) \\[\\d+] = (.*)$", Pattern.MULTILINE);

    /** -XshowSettings lists the class path of the JVM in this form, with an entry in a line. */
    private static final Pattern CURRENT =
            Pattern.compile("^ +java\\.class\\.path = (.*(?:\\n {8}.*)*)$", Pattern.MULTILINE);

    private ClassPathCheck() {}

    /** Returns why the two do not fit; empty if they do. */
    static List<Reason> of(String log, String printed, Path folder, Path cache) {
        List<String> recorded = RECORDED.matcher(log)
                .results()
                .map(match -> match.group(1).strip())
                .toList();
        List<Path> current = CURRENT.matcher(printed)
                .results()
                .limit(1)
                .flatMap(match -> Arrays.stream(match.group(1).split("\n", 0)))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .map(folder::resolve)
                .toList();
        if (recorded.isEmpty() || current.isEmpty()) {
            return List.of();
        }
        Map<String, Path> known = new LinkedHashMap<>();
        current.forEach(jar -> known.putIfAbsent(name(jar.toString()), jar));
        List<String> names = current.stream().map(jar -> name(jar.toString())).toList();
        current.forEach(jar -> add(jar, known));
        List<String> wanted = recorded.stream().map(ClassPathCheck::name).toList();
        List<Reason> reasons = new ArrayList<>();
        if (!fits(wanted, names, known.keySet())) {
            reasons.add(new Reason(
                    "class-path",
                    "the class path differs, and this JDK does not notice (" + AotFaults.UNSEEN_JAR
                            + "): the training had " + String.join(":", wanted),
                    "give both, training and production, the same jars in the same order; more may follow at the end"));
        }
        wanted.stream()
                .flatMap(name -> Optional.ofNullable(known.get(name)).stream())
                .filter(jar -> isNewer(jar, cache))
                .findFirst()
                .ifPresent(jar -> reasons.add(new Reason(
                        "changed-jar",
                        jar.getFileName() + " is newer than the cache, and this JDK does not notice ("
                                + AotFaults.UNSEEN_JAR + "): classes of the old jar run",
                        "make the cache anew after each change of a jar; copies must keep its time (cp -p)")));
        return reasons;
    }

    /** Folders may differ. What follows at the end may too, and what a manifest adds is not in the JVM's own list. */
    private static boolean fits(List<String> wanted, List<String> names, Set<String> known) {
        if (!wanted.getFirst().equals(names.getFirst()) || !known.containsAll(wanted)) {
            return false;
        }
        List<String> both = wanted.stream().filter(names::contains).distinct().toList();
        return names.stream().distinct().limit(both.size()).toList().equals(both);
    }

    /** Adds the jars that the manifest of a jar names, and the manifests of these. */
    private static void add(Path jar, Map<String, Path> known) {
        try (JarFile file = new JarFile(jar.toFile())) {
            String paths = file.getManifest() == null
                    ? null
                    : file.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            for (String path : paths == null ? new String[0] : paths.strip().split("\\s+", 0)) {
                Path added = jar.resolveSibling(path);
                if (known.putIfAbsent(name(path), added) == null) {
                    add(added, known);
                }
            }
        } catch (IOException | InvalidPathException e) {
            // As for the JVM, a jar that is not there adds nothing.
            return;
        }
    }

    private static boolean isNewer(Path jar, Path cache) {
        try {
            return Files.getLastModifiedTime(jar).compareTo(Files.getLastModifiedTime(cache)) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String name(String entry) {
        return entry.substring(entry.lastIndexOf('/') + 1);
    }
}
