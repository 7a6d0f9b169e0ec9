package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.AotSight;
import dev.kiln.model.AotSight.Reason;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AotCheckTest {
    /** As JDK 25.0.3 prints it. Without a profile, the pointer to it is nil. */
    @Test
    void methodsWithAProfileAreNamed() {
        assertThat(AotCheck.profiled("""
                        Archived TrainingData Dictionary
                           0: 0x00007f4a2c8a1f28 K java/lang/String dep:java/lang/String.hashCode()I#12L3
                           1: 0x00007f4a2c8a1f90 M java/lang/String.hashCode()I LM24 mc=0x00007f4a2c0 mdo=0x00007f4a2c1
                          C java/lang/String.hashCode()I#12L3 dep:java/lang/String
                           2: 0x00007f4a2c8a2000 M java/lang/String.length()I LM2 mc=0x00007f4a2c2 mdo=(nil)
                           3: 0x00007f4a2c8a2010 M a/Inner$Class[L].<init>(La/B;I)V LM8 mc=0x1 mdo=0x2
                           4: 0x00007f4a2c8a2020 M a/Face[D]I.run()V LM8 mc=0x1 mdo=0x2
                           5: 0x00007f4a2c8a2030 M a/UI.run()V LM8 mc=0x1 mdo=0x2
                           6: 0x00007f4a2c8a2040 M [SYM] LM8 mc=0x1 mdo=0x2
                        """))
                .containsExactlyInAnyOrder(
                        "java.lang.String.hashCode", "a.Inner$Class.<init>", "a.Face.run", "a.UI.run", "a.U.run");
        assertThat(AotCheck.profiled("")).isEmpty();
    }

    /** As JDK 25 writes it at the first instruction that its CPU lacks. */
    @Test
    void aJvmThatCrashesOverItsCacheIsSaidToCrash() {
        Reason crash = onlyReason(134, """
                #
                # A fatal error has been detected by the Java Runtime Environment:
                #
                #  SIGILL (0x4) at pc=0x00007f1c2c0a1b40, pid=4711, tid=4712
                #
                # JRE version: OpenJDK Runtime Environment (25.0.3+9) (build 25.0.3+9-LTS)
                """);
        assertThat(crash.id()).isEqualTo("crash");
        assertThat(crash.text())
                .isEqualTo("the JVM crashes while it starts with it: SIGILL (0x4) at pc=0x00007f1c2c0a1b40");
        assertThat(onlyReason(134, """
                                #
                                # A fatal error has been detected by the Java Runtime Environment:
                                #
                                #  Internal Error (aotCodeCache.cpp:812), pid=4711, tid=4712
                                #  guarantee(_kind == kind) failed: wrong entry
                                #
                                """).text())
                .endsWith("Internal Error (aotCodeCache.cpp:812): guarantee(_kind == kind) failed: wrong entry");
        assertThat(onlyReason(139, "").text()).endsWith("starts with it: signal 11");
        Reason killed = onlyReason(137, "");
        assertThat(killed.id()).isEqualTo("no-start");
        assertThat(killed.text()).endsWith("exited with code 137 (as after signal 9, SIGKILL) while it started");
        Reason refused = onlyReason(1, "Error: Could not find or load main class nowhere\n");
        assertThat(refused.id()).isEqualTo("no-start");
        assertThat(refused.text()).endsWith("Could not find or load main class nowhere");
        assertThat(onlyReason(1, "").text()).endsWith("it says nothing, and its exit code is 1");
    }

    private static Reason onlyReason(int exit, String printed) {
        AotSight sight = AotCheck.read(
                new Jdk(Path.of("/jdk"), "25.0.5", 25, "Eclipse Adoptium"),
                Path.of("/srv"),
                new AotQuestion(
                        "[info][aot] trying to map app.aot\n[info][aot] Opened AOT cache app.aot\n", printed, exit));
        assertThat(sight.accepted()).isFalse();
        assertThat(sight.used()).isEmpty();
        assertThat(sight.cache()).contains(Path.of("/srv/app.aot"));
        assertThat(sight.reasons()).hasSize(1);
        return sight.reasons().getFirst();
    }

    @Test
    void ofAJdkWhoseWordsAreNotKnownNothingIsSaid() {
        Jdk older = new Jdk(Path.of("/jdk"), "24.0.2", 24, "Eclipse Adoptium");
        assertThatThrownBy(() ->
                        AotCheck.of(older, List.of("java", "-XX:AOTCache=app.aot", "Main"), Path.of("/srv"), Map.of()))
                .hasMessage("JDK 24.0.2 has AOT caches, but Kiln does not know what it says of them");
    }
}
