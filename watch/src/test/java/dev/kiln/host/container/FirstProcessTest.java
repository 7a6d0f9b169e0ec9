package dev.kiln.host.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.container.FirstProcess.RuntimeProcess;
import dev.kiln.host.proc.FakeRoot;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where.Engine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On what /proc showed of containers of docker 20.10.24, podman 4.3.1 and rootless ones. */
class FirstProcessTest {
    private static final String ID = "5cfe9b39ab05acc5d5fd83611086b8f33ea1f400f7f1c31906a90183e154d9bc";
    private static final String OTHER = "21fe4cf286c42fba42c38aec919cd2625d8b936d555898b403facf770929b16a";

    @TempDir
    Path root;

    private boolean isIn(String container, String cgroup, String parent) {
        ProcFs fs = new FakeRoot(root)
                .with("proc/79/stat", "79 (java) S 70 79 79 0 -1 4194304 1 2 0 0 31 7 5 3 20 0 42 0 987654 1 2\n")
                .with("proc/79/cgroup", cgroup)
                .with("proc/70/cmdline", parent)
                .fs();
        return FirstProcess.isIn(fs, fs.stat(79).orElseThrow(), container);
    }

    @Test
    void itsCgroupNamesTheContainer() {
        assertThat(isIn(ID, "2:cpuacct:/docker/" + ID + "\n1:cpu:/docker/" + ID + "\n", ""))
                .as("version 1")
                .isTrue();
        assertThat(isIn(ID, "0::/system.slice/docker-" + ID + ".scope\n", ""))
                .as("version 2, by systemd")
                .isTrue();
        assertThat(isIn(ID, "0::/../" + ID + "\n", ""))
                .as("as seen from another container")
                .isTrue();
        assertThat(isIn(OTHER, "9:name=systemd:/libpod_parent/libpod-" + OTHER + "/container\n", ""))
                .as("podman")
                .isTrue();
    }

    @Test
    void orItsMonitorDoes() {
        assertThat(isIn(ID, "0::/\n", "/usr/bin/containerd-shim-runc-v2\0-namespace\0moby\0-id\0" + ID + "\0"))
                .isTrue();
        assertThat(isIn("kiln-7-8-1", "0::/\n", "/usr/bin/conmon\0-c\0" + OTHER + "\0-n\0kiln-7-8-1\0-l\0none\0"))
                .isTrue();
    }

    @Test
    void aStrangerIsNot() {
        assertThat(isIn(ID, "0::/docker/" + OTHER + "\n", "containerd-shim-runc-v2\0-id\0" + OTHER + "\0"))
                .isFalse();
        assertThat(isIn(ID, "0::/user.slice/session-1.scope\n", "bash\0")).isFalse();
        assertThat(isIn("kiln-7-8-1", "0::/\n", "conmon\0-n\0kiln-7-8-11\0")).isFalse();
    }

    private FirstProcess told(Engine engine, int pid, String container) {
        ProcFs fs = new FakeRoot(root)
                .with("proc/79/stat", "79 (java) S 70 79 79 0 -1 4194304 1 2 0 0 31 7 5 3 20 0 42 0 987654 1 2\n")
                .with("proc/79/cgroup", "0::/docker/" + ID + "\n")
                .with("proc/70/cmdline", "conmon\0-n\0kiln-7-8-1\0")
                .fs();
        return new FirstProcess(
                fs, engine, () -> Optional.of(new RuntimeProcess(pid, Optional.of(container))), Duration.ZERO);
    }

    @Test
    void whoeverIsStillToldOfAndNotItRunsElsewhere() {
        assertThat(told(Engine.DOCKER, 79, ID).find().map(ProcStat::startTicks)).contains(987654L);
        assertThat(told(Engine.PODMAN, 79, "kiln-7-8-1").find()).isPresent();
        assertThatThrownBy(() -> told(Engine.DOCKER, 79, OTHER).find())
                .isInstanceOf(KilnException.class)
                .hasMessageStartingWith("docker's containers run on another machine: process 79")
                .returns(3, e -> ((KilnException) e).exit().code());
        assertThatThrownBy(() -> told(Engine.PODMAN, 79, "kiln-1").find())
                .hasMessageStartingWith("podman's containers run on another machine");
        assertThatThrownBy(() -> told(Engine.DOCKER, 80, ID).find()).hasMessageContaining("process 80");
        assertThat(told(Engine.PODMAN, 80, "kiln-7-8-1").find())
                .as("it has ended, and its file is still there")
                .isEmpty();
    }

    @Test
    void whatARuntimeSaysIsAPidAndWhoseItIs() {
        assertThat(RuntimeProcess.parse("79 " + ID + "\n")).contains(new RuntimeProcess(79, Optional.of(ID)));
        assertThat(RuntimeProcess.parse("79")).contains(new RuntimeProcess(79, Optional.empty()));
        assertThat(RuntimeProcess.parse("0 " + ID)).isEmpty();
        assertThat(RuntimeProcess.parse("")).isEmpty();
        assertThat(RuntimeProcess.parse(" kiln-1")).isEmpty();
        assertThat(RuntimeProcess.parse("Error: No such container: kiln-1")).isEmpty();
    }
}
