package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.Attributes.Name;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands show that services of others are started with, in the layouts that build tools make. */
class TargetLibrariesTest {
    private static final String LOADER = "org.springframework.boot.loader.launch.";
    private static final String NONE =
            "this is a switch of Spring Boot, and no Spring Boot is on the class path of the service";

    @TempDir
    Path folder = Path.of("");

    /** Makes a jar with empty entries. */
    static void jar(Path file, Map<Name, String> manifest, String... entries) throws IOException {
        Manifest all = new Manifest();
        Attributes main = all.getMainAttributes();
        main.put(Name.MANIFEST_VERSION, "1.0");
        manifest.forEach(main::put);
        Files.createDirectories(file.toAbsolutePath().getParent());
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, all)) {
            for (String entry : entries) {
                jar.putNextEntry(new ZipEntry(entry));
                jar.closeEntry();
            }
        }
    }

    private void jar(String name, String... entries) throws IOException {
        jar(folder.resolve(name), Map.of(), entries);
    }

    private Target target(Map<String, String> environment, String... command) {
        return new Target(
                new Target.Program(List.of(command), List.of(), environment, Optional.of(folder)),
                Target.Jvm.USUAL,
                new ReadySign.FirstResponse(Duration.ofSeconds(1)));
    }

    private Optional<TargetLibraries> libraries(String... command) {
        return TargetLibraries.of(target(Map.of(), command), Map.of());
    }

    /** Returns why Spring's switch for virtual threads can do nothing; empty where it can, and where that is not known. */
    private Optional<String> whyNot(String... command) {
        return Applicability.whyNot(
                Change.with(new Modifier.VirtualThreads()), target(Map.of(), command), libraries(command));
    }

    private boolean isKnown(Map<String, String> environment, Map<String, String> inherited, String... command) {
        return TargetLibraries.of(target(environment, command), inherited).isPresent();
    }

    @Test
    void theJarsOfQuarkusLieBesideItsOwn() throws IOException {
        jar(
                folder.resolve("quarkus-app/quarkus-run.jar"),
                Map.of(
                        Name.MAIN_CLASS, "io.quarkus.bootstrap.runner.QuarkusEntryPoint",
                        Name.CLASS_PATH, "lib/boot/io.quarkus.quarkus-bootstrap-runner-3.15.1.jar"));
        jar("quarkus-app/lib/boot/io.quarkus.quarkus-bootstrap-runner-3.15.1.jar");
        jar("quarkus-app/lib/main/io.quarkus.quarkus-core-3.15.1.jar");
        assertThat(whyNot("java", "-jar", "quarkus-app/quarkus-run.jar"))
                .hasValue(
                        "this is a switch of Spring Boot, and the service has Quarkus, whose code names the methods that"
                                + " run on virtual threads");
    }

    @Test
    void otherFrameworksAreNamed() throws IOException {
        jar("helidon.jar", "META-INF/maven/io.helidon.webserver/helidon-webserver/pom.properties");
        jar("lib/micronaut-core-4.6.1.jar");
        jar("app.jar");
        assertThat(whyNot("java", "-jar", "helidon.jar").orElse("")).contains("Helidon, which runs on virtual threads");
        assertThat(whyNot("java", "-cp", "app.jar:lib/*", "org.example.Main").orElse(""))
                .contains("Micronaut, whose configuration");
    }

    /** As java -Djarmode=tools extract leaves it, and as unzip does. */
    @Test
    void aSpringBootJarThatWasUnpackedIsStillOne() throws IOException {
        jar(folder.resolve("app/app.jar"), Map.of(Name.CLASS_PATH, "lib/spring-boot-3.4.0.jar"));
        jar("app/lib/spring-boot-3.4.0.jar");
        assertThat(whyNot("java", "-jar", "app/app.jar")).isEmpty();
        assertThat(libraries("java", "-jar", "app/app.jar").flatMap(of -> of.find("spring-boot")))
                .isPresent();

        jar("old/BOOT-INF/lib/spring-boot-2.7.18.jar");
        assertThat(whyNot("java", "-cp", "old", LOADER + "JarLauncher"))
                .hasValue("spring-boot-2.7.18 has no such switch: it came with Spring Boot 3.2");
        jar("BOOT-INF/lib/spring-boot-3.5.3.jar");
        assertThat(libraries("java", LOADER + "JarLauncher").flatMap(of -> of.find("spring-boot")))
                .as("without a class path it is the working directory")
                .isPresent();
    }

    @Test
    void aFolderOfClassesIsReadBesideTheJars() throws IOException {
        Files.createDirectories(folder.resolve("classes/org/example"));
        jar("libs/netty-4.1.jar");
        assertThat(whyNot("java", "-cp", "classes:libs/*", "org.example.Main")).hasValue(NONE);
        jar("libs/spring-boot-3.5.3.jar");
        assertThat(libraries("java", "-cp", "classes:libs/*", "org.example.Main")
                        .flatMap(of -> of.find("spring-boot")))
                .isPresent();
        assertThat(libraries("java", "-p", "libs", "-m", "org.example/org.example.Main")
                        .flatMap(of -> of.find("spring-boot")))
                .as("a folder of modules")
                .isPresent();
    }

    /** Its jar has the name with the version, and its class the name without. */
    @Test
    void theNameThatHasTheVersionIsTheOneThatCounts() {
        for (int i = 0; i < 20; i++) {
            // Sets of other sizes have other orders.
            Set<String> names = new HashSet<>(Set.of("spring-boot", "spring-boot-2.7.18"));
            IntStream.range(0, i).forEach(other -> names.add("lib" + other));
            assertThat(new TargetLibraries(names).find("spring-boot"))
                    .hasValue(new TargetLibraries.Library("spring-boot-2.7.18", List.of(2, 7, 18)));
        }
    }

    @Test
    void aWarThatStartsItselfIsReadAsAJar() throws IOException {
        jar("app.war", "WEB-INF/lib/spring-boot-3.5.3.jar");
        assertThat(libraries("java", "-jar", "app.war").flatMap(of -> of.find("spring-boot")))
                .isPresent();
        jar("svc", "org/example/Main.class");
        assertThat(whyNot("java", "-jar", "svc")).as("a name without an ending").hasValue(NONE);
    }

    @Test
    void whatStartsJarsFromElsewhereDoesNotTell() throws IOException {
        jar(folder.resolve("zip.jar"), Map.of(Name.MAIN_CLASS, LOADER + "PropertiesLauncher"));
        jar(
                folder.resolve("thin.jar"),
                Map.of(Name.MAIN_CLASS, "org.springframework.boot.loader.wrapper.ThinJarWrapper"));
        jar("bin/bootstrap.jar");
        jar("bin/tomcat-juli.jar");
        jar("plain.jar");
        for (String path : List.of("file:/opt/x.jar", "plain.jar lib/my%20lib.jar", "lib/classes/", "zip.jar")) {
            jar(folder.resolve("linked.jar"), Map.of(Name.CLASS_PATH, path));
            assertThat(libraries("java", "-jar", "linked.jar")).as(path).isEmpty();
        }
        for (List<String> command : List.of(
                List.of("java", "-jar", "zip.jar"),
                List.of("java", "-jar", "thin.jar"),
                List.of("java", "-cp", "plain.jar", LOADER + "PropertiesLauncher"),
                List.of("java", "-cp", "plain.jar", LOADER + "JarLauncher"),
                List.of(
                        "java",
                        "-cp",
                        "bin/bootstrap.jar:bin/tomcat-juli.jar",
                        "org.apache.catalina.startup.Bootstrap"),
                List.of("bin/catalina.sh", "run"),
                List.of("bin/service"),
                List.of("sh", "-c", "exec java -cp 'lib/*' Main"),
                List.of("java", "@args"),
                List.of("java", "-cp", "plain.jar", "@args"),
                List.of("java", "-cp", "no-such-folder/*", "Main"),
                List.of("java", "-jar", "no-such.jar"))) {
            assertThat(libraries(command.toArray(String[]::new)))
                    .as(String.join(" ", command))
                    .isEmpty();
        }
    }

    /** The launcher reads some of them, and a service of Spring Boot another; a shell may have exported them. */
    @Test
    void variablesMayNameMoreJars() throws IOException {
        jar("plain.jar");
        String[] command = {"java", "-cp", "plain.jar", "Main"};
        assertThat(isKnown(Map.of(), Map.of("PATH", "/usr/bin"), command)).isTrue();
        assertThat(isKnown(Map.of("JDK_JAVA_OPTIONS", "-Xmx1g"), Map.of(), command))
                .isTrue();
        for (Map<String, String> more : List.of(
                Map.of("JDK_JAVA_OPTIONS", "-Xmx1g -cp other.jar"),
                Map.of("JDK_JAVA_OPTIONS", "--class-path=other.jar"),
                Map.of("JDK_JAVA_OPTIONS", "@options"),
                Map.of("JAVA_TOOL_OPTIONS", "-Dloader.path=lib"),
                Map.of("LOADER_PATH", "lib"))) {
            assertThat(isKnown(more, Map.of(), command)).as(more.toString()).isFalse();
            assertThat(isKnown(Map.of(), more, command)).as("inherited " + more).isFalse();
        }
        jar("lib/spring-boot-3.5.3.jar");
        assertThat(TargetLibraries.of(target(Map.of(), "java", "Main"), Map.of("CLASSPATH", "plain.jar:lib/*"))
                        .flatMap(of -> of.find("spring-boot")))
                .isPresent();
    }
}
