package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.fixtures.CurveServer;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.AotCheck;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.jvm.JvmProbe;
import dev.kiln.model.AotSight;
import dev.kiln.model.AotSight.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** An AotTrial is a service in jars, whose command is asked about AOT caches, and makes them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AotTrial {
    static final String SERIAL = "-XX:+UseSerialGC";

    final Sandbox sandbox = new Sandbox();
    Path jar = sandbox.root();
    Path other = sandbox.root();

    @BeforeAll
    void jars() throws IOException {
        jar = jar();
        // Older than the cache, as the first one is.
        other = Files.copy(jar, sandbox.root().resolve("other.jar"), StandardCopyOption.COPY_ATTRIBUTES);
    }

    List<String> command(String... options) {
        List<String> words = new ArrayList<>(List.of(Kiln.JAVA));
        words.addAll(List.of(options));
        words.addAll(List.of("-cp", jar + ":" + other, CurveServer.class.getName(), "--port", "${port}"));
        return words;
    }

    AotSight check(Path file, String... options) {
        List<String> words = command(options);
        words.add(1, "-XX:AOTCache=" + file);
        return check(words);
    }

    AotSight check(List<String> words) {
        return AotCheck.of(JdkFinder.current(), words, sandbox.root(), Map.of());
    }

    /** A jar whose program does nothing and ends. */
    Path toolJar() {
        Path made = sandbox.root().resolve("tool.jar");
        ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
        assertThat(tool.run(
                        System.out,
                        System.err,
                        "cfe",
                        made.toString(),
                        Nothing.class.getName(),
                        "-C",
                        classes(Nothing.class).toString(),
                        Nothing.class.getName().replace('.', '/') + ".class"))
                .isZero();
        return made;
    }

    /** Ends at once. */
    static final class Nothing {
        private Nothing() {}

        public static void main(String[] args) {
            System.out.println("done");
        }

        public static void premain(String arguments) {}
    }

    Path file(String name, byte[] bytes) throws IOException {
        return Files.write(sandbox.root().resolve(name), bytes);
    }

    List<String> reasons(Path file) {
        return check(file, SERIAL).reasons().stream().map(Reason::id).toList();
    }

    Process server(String option) throws IOException {
        return new ProcessBuilder(
                        JdkFinder.current().java().toString(),
                        SERIAL,
                        option,
                        "-cp",
                        jar + ":" + other,
                        CurveServer.class.getName(),
                        "--port",
                        "0")
                .redirectErrorStream(true)
                .redirectOutput(sandbox.root().resolve("server.log").toFile())
                .start();
    }

    /** Until it has mapped what it will. */
    static void awaitStart(long pid) {
        while (new JvmProbe(ProcFs.ofThisMachine(), pid).counters().isEmpty()) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    @AfterAll
    void end() {
        sandbox.close();
    }

    static Path classes(Class<?> of) {
        return Path.of(of.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    /** A cache takes class paths of jars alone. All are in one folder: a JVM that looks lets them move together alone. */
    Path jar() throws IOException {
        Path classes = classes(CurveServer.class);
        Path made = sandbox.root().resolve("fixtures.jar");
        if (!Files.isDirectory(classes)) {
            return Files.copy(classes, made, StandardCopyOption.COPY_ATTRIBUTES);
        }
        ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
        assertThat(tool.run(System.out, System.err, "cf", made.toString(), "-C", classes.toString(), "."))
                .isZero();
        return made;
    }
}
