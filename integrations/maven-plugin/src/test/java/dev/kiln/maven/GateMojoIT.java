package dev.kiln.maven;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.build.RealKiln;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A project of a user, built by Maven itself with the plugin as it was packaged, and by Kiln itself. */
@Isolated("measures")
final class GateMojoIT {
    private static final String VERSION = System.getProperty("kiln.it.version", "");

    @TempDir
    private static Path shared;

    @TempDir
    private Path project;

    private record Built(int exitCode, String said) {}

    /** The plugin is where "install" would put it, in a repository of the test's own. */
    @BeforeAll
    static void install() throws IOException {
        put(Path.of("../../pom.xml"), "kiln-parent", ".pom");
        for (String module : List.of("build-step", "maven-plugin")) {
            Path folder = Path.of("..", module);
            put(folder.resolve("pom.xml"), "kiln-" + module, ".pom");
            put(folder.resolve("target/kiln-" + module + "-" + VERSION + ".jar"), "kiln-" + module, ".jar");
        }
    }

    private static void put(Path file, String artifact, String ending) throws IOException {
        Path folder = Files.createDirectories(
                shared.resolve("repository/dev/kiln").resolve(artifact).resolve(VERSION));
        Files.copy(file, folder.resolve(artifact + "-" + VERSION + ending), StandardCopyOption.REPLACE_EXISTING);
    }

    @BeforeEach
    void scene() throws IOException {
        RealKiln.launcher(project);
        RealKiln.script(project.resolve("undecided"), "echo INCONCLUSIVE; exit 4");
        RealKiln.experiment(project.resolve("shop.yaml"), 1);
        RealKiln.gated(project.resolve("gated.yaml"));
        Files.writeString(project.resolve("tolerances.yaml"), "peak: 5\n");
    }

    /** Builds a project whose plugin has this configuration. */
    private Built verify(String configuration, String... words) throws Exception {
        Files.writeString(project.resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>shop</groupId>
                  <artifactId>shop</artifactId>
                  <version>1</version>
                  <packaging>pom</packaging>
                  <build>
                    <plugins>
                      <plugin>
                        <groupId>dev.kiln</groupId>
                        <artifactId>kiln-maven-plugin</artifactId>
                        <version>%s</version>
                        <executions>
                          <execution>
                            <goals><goal>gate</goal></goals>
                            <configuration>%s</configuration>
                          </execution>
                        </executions>
                      </plugin>
                    </plugins>
                  </build>
                </project>
                """.formatted(VERSION, configuration));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("kiln.it.maven", ""), "bin", "mvn").toString(),
                "-B",
                "-o",
                "-Dmaven.repo.local=" + shared.resolve("repository"),
                "-Dmaven.repo.local.tail=" + System.getProperty("kiln.it.repository", ""),
                "verify"));
        command.addAll(List.of(words));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(project.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process maven = builder.start();
        maven.getOutputStream().close();
        String said = new String(maven.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Built(maven.waitFor(), said);
    }

    @EnabledIfSystemProperty(
            named = "kiln.fullRun",
            matches = "true",
            disabledReason = "it is of the full run: ./mvnw verify -P full")
    @Test
    void aGateThatPassesLetsTheBuildPass() throws Exception {
        Built built = verify("""
                <experiment>gated.yaml</experiment>
                <launcher>${project.basedir}/kiln</launcher>
                <arguments><argument>--no-repeat</argument></arguments>
                """);

        RealKiln.assumeQuiet(built.said());
        assertThat(built.exitCode()).as(built.said()).isZero();
        assertThat(built.said()).contains("[INFO] Report: ", "BUILD SUCCESS");
        try (Stream<Path> results = Files.list(project.resolve("target/kiln"))) {
            assertThat(results.map(folder -> folder.resolve("report.html")))
                    .singleElement()
                    .satisfies(report -> assertThat(report).isNotEmptyFile());
        }
    }

    @Test
    void whatKilnRefusesFailsTheBuildInItsOwnWords() throws Exception {
        Built built = verify("""
                <experiment>none.yaml</experiment>
                <launcher>${project.basedir}/kiln</launcher>
                """);

        assertThat(built.exitCode()).as(built.said()).isEqualTo(1);
        assertThat(built.said()).contains("ended with exit code 2", "none.yaml", "BUILD FAILURE");
    }

    @Test
    void withoutAnyGateTheBuildDoesNotPass() throws Exception {
        Built built = verify("""
                <experiment>shop.yaml</experiment>
                <launcher>${project.basedir}/kiln</launcher>
                """);

        assertThat(built.exitCode()).as(built.said()).isEqualTo(1);
        assertThat(built.said()).contains("shop.yaml has no gate:, and there is no tolerance", "BUILD FAILURE");
        assertThat(project.resolve("target/kiln")).doesNotExist();
    }

    @Test
    void tooFewRunsAreAWarningAndTheGateCanBeLeftOut() throws Exception {
        String undecided = """
                <experiment>shop.yaml</experiment>
                <tolerance>tolerances.yaml</tolerance>
                <launcher>${project.basedir}/undecided</launcher>
                """;
        Built built = verify(undecided);
        assertThat(built.exitCode()).as(built.said()).isZero();
        assertThat(built.said()).contains("[WARNING] The gate is undecided: there is not enough data.", "INCONCLUSIVE");

        Built strict = verify(undecided, "-Dkiln.failUndecided");
        assertThat(strict.exitCode()).as(strict.said()).isEqualTo(1);
        assertThat(strict.said()).contains("The gate is undecided: there is not enough data.", "BUILD FAILURE");

        Built skipped = verify(undecided, "-Dkiln.skip");
        assertThat(skipped.exitCode()).as(skipped.said()).isZero();
        assertThat(skipped.said()).contains("the gate is left out").doesNotContain("INCONCLUSIVE");
    }
}
