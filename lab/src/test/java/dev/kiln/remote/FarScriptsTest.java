package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs there, and on which Java: with a real shell. */
class FarScriptsTest {
    @TempDir
    private Path home;

    private FarHome far() {
        return new FarHome(home);
    }

    /** Such as in a pod that took the place of the one it was sent to. */
    @Test
    void aRecorderThatIsGoneThereIsToldByTheShell() throws Exception {
        Shipment agent = Shipment.ofThisKiln();
        assertThat(far().run(FarScripts.start(agent, Optional.empty(), "Main")))
                .isEqualTo(new FarHome.Ended(
                        1, "Kiln's recorder is not there any more: the place was started anew meanwhile\n"));
    }

    /** In /tmp anybody can make it, and a program of his own in it. */
    @Test
    void aCacheOfAnotherUserIsNotUsed() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can give a folder away");
        Shipment agent = Shipment.ofThisKiln();
        Path planted = Files.createDirectories(far().cache().resolve(agent.folder()));
        Files.createFile(planted.resolve("complete"));
        Files.setAttribute(far().cache(), "unix:uid", 65534);
        FarHome.Ended refused = new FarHome.Ended(1, far().cache() + " belongs to another user\n");
        assertThat(far().run(FarScripts.start(agent, Optional.empty(), "Main"))).isEqualTo(refused);
        assertThat(far().run(FarScripts.receive(agent))).isEqualTo(refused);
    }

    /** Some containers give it to all their programs. What is sent is run, as root if Kiln comes as root. */
    @Test
    void anUmaskOfNothingOpensWhatIsSentToNobody() throws Exception {
        Shipment kiln = Shipment.ofThisKiln();
        assertThat(far().run("umask 000\nrm -r " + far().cache() + "\n" + FarScripts.receive(kiln), kiln::writeTo)
                        .exit())
                .isZero();
        for (Path made : List.of(far().cache(), far().cache().resolve(kiln.folder()))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .doesNotMatch("....w....|.......w.");
        }
        try (Stream<Path> all = Files.walk(far().cache())) {
            assertThat(all.filter(path -> Files.isRegularFile(path) && othersWrite(path)))
                    .isEmpty();
        }
    }

    private static boolean othersWrite(Path path) {
        try {
            return Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As in a container whose user is a number that no list has. */
    @Test
    void whoHasNoHomeKeepsItsStateBesideWhatWasSent() throws Exception {
        java(
                Files.createDirectories(far().cache().resolve("runtime-1/java")),
                "25.0.3",
                "#!/bin/sh\necho \"$XDG_STATE_HOME\"\n");
        Shipment kiln = Shipment.ofThisKiln();
        assertThat(far().run(FarScripts.receive(kiln), kiln::writeTo).exit()).isZero();
        String start = nowhere(FarScripts.start(kiln, Optional.empty(), "Main"));
        String cache = "XDG_CACHE_HOME=" + far().cache().getParent() + "\n";
        assertThat(far().run(cache + "HOME=/nowhere\n" + start).said()).isEqualTo(far().cache() + "\n");
        assertThat(far().run(cache + "unset HOME\n" + start).said()).isEqualTo(far().cache() + "\n");
        assertThat(far().run(start).said()).isEqualTo("\n");
    }

    /** On a machine without a JDK. */
    private static String nowhere(String script) {
        return script.replace("/usr/", "/none/").replace("/opt/", "/none/").replace("command -v java", "false");
    }

    private static void word(OutputStream out) throws IOException {
        out.write(FarScripts.INPUT.getBytes(StandardCharsets.UTF_8));
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
        FarHome.Ended ended = far().run(nowhere(FarScripts.fits()), FarScriptsTest::word);
        assertThat(ended.exit()).isEqualTo(FarScripts.NO_JDK);
        assertThat(FarScripts.javas("a warning of the shell\n" + ended.said())).isEqualTo("8, 17, 21");
        java("e", "25.0.1");
        assertThat(far().run(nowhere(FarScripts.fits()), FarScriptsTest::word).exit())
                .isZero();
    }

    /** Where it found none, Kiln sends one. */
    @Test
    void aRuntimeThatWasSentIsFound() throws Exception {
        assertThat(far().run(nowhere(FarScripts.fits()), FarScriptsTest::word).exit())
                .isEqualTo(FarScripts.NO_JDK);
        java(Files.createDirectories(far().cache().resolve("runtime-1/java")), "25.0.3", "");
        assertThat(far().run(nowhere(FarScripts.fits()), FarScriptsTest::word).exit())
                .isZero();
    }

    @Test
    void aRuntimeThatWasFoundStays() throws Exception {
        assertThatTheFirstOfTwoStaysAfter(FarScripts.fits());
    }

    @Test
    void aRuntimeOnWhichKilnRanStays() throws Exception {
        Shipment kiln = Shipment.ofThisKiln();
        assertThat(far().run(FarScripts.receive(kiln), kiln::writeTo).exit()).isZero();
        assertThatTheFirstOfTwoStaysAfter(FarScripts.start(kiln, Optional.empty(), "Main"));
    }

    /** What nobody used for a month goes, when something else is sent. */
    private void assertThatTheFirstOfTwoStaysAfter(String use) throws Exception {
        for (String name : List.of("runtime-1", "runtime-2")) {
            java(Files.createDirectories(far().cache().resolve(name).resolve("java")), "25.0.3", "#!/bin/sh\n");
            far().leave(name);
        }
        assertThat(far().run(nowhere(use), FarScriptsTest::word).exit()).isZero();
        Shipment kiln = Shipment.ofThisKiln();
        assertThat(far().run(FarScripts.receive(kiln), kiln::writeTo).exit()).isZero();
        assertThat(far().cache().resolve("runtime-1")).exists();
        assertThat(far().cache().resolve("runtime-2")).doesNotExist();
    }

    private Shipment runtime(String program) throws IOException {
        Path jdk = Files.createDirectory(home.resolve("made"));
        java(jdk, "25.0.3", program);
        return new Shipment("a Java runtime", new TreeMap<>(Map.of(Shipment.JAVA_HOME, jdk)), "runtime-1");
    }

    @Test
    void aRuntimeThatDoesNotRunThereIsNotKept() throws Exception {
        Shipment runtime = runtime("#!/bin/sh\necho 'libc is too old' >&2\nexit 1\n");
        assertThat(far().run(FarScripts.receiveRuntime(runtime), runtime::writeTo))
                .isEqualTo(new FarHome.Ended(FarScripts.NO_RUN, "libc is too old\n"));
        assertThat(far().cache()).isEmptyDirectory();
    }

    @Test
    void aRuntimeThatRunsThereIsKept() throws Exception {
        Shipment runtime = runtime("#!/bin/sh\n");
        assertThat(far().run(FarScripts.receiveRuntime(runtime), runtime::writeTo))
                .isEqualTo(new FarHome.Ended(0, ""));
        assertThat(far().run(nowhere(FarScripts.fits()), FarScriptsTest::word).exit())
                .isZero();
    }

    @Test
    void aRuntimeIsSentOnlyWhereItRuns() throws Exception {
        String arch = System.getProperty("os.arch");
        assertThat(far().run(FarScripts.takesRuntime(arch)).exit()).isZero();
        assertThat(far().run(FarScripts.takesRuntime("riscv64")).exit()).isNotZero();
        String musl = FarScripts.takesRuntime(arch).replace("/lib", "/none");
        assertThat(far().run(musl).exit()).isNotZero();
    }

    /** The far Kiln is a script here, which says with what it was called. */
    private String farKiln(String then) throws Exception {
        java(
                Files.createDirectories(far().cache().resolve("runtime-1/java")),
                "25.0.3",
                "#!/bin/sh\nwhile [ \"$1\" != Main ]; do shift; done\necho \"$*\"\n" + then + "\n");
        Shipment kiln = Shipment.ofThisKiln();
        assertThat(far().run(FarScripts.receive(kiln), kiln::writeTo).exit()).isZero();
        return nowhere(FarScripts.command(kiln, "Main", List.of("doctor", "it's 1")));
    }

    @Test
    void aCommandThereEndsWhenItsInputDoes() throws Exception {
        assertThat(far().run(farKiln("exec sleep 60"), out -> {}).exit()).isEqualTo(143);
    }

    @Test
    void aCommandThereEndsWithItsOwnCode() throws Exception {
        Path done = home.resolve("done");
        FarHome.Ended ended = far().run(farKiln("touch " + done + "; exit 7"), out -> {
            try {
                for (int i = 0; i < 500 && !Files.exists(done); i++) {
                    Thread.sleep(20);
                }
                Thread.sleep(500);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(ended).isEqualTo(new FarHome.Ended(7, "Main doctor it's 1\nkiln-far-exit 7\n"));
    }

    @Test
    void inputThatDoesNotArriveIsTold() throws Exception {
        assertThat(far().run(FarScripts.fits()).exit()).isEqualTo(FarScripts.NO_INPUT);
    }

    @Test
    void withoutAJdkItSaysSo() throws Exception {
        Shipment shipment = Shipment.ofThisKiln();
        assertThat(far().run(nowhere(FarScripts.fits()), FarScriptsTest::word))
                .isEqualTo(new FarHome.Ended(FarScripts.NO_JDK, "java:\n"));
        String nowhere = nowhere(FarScripts.start(shipment, Optional.empty(), "Main"));
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", nowhere).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("HOME", home.toString());
        Path folder = Files.createDirectories(far().cache().resolve(shipment.folder()));
        Files.writeString(folder.resolve("complete"), "");
        Process process = builder.start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("no JDK 25 or later");
        assertThat(process.waitFor()).isEqualTo(FarScripts.NO_JDK);
    }
}
