package dev.kiln.jvm;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.jvm.Jdk.ElfFile;
import dev.kiln.jvm.JdkProbe.JdkSight;
import dev.kiln.jvm.JdkProbe.JdkSight.Ability;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JdkProbeTest {
    @TempDir
    Path root;

    private static Map<String, Optional<String>> abilities(JdkSight jdk) {
        return jdk.abilities().stream().collect(toMap(Ability::id, Ability::whyNot));
    }

    static java.util.stream.Stream<Jdk> jdks() {
        return new JdkFinder().find().stream().filter(jdk -> jdk.feature() >= 17);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void everyHotSpotOfToday(Jdk jdk) {
        JdkSight sight = JdkProbe.look(jdk);
        Map<String, Optional<String>> seen = abilities(sight);
        assertThat(sight.architecture()).isEqualTo(System.getProperty("os.arch").replace("amd64", "x86_64"));
        assertThat(seen.get("counters")).isEmpty();
        assertThat(seen.get("attach")).isEmpty();
        assertThat(seen.get("compile-queues")).isEmpty();
        assertThat(seen.get("aot-cache")).isEqualTo(aot(jdk.feature()));
    }

    private static Optional<String> aot(int feature) {
        return feature >= 25
                ? Optional.empty()
                : Optional.of(
                        feature == 24
                                ? "its caches hold only classes; Kiln trains caches from JDK 25 on"
                                : "it has no flag AOTCache (JDK 24 brought it)");
    }

    @Test
    void theJdkThatRunsThisTestHasQueueEvents() {
        Map<String, Optional<String>> seen = abilities(JdkProbe.look(JdkFinder.current()));
        assertThat(seen.get("flight-recorder")).isEmpty();
        assertThat(seen.get("queue-events")).isEmpty();
    }

    @Test
    void whatDoesNotRunSaysWhy() throws Exception {
        Path home = Files.createDirectories(root.resolve("jdk"));
        Files.createDirectories(home.resolve("lib"));
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho 'no C library for this'\nsleep 0.3\nexit 1\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();

        JdkSight sight = JdkProbe.look(JdkFinder.at(home));

        assertThat(sight.architecture()).isEqualTo("unknown");
        assertThat(abilities(sight).values()).containsOnly(Optional.of("it does not run here: no C library for this"));
    }

    @Test
    void aProgramForAnotherProcessorIsKnownByItsHead() {
        byte[] head = new byte[20];
        System.arraycopy(new byte[] {0x7f, 'E', 'L', 'F', 2, 1}, 0, head, 0, 6);
        head[18] = (byte) 183;
        assertThat(ElfFile.architecture(head)).isEqualTo("aarch64");
        head[5] = 2;
        head[18] = 0;
        head[19] = 22;
        assertThat(ElfFile.architecture(head)).isEqualTo("s390x");
        assertThat(ElfFile.architecture(new byte[3])).isEqualTo("unknown");
    }
}
