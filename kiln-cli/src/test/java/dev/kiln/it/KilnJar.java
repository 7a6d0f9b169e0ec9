package dev.kiln.it;

import static java.util.concurrent.TimeUnit.MINUTES;

import dev.kiln.cli.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Kiln as it was built, with AOT caches as the script {@code kiln} makes them: half of what a short experiment costs is the start
 * of JVMs. They are made once, by an experiment, while the first test waits.
 */
final class KilnJar {
    private static final Path HOME = Path.of(Kiln.home(Main.class.getName()));
    private static final Path CACHES = HOME.resolveSibling("it-aot");
    private static final Path CACHE = CACHES.resolve("kiln.aot");

    /** A JVM takes a cache only for jars. In an IDE there are folders of classes. */
    private static final boolean PACKED = Files.isRegularFile(HOME);

    static final String CLASS_PATH = PACKED ? HOME.toString() : System.getProperty("java.class.path");

    /** Flags of a JVM that starts it. */
    static final List<String> FLAGS = PACKED ? withCaches() : List.of();

    private KilnJar() {}

    private static List<String> withCaches() {
        String driver = "-Dkiln.driver.aot=" + CACHES.resolve("driver.aot");
        try (Sandbox sandbox = new Sandbox()) {
            if (!Files.exists(CACHE)
                    || Files.getLastModifiedTime(CACHE).compareTo(Files.getLastModifiedTime(HOME)) < 0) {
                train(sandbox, driver);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Files.exists(CACHE)
                ? List.of("-XX:AOTCache=" + CACHE, "-Xlog:aot=off", "-Xlog:cds=off", driver)
                : List.of();
    }

    private static void train(Sandbox sandbox, String driver) throws IOException, InterruptedException {
        Files.createDirectories(CACHES);
        for (String made : List.of("kiln.aot", "driver.aot")) {
            Files.deleteIfExists(CACHES.resolve(made));
        }
        Path experiment = sandbox.file("train.yaml", """
                target:
                  command: %s --curve flat:rate=400
                load:
                  url: http://localhost:${port}/
                  connections: 4
                protocol: [{load: 2s}]
                runs: 1
                """.formatted(Kiln.CURVE_SERVER));
        ProcessBuilder jvm = sandbox.jvm(List.of("env"), CLASS_PATH, Main.class.getName());
        List<String> command = new ArrayList<>(jvm.command());
        // The last of two properties holds: the driver trains on what it does when it is hot.
        command.addAll(
                command.indexOf("-cp"), List.of("-XX:AOTCacheOutput=" + CACHE, driver, "-D" + Sandbox.WARM_UP + "=5"));
        command.addAll(List.of(
                "run",
                "--no-repeat",
                experiment.toString(),
                "--results",
                sandbox.results().toString()));
        Process training = jvm.command(command)
                .redirectErrorStream(true)
                .redirectOutput(CACHES.resolve("train.log").toFile())
                .start();
        if (!training.waitFor(2, MINUTES)) {
            training.destroyForcibly().waitFor();
        }
    }
}
