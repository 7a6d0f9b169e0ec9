package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.proc.CpuPlanner;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.Topology;
import dev.kiln.host.process.Launcher.LaunchSpec;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class LauncherTest extends Launching {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private LaunchSpec spec(String... command) {
        return new LaunchSpec("target", List.of(command), directory.resolve("out"))
                .withEnvironment(Map.of("GREETING", "hello"))
                .in(Optional.of(directory));
    }

    private String finished(PinnedProcess process) throws Exception {
        assertThat(process.onExit().get(600, TimeUnit.SECONDS)).isZero();
        return Files.readString(directory.resolve("out"));
    }

    /** Waits until the child has said a line. */
    private String said() throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            String text = Files.exists(directory.resolve("out")) ? Files.readString(directory.resolve("out")) : "";
            if (text.endsWith("\n")) {
                return text.strip();
            }
            Thread.sleep(5);
        }
        throw new AssertionError("the child said nothing");
    }

    @Test
    void thePidIsTheCommandsAndItLeadsASession() throws Exception {
        PinnedProcess process = launcher.start(spec("sh", "-c", "echo $$ $(cut -d' ' -f6 /proc/$$/stat) $GREETING"));
        assertThat(finished(process)).isEqualTo(process.pid() + " " + process.pid() + " hello\n");
    }

    @Test
    void pinningHoldsFromTheFirstInstruction() throws Exception {
        CpuAssignment cpus = Pinning.verified(CpuPlanner.assign(CpuRequest.auto(), Topology.ofThisMachine()));
        Assumptions.assumeTrue(cpus.pinned(), () -> cpus.notes().toString());
        List<Integer> one = cpus.target().subList(0, 1);
        PinnedProcess process = launcher.start(
                spec("grep", "Cpus_allowed_list", "/proc/self/status").on(one));
        assertThat(finished(process)).isEqualTo("Cpus_allowed_list:\t" + one.getFirst() + "\n");
    }

    @Test
    void pinningThatIsNotPossibleIsSaidInWords() {
        CpuAssignment impossible = new CpuAssignment(List.of(4000), List.of(4000), List.of(4000), true, List.of());
        CpuAssignment verified = Pinning.verified(impossible);
        assertThat(verified.pinned()).isFalse();
        assertThat(verified.notes()).singleElement().asString().startsWith("nothing is pinned");
    }

    @Test
    void stoppingReachesChildrenOfChildrenThatDoNotListen() throws Exception {
        PinnedProcess process = launcher.start(spec(
                "sh",
                "-c",
                "trap '' TERM; sh -c \"trap '' TERM; sleep 1000 & echo \\$!; wait; sleep 1000\"; sleep 1000"));
        long grandchild = Long.parseLong(said());
        process.stop(Duration.ofMillis(50));
        assertThat(process.isAlive()).isFalse();
        assertThat(process.exitCode()).hasValue(137);
        assertThat(ProcFs.ofThisMachine().stat(grandchild).filter(stat -> !stat.isDead()))
                .isEmpty();
    }

    /** A daemon leaves its parent, its session and its process group. */
    @Test
    void stoppingReachesADaemon() throws Exception {
        PinnedProcess process =
                launcher.start(spec("sh", "-c", "setsid sh -c 'echo $$; exec sleep 1000' & exec sleep 0.2"));
        long daemon = Long.parseLong(said());
        process.onExit().join();
        assertThat(ProcFs.ofThisMachine().stat(daemon).filter(stat -> !stat.isDead()))
                .isPresent();

        process.stop(Duration.ofSeconds(10));

        assertThat(ProcFs.ofThisMachine().stat(daemon).filter(stat -> !stat.isDead()))
                .isEmpty();
    }

    @Test
    void aChildIsNotTakenForTheDaemonOfAnother() throws Exception {
        PinnedProcess one = launcher.start(spec("sleep", "1000"));
        PinnedProcess other = launcher.start(spec("sleep", "1000"));

        one.stop(Duration.ofSeconds(10));

        assertThat(one.isAlive()).isFalse();
        assertThat(other.isAlive()).isTrue();
        other.stop(Duration.ZERO);
    }

    @Test
    void stoppingLetsTheProcessEndInOrder() throws Exception {
        // A shell that was started deaf to Ctrl-C cannot trap it.
        PinnedProcess process = launcher.start(spec(
                "env",
                "--default-signal=INT",
                "sh",
                "-c",
                "trap 'exit 7' INT; echo ready; while :; do sleep 0.01; done"));
        said();
        process.stop(Signal.INT, PATIENCE);
        assertThat(process.exitCode()).hasValue(7);
    }

    /** A shell tells it to all that it starts there. */
    @Test
    void theFolderIsInTheEnvironment() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("work"));
        assertThat(finished(launcher.start(spec("printenv", "PWD").in(Optional.of(folder)))))
                .isEqualTo(folder + "\n");
        Path here = Path.of("").toRealPath();
        assertThat(finished(
                        launcher.start(spec("sh", "-c", "cd \"$PWD\"; pwd -P").in(Optional.empty()))))
                .isEqualTo(folder + "\n" + here + "\n");
        assertThat(finished(launcher.start(spec("printenv", "PWD").withEnvironment(Map.of("PWD", "/mine")))))
                .endsWith("\n/mine\n");
    }

    @Test
    void aProgramIsLookedUpInThePathThatItWillHave() throws Exception {
        Path tool = Files.writeString(directory.resolve("own-tool"), "#!/bin/sh\necho found\n");
        assertThat(tool.toFile().setExecutable(true)).isTrue();
        assertThat(finished(launcher.start(spec("own-tool").withEnvironment(Map.of("PATH", directory.toString())))))
                .isEqualTo("found\n");
        assertThatThrownBy(() -> launcher.start(spec("ls").withEnvironment(Map.of("PATH", directory.toString()))))
                .hasMessage("cannot start the target: no program 'ls' in the PATH");
    }

    @Test
    void aProgramThatDoesNotExistIsAUsageError() {
        assertThatThrownBy(() -> launcher.start(spec("no-such-program")))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("no program 'no-such-program'");
        assertThatThrownBy(() -> launcher.start(spec("./missing"))).isInstanceOf(KilnException.class);
    }

    @Test
    void runsAsAnotherUserAndStillDiesWithKiln() throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "only root may change users");
        LaunchSpec as = new LaunchSpec(
                        "database", List.of("sh", "-c", "id -u; id -G; exec setpriv --dump"), directory.resolve("out"))
                .as(Optional.of(new LaunchSpec.LaunchUser(65534, 65534)));
        assertThat(finished(launcher.start(as))).startsWith("65534\n65534\n").contains("Parent death signal: KILL");
    }
}
