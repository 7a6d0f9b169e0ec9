package dev.kiln.it;

import static dev.kiln.it.Kiln.assertTold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.cli.Main;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Machines that do not let Kiln do what it wants. */
@Execution(ExecutionMode.CONCURRENT)
final class BadMachineIT {
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--");
    private static final String LOAD = """
            load:
              url: http://localhost:${port}/
              connections: 5
            protocol: [{load: 4s}, {pause: 1s}, {load: 2s}]
            runs: 1
            """;

    private final Sandbox sandbox = new Sandbox();

    @AfterEach
    void leaveNothing() {
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** The program as it is delivered: the test's own class path may lie in a home that is closed to others. */
    private ProcessBuilder asNobody() throws Exception {
        assumeTrue(isRoot(), "only root can become somebody else");
        Path jar = Path.of("target", "kiln.jar").toAbsolutePath();
        List<String> look = new ArrayList<>(AS_NOBODY);
        look.addAll(List.of("test", "-r", jar.toString()));
        int refused = new ProcessBuilder(look).start().waitFor();
        assumeTrue(refused == 0, "not built, or closed to others: " + jar);
        for (Path folder : List.of(sandbox.results(), sandbox.state(), sandbox.temporary())) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        return sandbox.jvm(AS_NOBODY, jar.toString(), Main.class.getName());
    }

    private String[] run(String yaml, Path results) {
        return new String[] {"run", sandbox.file("machine.yaml", yaml).toString(), "--results", results.toString()};
    }

    /** Root's right, and not in every container. */
    @Test
    void whereThePageCacheCannotBeDropped() throws Exception {
        String yaml = "cold: true\ntarget:\n  command: " + Kiln.CURVE_SERVER + "\n" + LOAD;
        Answer answer =
                Kiln.start(sandbox, asNobody(), run(yaml, sandbox.results())).end();
        assertTold(
                answer,
                3,
                "cannot drop the page cache: /proc/sys/vm/drop_caches: permission denied",
                "run Kiln as root on the machine itself");
    }

    @Test
    @FullRun
    void runsWithAColdCacheSaySo() throws Exception {
        String yaml = "target:\n  command: " + Kiln.CURVE_SERVER + "\n" + LOAD;
        Answer answer = Kiln.start(sandbox, coldly(yaml)).end();
        if (answer.exit() == 3) {
            assertTold(answer, 3, "cannot drop the page cache: /proc/sys/vm/drop_caches: ");
        } else {
            assertThat(answer.out().replaceAll("\\s+", " ")).contains("the page cache was dropped before the launch");
        }
    }

    private String[] coldly(String yaml) {
        List<String> words = new ArrayList<>(List.of(run(yaml, sandbox.results())));
        words.add("--cold");
        return words.toArray(String[]::new);
    }

    @FullRun
    @Test
    void whereNothingCanBePinnedNorATargetLookedInto() throws Exception {
        ProcessBuilder jvm = asNobody();
        Path tools = Files.createDirectory(sandbox.root().resolve("bin"));
        Path taskset = Files.writeString(
                tools.resolve("taskset"),
                "#!/bin/sh\necho \"taskset: failed to set pid 0's affinity: Operation not permitted\" >&2\nexit 1\n");
        Files.setPosixFilePermissions(taskset, PosixFilePermissions.fromString("rwxr-xr-x"));
        jvm.environment().put("PATH", tools + ":" + System.getenv("PATH"));
        Path tests = Path.of("target", "test-classes").toAbsolutePath();
        String closed = Kiln.CURVE_SERVER
                .replace("java -Xshare:auto -cp ", "java --enable-native-access=ALL-UNNAMED -cp " + tests + ":")
                .replace("dev.kiln.fixtures.CurveServer", ClosedTarget.class.getName());
        // Proportional memory is read at the launch, when the target is still open, and at the end.
        Answer answer = Kiln.start(sandbox, jvm, run("target:\n  command: " + closed + "\n" + LOAD, sandbox.results()))
                .end();
        String out = answer.out().replaceAll("\\s+", " ");
        assertThat(out + answer.err())
                .contains("nothing is pinned, every part may run on every CPU: taskset: failed to set pid 0's affinity")
                .contains("not recorded: proportional memory (PSS)")
                .doesNotContain("is no HotSpot JVM");
        assertThat(answer.exit()).isBetween(0, 1);
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void withoutAPlaceForItsState() throws Exception {
        ProcessBuilder jvm = asNobody();
        jvm.environment().put("XDG_STATE_HOME", "/proc/none");
        Answer answer = Kiln.start(sandbox, jvm, run("target:\n  command: sleep ${port}\n" + LOAD, sandbox.results()))
                .end();
        assertTold(answer, 3, "kiln: cannot keep Kiln's state in /proc/none/kiln: ", "set XDG_STATE_HOME");
    }

    @Test
    void whereResultsMustNotBeWritten() throws Exception {
        ProcessBuilder jvm = asNobody();
        Path closed = sandbox.root().resolve("closed");
        Files.createDirectory(
                closed, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
        Answer answer = Kiln.start(sandbox, jvm, run("target:\n  command: sleep ${port}\n" + LOAD, closed))
                .end();
        assertTold(answer, 3, "kiln: cannot create " + closed, ": permission denied", "--results DIR");
    }

    @Test
    void cpusThatThisProcessMayNotUse() {
        ProcessBuilder jvm = sandbox.jvm(List.of("taskset", "-c", "0"));
        Answer answer = Kiln.start(
                        sandbox,
                        jvm,
                        run("target:\n  command: sleep ${port}\ncpus:\n  target: 1\n" + LOAD, sandbox.results()))
                .end();
        assertTold(
                answer, 2, "CPU 1, requested for the target,", "not allowed for this process", "choose among CPUs 0");
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void aFullDisk() throws Exception {
        Path disk = Files.createDirectory(sandbox.root().resolve("disk"));
        assumeTrue(isRoot() && mount(disk), "only root can mount a small disk, and not everywhere");
        try {
            Answer answer = Kiln.start(
                            sandbox,
                            run("target:\n  command: " + Kiln.CURVE_SERVER + "\n" + LOAD.replace("4s", "120s"), disk))
                    .end();
            assertTold(answer, 3, "No space left on device", disk.toString());
            assertThat(answer.err()
                            .lines()
                            .filter(line -> line.startsWith("kiln: "))
                            .count())
                    .as(answer.err())
                    .isEqualTo(1);
            Files.delete(disk.resolve("filler"));
            Answer report = Kiln.inProcess("report", disk.toString());
            assertThat(report.exit()).as(report.err()).isEqualTo(1);
            assertThat(report.err()).startsWith("kiln: left out: baseline run 1: ");
            assertThat(report.out().replaceAll("\\s+", " ")).contains("Kiln was killed, or could not write any more");
        } finally {
            new ProcessBuilder("umount", "-l", disk.toString()).start().waitFor();
        }
    }

    /** Room for the beginning of a run, and a file to make room with. */
    private static boolean mount(Path disk) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=1700k", "tmpfs", disk.toString())
                .start()
                .waitFor();
        if (exit == 0) {
            Files.write(disk.resolve("filler"), new byte[1_640_000]);
        }
        return exit == 0;
    }
}
