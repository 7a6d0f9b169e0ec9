package dev.kiln.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.fixtures.CurveServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A RealKiln is what tests of a build start: Kiln as it was built before, with a service whose capacity is known. */
public final class RealKiln {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private RealKiln() {}

    /** Writes the launcher; its load driver is not warmed up, because no test asks for figures. */
    public static Path launcher(Path folder) throws IOException {
        Path jar = Path.of("../../kiln-cli/target/kiln.jar").toAbsolutePath().normalize();
        assertThat(jar).as("Kiln, which -am builds before").exists();
        return script(
                folder.resolve("kiln"),
                "export XDG_STATE_HOME=" + folder.toAbsolutePath() + "/state\nexec " + JAVA
                        + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED"
                        + " -Dkiln.driver.warmUpSeconds=0 -jar " + jar + " \"$@\"");
    }

    /** Writes a program of the shell. */
    public static Path script(Path file, String body) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Writes an experiment of a few seconds a run with a service that answers 400 requests a second. */
    public static Path experiment(Path file, int runs) throws IOException {
        return Files.writeString(file, """
                target:
                  command: %s -cp %s dev.kiln.fixtures.CurveServer --port ${port} --curve flat:rate=400
                load:
                  url: http://localhost:${port}/
                  connections: 20
                protocol: [{load: 2s}, {pause: 1s}, {load: 1s}]
                runs: %d
                repeat: false
                """.formatted(JAVA, fixtures(), runs));
    }

    /** Writes the experiment with a second variant that is the same, and a gate of its own for the two, whose runs decide it. */
    public static Path gated(Path file) throws IOException {
        experiment(file, 2);
        return Files.writeString(file, """
                variants:
                  before:
                  after:
                gate:
                  tolerance: {peak: 50}
                  against:
                    after: before
                """, StandardOpenOption.APPEND);
    }

    private static Path fixtures() {
        try {
            return Path.of(CurveServer.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Skips a test whose runs are invalid because other programs took the CPUs. */
    public static void assumeQuiet(String said) {
        assumeTrue(
                List.of("other programs took", "stall of the load generator").stream()
                        .noneMatch(said.replaceAll("\\s+", " ")::contains),
                "the machine is too crowded: " + said);
    }
}
