package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Target.JdkChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class JdkFinderTest {
    @TempDir
    Path root;

    private Path jdk(String path, String version, String vendor) throws Exception {
        Path home = Files.createDirectories(root.resolve(path)).toRealPath();
        Files.createDirectories(home.resolve("lib"));
        Files.createDirectories(home.resolve("bin"));
        assertThat(Files.createFile(home.resolve("bin/java")).toFile().setExecutable(true))
                .isTrue();
        Files.writeString(
                home.resolve("release"), "IMPLEMENTOR=\"" + vendor + "\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    @Test
    void looksWhereToolsAndDistributionsPutThem() throws Exception {
        Path kiln = jdk("a", "25.0.3", "Vendor A");
        Path env = jdk("b", "21.0.8", "Vendor B");
        Path debian = jdk("usr/lib/jvm/java-17-openjdk-amd64", "17.0.15", "Debian");
        Files.createSymbolicLink(root.resolve("usr/lib/jvm/default-java"), debian);
        Path sdkman = jdk("home/.sdkman/candidates/java/26-ea", "26-ea", "Early");
        Path mise = jdk("home/.local/share/mise/installs/java/8", "1.8.0_412", "Old");
        Path jbang = jdk("home/.jbang/cache/jdks/24", "24", "J");
        Files.createDirectories(root.resolve("path"));
        Files.createSymbolicLink(root.resolve("path/java"), env.resolve("bin/java"));
        Map<String, String> environment = Map.of(
                "KILN_JAVA_HOME", kiln.toString(),
                "JAVA_HOME", root.resolve("nowhere").toString(),
                "PATH", root.resolve("empty") + ":" + root.resolve("path"));

        JdkFinder finder =
                new JdkFinder(environment, root, root.resolve("home"), root.resolve("cache"), Optional.empty());
        assertThat(finder.find())
                .containsExactly(
                        new Jdk(kiln, "25.0.3", 25, "Vendor A"),
                        new Jdk(env, "21.0.8", 21, "Vendor B"),
                        new Jdk(debian, "17.0.15", 17, "Debian"),
                        new Jdk(sdkman, "26-ea", 26, "Early"),
                        new Jdk(mise, "1.8.0_412", 8, "Old"),
                        new Jdk(jbang, "24", 24, "J"));
        assertThat(finder.find(new JdkChoice.Version("17", false)))
                .hasValueSatisfying(jdk -> assertThat(jdk.vendor()).isEqualTo("Debian"));
        assertThat(finder.find(new JdkChoice.Version("11", false))).isEmpty();
    }

    /** A process may name any folder as its JDK. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeInAJdkIsNotWaitedFor() throws Exception {
        Path home = jdk("a", "25.0.3", "Vendor A");
        Files.delete(home.resolve("release"));
        assertThat(new ProcessBuilder("mkfifo", home.resolve("release").toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(JdkFinder.of(home.resolve("bin/java")).orElseThrow().version())
                .isEqualTo("unknown");
    }

    /** What a release brings has no more modules than Kiln needs. */
    @Test
    void theRuntimeThatKilnBringsIsNobodyElses() throws Exception {
        Path own = jdk("own", "25.0.3", "O");
        JdkFinder clone = new JdkFinder(Map.of(), root, root.resolve("home"), root.resolve("cache"), Optional.of(own));
        assertThat(clone.usual()).contains(own);
        assertThat(clone.find()).extracting(Jdk::home).containsExactly(own);
        JdkFinder release =
                new JdkFinder(Map.of(), root, root.resolve("home"), root.resolve("cache"), Optional.empty());
        assertThat(release.usual()).isEmpty();
        Path mine = jdk("cache/jdks/0123456789abcdef", "21.0.1", "B");
        assertThat(release.usual()).contains(mine);
        Path debian = jdk("usr/lib/jvm/java-17-openjdk-amd64", "17.0.15", "Debian");
        assertThat(release.usual()).contains(debian);
        assertThat(clone.find()).extracting(Jdk::home).containsExactly(debian, mine, own);
    }

    @Test
    void aVersionOrLater() throws Exception {
        jdk("usr/lib/jvm/a", "1.8.0_412", "A");
        jdk("usr/lib/jvm/b", "21.0.10", "B");
        Path later = jdk("usr/lib/jvm/c", "26-ea", "C");
        Path exact = jdk("usr/lib/jvm/d", "25.0.3", "D");
        JdkFinder finder = new JdkFinder(Map.of(), root, root.resolve("home"), root.resolve("cache"), Optional.empty());
        assertThat(finder.find(new JdkChoice.Version("25+", false)).map(Jdk::home))
                .contains(later);
        assertThat(finder.find(new JdkChoice.Version("25", false)).map(Jdk::home))
                .contains(exact);
        assertThat(finder.find(new JdkChoice.Version("27+", false))).isEmpty();
        assertThat(new JdkChoice.Version("8+", false).matches("unknown")).isFalse();
    }

    @Test
    void theBeginningOfAVersionFindsTheFirst() throws Exception {
        Path newest = jdk("usr/lib/jvm/a", "21.0.10", "A");
        Path exact = jdk("usr/lib/jvm/b", "21.0.1", "B");
        Path old = jdk("usr/lib/jvm/c", "1.8.0_412", "C");
        JdkFinder finder = new JdkFinder(Map.of(), root, root.resolve("home"), root.resolve("cache"), Optional.empty());

        assertThat(finder.find(new JdkChoice.Version("21", false)).map(Jdk::home))
                .contains(newest);
        assertThat(finder.find(new JdkChoice.Version("21.0.1", false)).map(Jdk::home))
                .contains(exact);
        assertThat(finder.find(new JdkChoice.Version("8", false)).map(Jdk::home))
                .contains(old);
        assertThat(finder.find(new JdkChoice.Version("2", false))).isEmpty();
    }

    @Test
    void whatIsInKilnsCacheIsFoundLast() throws Exception {
        Path installed = jdk("usr/lib/jvm/a", "17.0.1", "A");
        Path mine = jdk("cache/jdks/0123456789abcdef", "21.0.1", "B");
        JdkFinder finder = new JdkFinder(Map.of(), root, root.resolve("home"), root.resolve("cache"), Optional.empty());

        assertThat(finder.find()).extracting(Jdk::home).containsExactly(installed, mine);
    }

    @Test
    void aJdkWithoutReleaseFileIsUnknown() {
        assertThat(JdkFinder.describe(root, "")).isEqualTo(new Jdk(root, "unknown", 0, "unknown"));
    }

    @Test
    void theOneThatRunsThisTestIsFound() {
        assertThat(JdkFinder.current().feature()).isEqualTo(Runtime.version().feature());
        assertThat(JdkFinder.current().java()).isExecutable();
    }

    @Test
    void noJdkIsAUsageError() {
        assertThatThrownBy(() -> JdkFinder.at(root)).isInstanceOf(KilnException.class);
    }
}
