package dev.kiln;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Benches are run by hand, long after what they measure was changed: they must still compile. */
class BenchesTest {
    @TempDir
    private Path classes;

    static List<Path> folders() throws IOException {
        try (Stream<Path> folders = Files.list(Path.of("../bench"))) {
            return folders.filter(Files::isDirectory).sorted().toList();
        }
    }

    /** The launcher knows where JDKs are, and what to say where there is none. */
    @ParameterizedTest
    @MethodSource("folders")
    void itsScriptsLeaveItToTheLauncherToFindAJdk(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path script :
                    files.filter(file -> file.toString().endsWith(".sh")).toList()) {
                String text = Files.readString(script);
                assertThat(text).as(script.toString()).doesNotContain("JAVA_HOME");
                if (text.contains("$java") || text.contains("/bin/java") || text.contains("javac")) {
                    assertThat(text).as(script.toString()).contains("kiln", " --jdk-home)");
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("folders")
    void itCompiles(Path folder) throws IOException {
        compile(folder);
    }

    /** The bench of causes reads what it plants from a table. */
    @Test
    void theTableOfCausesIsReadAndHasFaultsAndHealthyKinds() throws Exception {
        Path folder = Path.of("../bench/causes");
        compile(folder);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            Class<?> kind = loader.loadClass("Kind");
            Method read = kind.getDeclaredMethod("read", Path.class);
            Method healthy = kind.getDeclaredMethod("healthy");
            read.setAccessible(true);
            healthy.setAccessible(true);
            int faults = 0;
            int well = 0;
            for (Object one : (List<?>) read.invoke(null, folder.resolve("kinds.tsv"))) {
                if ((boolean) healthy.invoke(one)) {
                    well++;
                } else {
                    faults++;
                }
            }
            assertThat(faults).isGreaterThanOrEqualTo(40);
            assertThat(well).isGreaterThanOrEqualTo(12);
        }
    }

    private void compile(Path folder) throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.list(folder)) {
            sources = files.filter(file -> file.toString().endsWith(".java")).toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(told, Locale.ROOT, null)) {
            for (Path source : sources) {
                List<String> options = List.of(
                        "-proc:none",
                        "-d",
                        classes.toString(),
                        "-sourcepath",
                        folder.toString(),
                        "-cp",
                        System.getProperty("java.class.path"));
                compiler.getTask(null, files, told, options, null, files.getJavaFileObjects(source))
                        .call();
            }
        }
        assertThat(told.getDiagnostics().stream()
                        .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                        .map(one -> one.getSource().getName() + ":" + one.getLineNumber() + ": "
                                + one.getMessage(Locale.ROOT)))
                .isEmpty();
    }

    /** What bench/house adds to a copy of Kiln names lines and types of today. */
    @Test
    void whatIsAddedHasItsPlaces() throws IOException {
        Path add = Path.of("../bench/house/add");
        List<String> wrong = new ArrayList<>();
        try (Stream<Path> files = Files.walk(add)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                for (String line : Files.readAllLines(file)) {
                    String[] cells = line.split("\t", -1);
                    boolean found = switch (cells[0]) {
                        case "after" ->
                            lines(cells[1])
                                            .filter(one -> one.startsWith(cells[2]))
                                            .count()
                                    == 1;
                        case "replace" -> lines(cells[1]).anyMatch(one -> one.contains(cells[2]));
                        case "new" -> Files.exists(file.resolveSibling(cells[2]));
                        default -> !(line.startsWith("import dev.kiln.") && line.endsWith(";")) || isThere(add, line);
                    };
                    if (!found) {
                        wrong.add(file + ": " + line);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static Stream<String> lines(String file) throws IOException {
        return Files.readAllLines(Path.of("..").resolve(file)).stream();
    }

    /** Tells whether an imported type is one of Kiln, or of what is added with it. */
    private static boolean isThere(Path add, String line) throws IOException {
        String type = line.substring("import ".length(), line.length() - 1);
        try (Stream<Path> files = Files.walk(add)) {
            String added = type.substring(type.lastIndexOf('.') + 1) + ".java.txt";
            if (files.anyMatch(file -> file.endsWith(added))) {
                return true;
            }
        }
        try {
            Class.forName(
                    type.replaceAll("(?<=\\.[A-Z]\\w{0,80})\\.", "\\$"), false, BenchesTest.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
