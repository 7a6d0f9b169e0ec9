package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a real shell and a real tar. */
class AgentScriptsTest {
    @TempDir
    private Path home;

    private record Ended(int exit, String said) {}

    private Ended run(String script, boolean withShipment, Shipment shipment) throws Exception {
        return run(script, out -> {
            if (withShipment) {
                shipment.writeTo(out);
            }
        });
    }

    private Ended run(String script, FarShell.Input input) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("HOME", home.toString());
        builder.environment().put("PATH", "/usr/bin:/bin");
        Process process = builder.start();
        try (OutputStream out = process.getOutputStream()) {
            input.writeTo(out);
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }

    @Test
    void aShipmentIsKeptOnceAndFoundAgain() throws Exception {
        Shipment shipment = Shipment.ofThisKiln();
        assertThat(run(Shipment.Scripts.isThere(shipment), false, shipment).exit())
                .isEqualTo(1);
        assertThat(run(Shipment.Scripts.receive(shipment), true, shipment)).isEqualTo(new Ended(0, ""));
        assertThat(run(Shipment.Scripts.receive(shipment), true, shipment).exit())
                .isZero();
        assertThat(run(Shipment.Scripts.isThere(shipment), false, shipment).exit())
                .isZero();
        try (Stream<Path> kept = Files.list(home.resolve(".cache/kiln"))) {
            assertThat(kept).singleElement().satisfies(folder -> {
                assertThat(folder.getFileName()).hasToString(shipment.folder());
                assertThat(folder.resolve("0")).exists();
            });
        }
    }

    @Test
    void aShipmentThatWasCutIsNotKept() throws Exception {
        Shipment shipment = Shipment.ofThisKiln();
        assertThat(run(Shipment.Scripts.receive(shipment), false, shipment).exit())
                .isNotZero();
        assertThat(run(Shipment.Scripts.isThere(shipment), false, shipment).exit())
                .isEqualTo(1);
        try (Stream<Path> kept = Files.list(home.resolve(".cache/kiln"))) {
            assertThat(kept).isEmpty();
        }
    }

    @Test
    void aShipmentThatWasDamagedThereIsReplaced() throws Exception {
        Shipment shipment = Shipment.ofThisKiln();
        Path folder = home.resolve(".cache/kiln/" + shipment.folder());
        Files.createDirectories(folder);
        assertThat(run(Shipment.Scripts.isThere(shipment), false, shipment).exit())
                .isEqualTo(1);
        assertThat(run(Shipment.Scripts.receive(shipment), true, shipment)).isEqualTo(new Ended(0, ""));
        assertThat(run(Shipment.Scripts.isThere(shipment), false, shipment).exit())
                .isZero();
        assertThat(folder.resolve("0")).exists();
    }

    @Test
    void whatWasLeftThereLongAgoIsSweptAway() throws Exception {
        Path cache = Files.createDirectories(home.resolve(".cache/kiln"));
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(40)));
        for (String name : List.of("agent-old", "workload-old", "part-old", "mine")) {
            Files.setLastModifiedTime(Files.createDirectory(cache.resolve(name)), longAgo);
        }
        Files.createDirectory(cache.resolve("part-new"));
        Shipment shipment = Shipment.ofThisKiln();
        assertThat(run(Shipment.Scripts.receive(shipment), true, shipment)).isEqualTo(new Ended(0, ""));
        assertThat(cache.toFile().list()).containsExactlyInAnyOrder(shipment.folder(), "part-new", "mine");
    }

    @Test
    void theSameFilesAreTheSameShipment() {
        assertThat(Shipment.ofThisKiln().folder())
                .isEqualTo(Shipment.ofThisKiln().folder())
                .matches("agent-[0-9a-f]{16}");
    }

    private Shipment workload(String... command) {
        return Shipment.ofWorkload(new Target(
                new Target.Program(
                        Optional.of("fruits"),
                        false,
                        List.of(command),
                        List.of(),
                        Map.of(),
                        Optional.of(home.resolve("fruits")),
                        List.of()),
                Target.Jvm.USUAL,
                new ReadySign.FirstResponse(Duration.ofSeconds(1))));
    }

    private void file(String name, String text) throws IOException {
        Path file = home.resolve("fruits").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void ofAWorkloadTheFoldersThatItsCommandNamesAreSent() throws Exception {
        file("pom.xml", "");
        file("target/app/app.jar", "jar");
        file("target/app/lib/a.jar", "library");
        file("target/server/modules/m.jar", "");
        file("target/server/configuration/standalone.xml", "");

        Shipment app = workload("java", "-jar", "target/app/app.jar", "--out=${run.dir}");
        assertThat(app.parts()).containsOnlyKeys("target/app");
        assertThat(workload("java", "-cp", "target/app/lib/*:target/server", "-Dconf=/etc", "../Main", ".", "")
                        .parts())
                .containsOnlyKeys("target/app/lib", "target/server");
        assertThat(workload(
                                "java",
                                "-mp",
                                "target/server/modules",
                                "-Dhome=target/server",
                                "--config=target/server/configuration/standalone.xml")
                        .parts())
                .containsOnlyKeys("target/server");
        assertThat(workload("java", "-jar", "pom.xml").parts()).containsOnlyKeys("pom.xml");

        assertThat(run(Shipment.Scripts.receive(app), true, app)).isEqualTo(new Ended(0, ""));
        Path there = home.resolve(".cache/kiln").resolve(app.folder());
        assertThat(there.resolve("target/app/app.jar")).hasContent("jar");
        assertThat(there.resolve("target/app/lib/a.jar")).hasContent("library");
        assertThat(there.resolve("target/server")).doesNotExist();

        file("target/app/lib/a.jar", "another library");
        assertThat(workload("java", "-jar", "target/app/app.jar").folder())
                .matches("workload-[0-9a-f]{16}")
                .isNotEqualTo(app.folder());
    }

    @Test
    void aWorkloadWhoseFilesNobodyFindsIsTold() {
        assertThatExceptionOfType(KilnException.class)
                .isThrownBy(() -> workload("java", "-jar", "target/app/app.jar"))
                .withMessageContaining("the command of fruits names no file in " + home.resolve("fruits"))
                .satisfies(told -> assertThat(told.exit()).isEqualTo(Exit.USAGE));
    }

    @Test
    void aWorkloadThatIsGoneThereIsToldByTheShell() throws Exception {
        file("target/app/app.jar", "jar");
        Shipment agent = Shipment.ofThisKiln();
        assertThat(run(Shipment.Scripts.receive(agent), true, agent).exit()).isZero();
        Shipment app = workload("java", "-jar", "target/app/app.jar");
        Ended ended = run(Shipment.Scripts.start(agent, Optional.of(app), "Main"), false, agent);
        assertThat(ended.exit()).isEqualTo(1);
        assertThat(ended.said()).contains("cd").contains(app.folder());
    }

    /** Such as in a pod that took the place of the one it was sent to. */
    @Test
    void aRecorderThatIsGoneThereIsToldByTheShell() throws Exception {
        Shipment agent = Shipment.ofThisKiln();
        assertThat(run(Shipment.Scripts.start(agent, Optional.empty(), "Main"), false, agent))
                .isEqualTo(
                        new Ended(1, "Kiln's recorder is not there any more: the place was started anew meanwhile\n"));
    }

    /** On a machine without a JDK. */
    private static String nowhere(String script) {
        return script.replace("/usr/", "/none/").replace("/opt/", "/none/").replace("command -v java", "false");
    }

    private static void word(OutputStream out) throws IOException {
        out.write(Shipment.Scripts.INPUT.getBytes(StandardCharsets.UTF_8));
    }

    private void java(String folder, String version) throws IOException {
        java(Files.createDirectories(home.resolve(".sdkman/candidates/java").resolve(folder)), version, "");
    }

    private static void java(Path jdk, String version, String program) throws IOException {
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        Path java = Files.createFile(
                Files.createDirectory(jdk.resolve("bin")).resolve("java"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(java, program);
    }

    @Test
    void whatIsTooOldIsNamed() throws Exception {
        java("a", "1.8.0_412");
        java("b", "17.0.12");
        java("c", "17.0.13");
        java("d", "21");
        Ended ended = run(nowhere(Shipment.Scripts.fits()), AgentScriptsTest::word);
        assertThat(ended.exit()).isEqualTo(Shipment.Scripts.NO_JDK);
        assertThat(Shipment.Scripts.javas("a warning of the shell\n" + ended.said()))
                .isEqualTo("8, 17, 21");
        java("e", "25.0.1");
        assertThat(run(nowhere(Shipment.Scripts.fits()), AgentScriptsTest::word).exit())
                .isZero();
    }

    /** Where it found none, Kiln sends one. */
    @Test
    void aRuntimeThatWasSentIsFound() throws Exception {
        assertThat(run(nowhere(Shipment.Scripts.fits()), AgentScriptsTest::word).exit())
                .isEqualTo(Shipment.Scripts.NO_JDK);
        java(Files.createDirectories(home.resolve(".cache/kiln/runtime-1/java")), "25.0.3", "");
        assertThat(run(nowhere(Shipment.Scripts.fits()), AgentScriptsTest::word).exit())
                .isZero();
    }

    @Test
    void aRuntimeIsSentOnlyWhereItRuns() throws Exception {
        String arch = System.getProperty("os.arch");
        assertThat(run(Shipment.Scripts.takesRuntime(arch), OutputStream::flush).exit())
                .isZero();
        assertThat(run(Shipment.Scripts.takesRuntime("riscv64"), OutputStream::flush)
                        .exit())
                .isNotZero();
        String musl = Shipment.Scripts.takesRuntime(arch).replace("/lib", "/none");
        assertThat(run(musl, OutputStream::flush).exit()).isNotZero();
    }

    /** The far Kiln is a script here, which says with what it was called. */
    private String farKiln(String then) throws Exception {
        java(
                Files.createDirectories(home.resolve(".cache/kiln/runtime-1/java")),
                "25.0.3",
                "#!/bin/sh\nwhile [ \"$1\" != Main ]; do shift; done\necho \"$*\"\n" + then + "\n");
        Shipment kiln = Shipment.ofThisKiln();
        assertThat(run(Shipment.Scripts.receive(kiln), true, kiln).exit()).isZero();
        return nowhere(Shipment.Scripts.command(kiln, "Main", List.of("doctor", "it's 1")));
    }

    @Test
    void aCommandThereEndsWhenItsInputDoes() throws Exception {
        assertThat(run(farKiln("exec sleep 60"), out -> {}).exit()).isEqualTo(143);
    }

    @Test
    void aCommandThereEndsWithItsOwnCode() throws Exception {
        Path done = home.resolve("done");
        Ended ended = run(farKiln("touch " + done + "; exit 7"), out -> {
            try {
                for (int i = 0; i < 500 && !Files.exists(done); i++) {
                    Thread.sleep(20);
                }
                Thread.sleep(500);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(ended).isEqualTo(new Ended(7, "Main doctor it's 1\nkiln-far-exit 7\n"));
    }

    @Test
    void inputThatDoesNotArriveIsTold() throws Exception {
        assertThat(run(Shipment.Scripts.fits(), OutputStream::flush).exit()).isEqualTo(Shipment.Scripts.NO_INPUT);
    }

    @Test
    void withoutAJdkItSaysSo() throws Exception {
        Shipment shipment = Shipment.ofThisKiln();
        assertThat(run(nowhere(Shipment.Scripts.fits()), AgentScriptsTest::word))
                .isEqualTo(new Ended(Shipment.Scripts.NO_JDK, "java:\n"));
        String nowhere = nowhere(Shipment.Scripts.start(shipment, Optional.empty(), "Main"));
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", nowhere).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("HOME", home.toString());
        Path folder = Files.createDirectories(home.resolve(".cache/kiln/" + shipment.folder()));
        Files.writeString(folder.resolve("complete"), "");
        Process process = builder.start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("no JDK 25 or later");
        assertThat(process.waitFor()).isEqualTo(Shipment.Scripts.NO_JDK);
    }
}
