package dev.kiln.tune;

import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.JvmOptions.Given;
import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Where;
import java.io.File;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.Attributes.Name;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
    private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");
    private static final Set<String> MODULE_PATH = Set.of("-p", "--module-path");

    /** Spring Boot's own jar has no file of a build tool, and its classes may be in another jar. */
    private static final String SPRING_BOOT = "org/springframework/boot/SpringApplication.class";

    /** These load what is elsewhere: the jars of applications, modules or folders. */
    private static final Set<String> LAUNCHERS =
            Set.of("bootstrap.jar", "start.jar", "jboss-modules.jar", "karaf.jar", "org.apache.karaf.main.jar");

    /** These, too, as a main class. The first reads a file that names the places, the second a repository. */
    private static final Pattern LAUNCHING = Pattern.compile(".*\\.(PropertiesLauncher|ThinJarWrapper)");

    /** It starts a Spring Boot jar that was unpacked into a folder. */
    private static final String UNPACKED = "org.springframework.boot.loader.";

    /** It loads the jars in the folders beside its own jar, which no manifest names. */
    private static final String QUARKUS = "io.quarkus.bootstrap.runner.QuarkusEntryPoint";

    private static final List<String> OF_QUARKUS = List.of("lib/boot", "lib/main");

    /** This property makes a launcher of Spring Boot load jars from elsewhere; so does the variable. */
    private static final String MORE = "-Dloader.";

    private static final String MORE_VARIABLE = "LOADER_PATH";

    /** The launcher {@code java} reads options from it, such as a class path, and puts them in front of those of the command. */
    private static final String LAUNCHER_OPTIONS = "JDK_JAVA_OPTIONS";

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
     * Returns them; empty where the command does not tell: it is a script, has a file of arguments, starts what loads jars from
     * elsewhere, or runs elsewhere.
     */
    static Optional<TargetLibraries> of(Target target) {
        return of(target, System.getenv());
    }

    /** @param inherited environment that the target has besides its own */
    static Optional<TargetLibraries> of(Target target, Map<String, String> inherited) {
        List<String> command = target.command();
        if (!(target.where() instanceof Where.Here) || command.isEmpty() || !JvmOptions.isJava(command.getFirst())) {
            return Optional.empty();
        }
        Map<String, String> environment = new HashMap<>(inherited);
        environment.putAll(target.environment());
        List<Given> given = JvmOptions.beforeMain(command);
        Stream<String> besides = Stream.concat(
                target.jvmFlags().stream(),
                Stream.of(LAUNCHER_OPTIONS, ToolOptions.NAME)
                        .flatMap(name -> ToolOptions.parse(environment.getOrDefault(name, "")).flags().stream()));
        if (given.isEmpty()
                || given.stream().map(Given::word).anyMatch(TargetLibraries::isElsewhere)
                || environment.containsKey(MORE_VARIABLE)
                || besides.anyMatch(word -> isElsewhere(word) || isPath(word))) {
            return Optional.empty();
        }
        try {
            return names(given, environment, target.workingDirectory().orElse(Path.of("")))
                    .map(TargetLibraries::new);
        } catch (IOException | InvalidPathException e) {
            // What cannot be read does not tell; the launch says why.
            return Optional.empty();
        }
    }

    private static boolean isElsewhere(String word) {
        return word.startsWith("@") || word.startsWith(MORE);
    }

    private static boolean isPath(String word) {
        String name = word.replaceFirst("=.*", "");
        return CLASS_PATH.contains(name) || MODULE_PATH.contains(name) || name.equals("-Djava.class.path");
    }

    private static Optional<Set<String>> names(List<Given> given, Map<String, String> environment, Path folder)
            throws IOException {
        String main = given.getLast().word();
        List<File> files = files(given, environment, folder);
        if (files.isEmpty()
                || LAUNCHING.matcher(main).matches()
                || files.stream().anyMatch(file -> !file.exists() || LAUNCHERS.contains(file.getName()))) {
            return Optional.empty();
        }
        if (main.startsWith(UNPACKED)
                && files.stream()
                        .noneMatch(file ->
                                new File(file, "BOOT-INF").isDirectory() || new File(file, "WEB-INF").isDirectory())) {
            return Optional.empty();
        }
        Set<String> names = new HashSet<>();
        for (File file : files) {
            if (file.isDirectory()) {
                addFolder(file, names);
            } else if (!add(file, names, new HashSet<>())) {
                return Optional.empty();
            }
        }
        return Optional.of(names);
    }

    /** Returns the library of that name, with its version where one of its names has it; empty where it is not there. */
    Optional<Library> find(String name) {
        for (String one : names) {
            Matcher version = VERSION.matcher(one.substring(Math.min(name.length(), one.length())));
            if (one.startsWith(name) && version.matches()) {
                List<Integer> numbers = new ArrayList<>();
                for (String number : version.group(1).split("\\.", -1)) {
                    numbers.add(number.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(number));
                }
                return Optional.of(new Library(one, numbers));
            }
        }
        return names.contains(name) ? Optional.of(new Library(name, List.of())) : Optional.empty();
    }

    /** Returns what the class path and the module path name, jars and folders of classes. */
    private static List<File> files(List<Given> given, Map<String, String> environment, Path folder) {
        Optional<Given> jar =
                given.stream().filter(word -> word.name().equals("-jar")).findFirst();
        if (jar.isPresent()) {
            return List.of(folder.resolve(jar.get().value()).toFile());
        }
        List<File> files = new ArrayList<>();
        for (String path : paths(given, MODULE_PATH, "")) {
            File module = folder.resolve(path).toFile();
            // Without jars in it, it is a module that was unpacked, or not there.
            files.addAll(module.isDirectory() && !jars(module).isEmpty() ? jars(module) : List.of(module));
        }
        // Without a class path it is the working directory, but for a module.
        String none = environment.getOrDefault("CLASSPATH", files.isEmpty() ? "." : "");
        for (String path : paths(given, CLASS_PATH, none)) {
            if (path.endsWith(ALL)) {
                files.addAll(jars(folder.resolve(path.substring(0, path.length() - ALL.length()))
                        .toFile()));
            } else {
                files.add(folder.resolve(path).toFile());
            }
        }
        return files;
    }

    private static List<String> paths(List<Given> given, Set<String> options, String none) {
        String all = given.stream()
                .filter(word -> options.contains(word.name()))
                .map(Given::value)
                .reduce((before, last) -> before + File.pathSeparator + last)
                .orElse(none);
        return Stream.of(all.split(File.pathSeparator, -1))
                .filter(path -> !path.isEmpty())
                .toList();
    }

    private static List<File> jars(File folder) {
        File[] inside = folder.listFiles((there, name) -> name.endsWith(JAR));
        return inside == null ? List.of() : List.of(inside);
    }

    /** Adds what is inside of a folder: classes of libraries, or a Spring Boot jar that was unpacked. */
    private static void addFolder(File folder, Set<String> names) {
        Stream.of("BOOT-INF/lib", "WEB-INF/lib")
                .flatMap(lib -> jars(new File(folder, lib)).stream())
                .forEach(jar -> names.add(withoutEnding(jar.getName())));
        if (new File(folder, SPRING_BOOT).isFile()) {
            names.add("spring-boot");
        }
    }

    /**
     * Adds a jar, what is inside of it, and what its manifest names.
     *
     * @return false where its main class loads jars from elsewhere, or its manifest names what is not read
     */
    private static boolean add(File jar, Set<String> names, Set<File> known) throws IOException {
        if (!known.add(jar) || !jar.isFile()) {
            return true;
        }
        names.add(withoutEnding(jar.getName()));
        try (JarFile file = new JarFile(jar)) {
            file.stream().forEach(entry -> addEntry(entry.getName(), names));
            Attributes manifest = file.getManifest() == null
                    ? new Attributes()
                    : file.getManifest().getMainAttributes();
            String main = manifest.getOrDefault(Name.MAIN_CLASS, "").toString();
            if (main.equals(QUARKUS)) {
                OF_QUARKUS.stream()
                        .flatMap(lib -> jars(jar.toPath().resolveSibling(lib).toFile()).stream())
                        .forEach(library -> names.add(withoutEnding(library.getName())));
            }
            String paths = manifest.getOrDefault(Name.CLASS_PATH, "").toString();
            for (String path : paths.strip().split("\\s+", 0)) {
                // These are URLs: one of elsewhere, one with escapes and a folder are not read.
                if (path.contains(":")
                        || path.contains("%")
                        || path.endsWith("/")
                        || (path.endsWith(JAR)
                                && !add(jar.toPath().resolveSibling(path).toFile(), names, known))) {
                    return false;
                }
            }
            return !LAUNCHING.matcher(main).matches();
        }
    }

    private static void addEntry(String name, Set<String> names) {
        Matcher inside = INSIDE.matcher(name);
        if (name.endsWith(JAR)) {
            names.add(withoutEnding(name.substring(name.lastIndexOf('/') + 1)));
        } else if (inside.matches()) {
            names.add(inside.group(1));
        } else if (name.equals(SPRING_BOOT)) {
            names.add("spring-boot");
        }
    }

    private static String withoutEnding(String jar) {
        return jar.endsWith(JAR) ? jar.substring(0, jar.length() - JAR.length()) : jar;
    }
}
