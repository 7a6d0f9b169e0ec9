package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.AotSight.Fault;
import dev.kiln.model.AotSight.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What AotCommandIT cannot provoke, as JDK 25 says it; and the faults of JDKs. */
class AotReasonsTest {
    private static final String ERROR =
            "[error][aot       ] An error has occurred while processing the AOT cache. Run with -Xlog:aot for details.\n";

    @Test
    void anAgentOfJavaIsNoMereModule() {
        assertThat(AotReasons.in(ERROR
                        + "[error][aot       ] Mismatched values for property jdk.module.addmods: java.instrument specified"
                        + " during runtime but not during dump time\n"))
                .extracting(Reason::id)
                .containsExactly("agent");
    }

    @Test
    void jdk27SaysItInOtherWords() {
        List<Reason> pointers =
                AotReasons.in("[                    ] The saved state of UseCompressedOops (1) is different"
                        + " from runtime (0), CDS will be disabled.\n" + ERROR);
        assertThat(pointers).extracting(Reason::id).containsExactly("pointers");
        List<Reason> collector =
                AotReasons.in("[debug][aot,codecache,init] AOT Code Cache disabled: it was created with"
                        + " GC = \"serial gc\" vs current \"parallel gc\"\n");
        assertThat(collector).extracting(Reason::id).containsExactly("collector");
        assertThat(collector.getFirst().text())
                .isEqualTo("its machine code is for the collector serial, and this JVM has parallel");
    }

    @Test
    void aCpuThatLacksSomethingCostsTheMachineCodeAlone() {
        List<Reason> reasons =
                AotReasons.in("[debug][aot,codecache,init] AOT Code Cache disabled: required cpu features"
                        + " are missing: avx512f, avx512bw\n");
        assertThat(reasons).extracting(Reason::id).containsExactly("cpu-features");
        assertThat(reasons.getFirst().text())
                .isEqualTo("its machine code needs features that this CPU lacks: avx512f, avx512bw");
        assertThat(AotReasons.PARTIAL).contains("cpu-features");
    }

    @Test
    void anotherBuildIsNoChangedJar() {
        assertThat(AotReasons.in("[info][class,path] Checking [0] (modules image)\n"
                        + "[warning][aot       ] This file is not the one used while building the shared archive file:"
                        + " '/opt/jdk/lib/modules', size has changed\n"
                        + "[info   ][class,path] Modules image /opt/jdk/lib/modules validation: failed\n"))
                .extracting(Reason::id)
                .containsExactly("jdk-build");
    }

    @Test
    void aJarIsToldByItsName() {
        List<Reason> reasons = AotReasons.in(
                "[warning][aot       ] This file is not the one used while building the AOT cache: '/srv/app.jar',"
                        + " timestamp has changed\n"
                        + "[info   ][class,path] Archived app classpath validation: failed\n");
        assertThat(reasons).extracting(Reason::id).containsExactly("changed-jar");
        assertThat(reasons.getFirst().text())
                .isEqualTo("/srv/app.jar is not the jar of the training: timestamp has changed");
    }

    /** A recorder and an option are two things to mend. */
    @Test
    void allThatDiffersIsTold() {
        assertThat(AotReasons.in("""
                [error][aot] Mismatched values for property jdk.module.addmods: jdk.jfr specified during runtime but not during dump time
                [error][aot] Mismatched values for property jdk.module.addopens: java.base/java.lang=ALL-UNNAMED specified during runtime but not during dump time
                """)).extracting(Reason::id).containsExactly("flight-recorder", "modules");
    }

    @Test
    void aHookOfJvmtiIsAnAgent() {
        assertThat(AotReasons.in("[error][aot] AOT cache has aot-linked classes. It cannot be used when JVMTI"
                        + " ClassFileLoadHook is in use.\n"))
                .extracting(Reason::id)
                .containsExactly("agent");
    }

    @Test
    void aDamagedHeaderIsNoOtherFormat() {
        assertThat(
                        AotReasons.in(
                                "[warning][aot] Header checksum verification failed.\n[warning][aot] Unable to read the file header.\n"))
                .extracting(Reason::id)
                .containsExactly("damaged");
    }

    @Test
    void aFileThatMayNotBeRead() {
        assertThat(AotReasons.in("[warning][aot] Failed to open AOT cache (Permission denied)\n" + ERROR))
                .extracting(Reason::id)
                .containsExactly("no-right");
    }

    @Test
    void nothingIsReadIntoALogWithoutAReason() {
        assertThat(AotReasons.in("[info][aot] Opened AOT cache app.aot.\n[info][class,path] ok\n"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "25.0.3, JDK-8377932 JDK-8386852 JDK-8386853 JDK-8388703",
        "25.0.4.1, JDK-8386852 JDK-8386853 JDK-8388703",
        "25.0.5, JDK-8386853",
        "25.0.10, JDK-8386853",
        "26, JDK-8377932 JDK-8386852 JDK-8386853 JDK-8388703",
        "26.0.1, JDK-8386852 JDK-8386853 JDK-8388703",
        "27-ea, JDK-8386853",
        "24.0.2, ''",
        "unknown, ''"
    })
    void faultsByVersion(String version, String ids) {
        assertThat(String.join(
                        " ", AotFaults.of(version).stream().map(Fault::id).toList()))
                .isEqualTo(ids);
    }
}
