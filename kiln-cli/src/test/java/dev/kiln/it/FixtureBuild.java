package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A FixtureBuild gets another program by Maven, as the build of a user would, when a test first needs it. */
final class FixtureBuild {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private FixtureBuild() {}

    /**
     * Builds a folder of the fixtures, unless it was built after its pom last changed.
     *
     * @param made what the build makes in the folder
     * @return what it made
     */
    static Path of(String name, String made) throws IOException, InterruptedException {
        Path folder = ROOT.resolve("fixtures").resolve(name);
        Path pom = folder.resolve("pom.xml");
        Path result = folder.resolve(made);
        if (!Files.exists(result) || Files.getLastModifiedTime(result).compareTo(Files.getLastModifiedTime(pom)) <= 0) {
            ProcessBuilder maven = new ProcessBuilder(
                            ROOT.resolve("mvnw").toString(),
                            "-B",
                            "-ntp",
                            "-q",
                            "-f",
                            pom.toString(),
                            "clean",
                            "package")
                    .inheritIO();
            maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
            assertThat(maven.start().waitFor()).isZero();
        }
        return result;
    }
}
