package dev.kiln.tune;

import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.JvmOptions.Given;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Where;
import java.io.File;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * TargetLibraries are the libraries that a target's command puts on its class path, those inside of its jars too. They show
 * whether a switch of a framework has anybody who reads it.
 *
 * @param names file names of jars without their ending, such as {@code spring-boot-3.5.3}, and the names of libraries whose classes
 *     were put into another jar
 */
record TargetLibraries(Set<String> names) {
    private static final String JAR = ".jar";
    private static final String ALL = "*";
    private static final Set<String> PATHS = Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path");

    /** Spring Boot's own jar has no file of a build tool, and its classes may be in another jar. */
    private static final String SPRING_BOOT = "org/springframework/boot/SpringApplication.class";

    /** These load what is elsewhere: the jars of applications, modules or folders. */
    private static final Set<String> LAUNCHERS =
            Set.of("bootstrap.jar", "start.jar", "jboss-modules.jar", "karaf.jar", "org.apache.karaf.main.jar");

    /** With it a launcher of Spring Boot loads jars from elsewhere. */
    private static final String MORE = "-Dloader.";

    /** Build tools leave this file of each library whose classes they put into one jar. */
    private static final Pattern INSIDE = Pattern.compile("META-INF/maven/[^/]+/([^/]+)/pom\\.properties");

    private static final Pattern VERSION = Pattern.compile("-(\\d+(?:\\.\\d+)*).*");

    TargetLibraries {
        names = Set.copyOf(names);
    }

    /**
     * A Library is one that was found.
     *
     * @param version the numbers at its beginning, such as 3, 5, 3; none where it is not known
     */
    record Library(String name, List<Integer> version) {
        /** Tells whether it is at least of this version; true where its version is not known. */
        boolean isAtLeast(int major, int minor) {
            return version.size() < 2
                    || version.getFirst() > major
                    || (version.getFirst() == major && version.get(1) >= minor);
        }
    }

    /**
     * Returns them; empty where the command does not tell: it is a script, has a file of arguments or folders of classes, or
     * runs elsewhere.
     */
    static Optional<TargetLibraries> of(Target target) {
        List<String> command = target.command();
        if (!(target.where() instanceof Where.Here) || command.isEmpty() || !JvmOptions.isJava(command.getFirst())) {
            return Optional.empty();
        }
        List<Given> given = JvmOptions.beforeMain(command);
        if (given.isEmpty()
                || given.stream()
                        .anyMatch(word ->
                                word.word().startsWith("@") || word.word().startsWith(MORE))) {
            return Optional.empty();
        }
        Path folder = target.workingDirectory().orElse(Path.of(""));
        Set<String> names = new HashSet<>();
        try {
            List<File> files = files(given, target, folder);
            if (files.isEmpty()
                    || files.stream().anyMatch(file -> !file.isFile() || LAUNCHERS.contains(file.getName()))) {
                return Optional.empty();
            }
            for (File jar : files) {
                add(jar, names, new HashSet<>());
            }
        } catch (IOException | InvalidPathException e) {
            // What cannot be read does not tell; the launch says why.
            return Optional.empty();
        }
        return Optional.of(new TargetLibraries(names));
    }

    /** Returns the library of that name; empty where it is not there. */
    Optional<Library> find(String name) {
        for (String one : names) {
            if (one.equals(name)) {
                return Optional.of(new Library(one, List.of()));
            }
            Matcher version = VERSION.matcher(one.substring(Math.min(name.length(), one.length())));
            if (one.startsWith(name) && version.matches()) {
                List<Integer> numbers = new ArrayList<>();
                for (String number : version.group(1).split("\\.", -1)) {
                    numbers.add(number.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(number));
                }
                return Optional.of(new Library(one, numbers));
            }
        }
        return Optional.empty();
    }

    /** Returns what the class path names, jars or not. */
    private static List<File> files(List<Given> given, Target target, Path folder) {
        Optional<Given> jar =
                given.stream().filter(word -> word.name().equals("-jar")).findFirst();
        if (jar.isPresent()) {
            return List.of(folder.resolve(jar.get().value()).toFile());
        }
        String paths = given.stream()
                .filter(word -> PATHS.contains(word.name()))
                .map(Given::value)
                .reduce((before, last) -> before + File.pathSeparator + last)
                .orElse(target.environment().getOrDefault("CLASSPATH", ""));
        List<File> files = new ArrayList<>();
        for (String path : paths.split(File.pathSeparator, -1)) {
            if (path.endsWith(ALL)) {
                File[] inside = folder.resolve(path.substring(0, path.length() - ALL.length()))
                        .toFile()
                        .listFiles((there, name) -> name.endsWith(JAR));
                files.addAll(inside == null ? List.of() : List.of(inside));
            } else if (!path.isEmpty()) {
                files.add(folder.resolve(path).toFile());
            }
        }
        return files;
    }

    /** Adds a jar, what is inside of it, and what its manifest names. */
    private static void add(File jar, Set<String> names, Set<File> known) throws IOException {
        if (!known.add(jar) || !jar.isFile()) {
            return;
        }
        names.add(withoutEnding(jar.getName()));
        try (JarFile file = new JarFile(jar)) {
            file.stream().forEach(entry -> {
                String name = entry.getName();
                Matcher inside = INSIDE.matcher(name);
                if (name.endsWith(JAR)) {
                    names.add(withoutEnding(name.substring(name.lastIndexOf('/') + 1)));
                } else if (inside.matches()) {
                    names.add(inside.group(1));
                } else if (name.equals(SPRING_BOOT)) {
                    names.add("spring-boot");
                }
            });
            String paths = file.getManifest() == null
                    ? null
                    : file.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            for (String path : paths == null ? new String[0] : paths.strip().split("\\s+", 0)) {
                if (path.endsWith(JAR)) {
                    add(jar.toPath().resolveSibling(path).toFile(), names, known);
                }
            }
        }
    }

    private static String withoutEnding(String jar) {
        return jar.substring(0, jar.length() - JAR.length());
    }
}
