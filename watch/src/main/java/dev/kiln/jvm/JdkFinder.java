package dev.kiln.jvm;

import dev.kiln.files.InputFile;
import dev.kiln.host.process.CacheFolder;
import dev.kiln.host.process.Programs;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.JdkChoice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A JdkFinder finds the JDKs of this machine where distributions and tools put them. */
public final class JdkFinder {
    /** Debian, Fedora and openSUSE; Alpine too. */
    private static final List<String> SYSTEM = List.of("usr/lib/jvm", "usr/lib64/jvm", "usr/java", "opt/java", "opt");

    /** SDKMAN, mise, asdf, jbang, IntelliJ and Gradle put them here, below the user's home. */
    private static final List<String> USER = List.of(
            ".sdkman/candidates/java",
            ".local/share/mise/installs/java",
            ".asdf/installs/java",
            ".jbang/cache/jdks",
            ".jdks",
            ".gradle/jdks");

    /** A release's launcher sets this: Kiln then brings a runtime, with what it needs and no more. */
    private static final String BRINGS_RUNTIME = "kiln.bringsRuntime";

    private final Map<String, String> environment;
    private final Path root;
    private final Path userHome;
    private final Path cache;
    private final Optional<Path> own;

    /** Searches this machine. */
    public JdkFinder() {
        this(
                System.getenv(),
                Path.of("/"),
                Path.of(System.getProperty("user.home")),
                CacheFolder.path(),
                Boolean.getBoolean(BRINGS_RUNTIME)
                        ? Optional.empty()
                        : Optional.of(Path.of(System.getProperty("java.home"))));
    }

    /**
     * @param cache of Kiln: its folder {@code jdks} is looked into near the end
     * @param own the JDK that runs Kiln, the last; empty for a runtime that Kiln brings, which is nobody else's
     */
    JdkFinder(Map<String, String> environment, Path root, Path userHome, Path cache, Optional<Path> own) {
        this.environment = Map.copyOf(environment);
        this.root = root;
        this.userHome = userHome;
        this.cache = cache;
        this.own = own;
    }

    /** Returns every JDK once: first those that the environment names, then those in the usual folders. */
    public List<Jdk> find() {
        Set<Path> homes = new LinkedHashSet<>();
        named("KILN_JAVA_HOME").ifPresent(homes::add);
        named("JAVA_HOME").ifPresent(homes::add);
        homes.addAll(onPath());
        SYSTEM.forEach(folder -> homes.addAll(below(root.resolve(folder))));
        USER.forEach(folder -> homes.addAll(below(userHome.resolve(folder))));
        homes.addAll(below(cache.resolve("jdks")));
        own.ifPresent(homes::add);
        List<Jdk> jdks = new ArrayList<>();
        Set<Path> seen = new LinkedHashSet<>();
        for (Path home : homes) {
            Path real = real(home);
            if (isHome(real) && seen.add(real)) {
                jdks.add(describe(real));
            }
        }
        return List.copyOf(jdks);
    }

    /** Returns the first JDK of {@link #find} with this version. */
    public Optional<Jdk> find(JdkChoice.Version wanted) {
        return find().stream().filter(jdk -> wanted.matches(jdk.version())).findFirst();
    }

    /** Returns the JDK that runs Kiln. */
    public static Jdk current() {
        return at(Path.of(System.getProperty("java.home")));
    }

    /**
     * Returns the JDK that a target on this machine is launched with. Empty where the PATH has no {@code java}, where
     * that is a program that chooses one, and for a start script, which finds its own.
     */
    public static Optional<Jdk> launching(Target target) {
        String program = target.command().isEmpty() ? "" : target.command().getFirst();
        if (target.jdkHome().isPresent()) {
            return Optional.of(at(target.jdkHome().get()));
        }
        if (!JvmOptions.isJava(program)) {
            return Optional.empty();
        }
        return program.contains("/")
                ? of(target.workingDirectory().orElse(Path.of("")).resolve(program))
                : Programs.inPath(program, target.workingDirectory(), target.environment())
                        .flatMap(JdkFinder::of);
    }

    /** Returns the JDK that builds and starts what is Kiln's; empty with no JDK but a brought runtime. */
    Optional<Path> usual() {
        return own.or(() -> find().stream().map(Jdk::home).findFirst());
    }

    /** Returns the same for what cannot do without, and fails where there is none. */
    public static Path required() {
        return new JdkFinder().usual().orElseThrow(JdkFinder::none);
    }

    private static KilnException none() {
        return KilnException.machine(
                "no JDK was found on this machine, and the one that Kiln brings is for Kiln alone",
                "install one, set JAVA_HOME, or name one: --jdk HOME, or jdk: HOME in the experiment file; to use Kiln's"
                        + " own: --jdk " + System.getProperty("java.home"));
    }

    /** Returns the complaint that a command begins with {@code java}, and a shell would find none. */
    public static KilnException notInPath() {
        List<String> found = new JdkFinder().find().stream().map(Jdk::text).toList();
        return KilnException.machine(
                "there is no 'java' in the PATH",
                "install a JDK, or name one (--jdk HOME, or jdk: HOME in the experiment file): "
                        + (found.isEmpty()
                                ? "to use Kiln's own: --jdk " + System.getProperty("java.home")
                                : "found " + String.join(", ", found)));
    }

    /** Returns the JDK in a directory, and fails where there is none. */
    public static Jdk at(Path home) {
        if (!isHome(home)) {
            throw KilnException.usage(
                    "no JDK in " + home + ": no executable bin/java",
                    "name the home of a JDK; kiln finds "
                            + new JdkFinder()
                                    .find().stream()
                                            .map(jdk -> jdk.home() + " (" + jdk.version() + ")")
                                            .toList());
        }
        return describe(real(home));
    }

    /** Returns the JDK that a {@code java} with a path of its own belongs to. */
    public static Optional<Jdk> of(Path java) {
        return Optional.ofNullable(real(java).getParent())
                .flatMap(bin -> Optional.ofNullable(bin.getParent()))
                .filter(JdkFinder::isHome)
                .map(JdkFinder::describe);
    }

    /** Parses a JDK's {@code release} file. */
    static Jdk describe(Path home, String release) {
        String version = value(release, "JAVA_VERSION").orElse("unknown");
        String vendor = value(release, "IMPLEMENTOR").orElse("unknown");
        return new Jdk(home, version, Jdk.feature(version), vendor);
    }

    private static Jdk describe(Path home) {
        try {
            return describe(home, InputFile.followedText(home.resolve("release"), InputFile.DOCUMENT));
        } catch (IOException | UncheckedIOException e) {
            return describe(home, "");
        }
    }

    private static Optional<String> value(String release, String key) {
        return release.lines()
                .filter(line -> line.startsWith(key + "="))
                .map(line -> line.substring(key.length() + 1).replace("\"", "").strip())
                .findFirst();
    }

    private Optional<Path> named(String variable) {
        return Optional.ofNullable(environment.get(variable))
                .filter(value -> !value.isBlank())
                .map(Path::of);
    }

    private List<Path> onPath() {
        return Stream.of(environment.getOrDefault("PATH", "").split(":", -1))
                .map(Path::of)
                // Kiln tries what it finds, and may be root in a folder of somebody else's.
                .filter(Path::isAbsolute)
                .map(folder -> real(folder.resolve("java")))
                .filter(Files::isExecutable)
                .flatMap(java -> Stream.ofNullable(java.getParent()))
                .flatMap(bin -> Stream.ofNullable(bin.getParent()))
                .toList();
    }

    private static List<Path> below(Path folder) {
        try (Stream<Path> children = Files.list(folder)) {
            return children.sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    /** Returns the path as the kernel names it, if it is there. */
    static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path;
        }
    }

    /** A launcher script or shim with the name java has no lib folder beside it. */
    static boolean isHome(Path home) {
        return Files.isExecutable(home.resolve("bin/java")) && Files.isDirectory(home.resolve("lib"));
    }
}
