package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a JVM of its own, as the launcher starts it. */
class TrainingTest {
    @TempDir
    Path folder;

    @Test
    void itReadsReportsServesAndLeavesNothing() throws Exception {
        Path loaded = folder.resolve("loaded");
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Xlog:class+load:file=" + loaded,
                "-Djava.io.tmpdir=" + temporary,
                "-Dkiln.root=" + Path.of("..").toRealPath(),
                "-cp",
                System.getProperty("java.class.path"),
                Training.class.getName());
        Process process = java.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).isEmpty();
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left.filter(file -> file.getFileName().toString().startsWith("kiln-")))
                    .isEmpty();
        }
        List<String> classes = Files.readAllLines(loaded);
        for (String used :
                List.of("plan.ExperimentFile", "report.html.HtmlReport", "serve.LiveRun", "serve.WebServer")) {
            assertThat(classes).anyMatch(line -> line.contains("dev.kiln." + used + " "));
        }
    }
}
