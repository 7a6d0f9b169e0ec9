package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.process.ExitCode;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Machine.HostInfo;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.recorder.Recording.DumpTimes;
import dev.kiln.remote.Ask.LaunchTarget.AskedJvm;
import dev.kiln.remote.Ask.LaunchTarget.AskedProgram;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireTest {
    static List<Ask> asks() {
        return List.of(
                new Ask.Begin(new CpuRequest(List.of(0, 1), List.of(), List.of())),
                new Ask.ReadClock(-12),
                new Ask.Reach("10.0.0.1", 8101),
                new Ask.LaunchTarget(
                        new AskedProgram(
                                List.of("java", "-jar", "a b.jar"),
                                List.of("--port=${port}"),
                                Map.of("A", "ä\n\"quoted\""),
                                Optional.of("/srv")),
                        new AskedJvm(Optional.of("25+"), List.of("-Xmx1g")),
                        List.of(
                                new Modifier.VirtualThreads(),
                                new Modifier.CpuQuota(1.5),
                                new Modifier.CompilerPriority(Modifier.CompilerPriority.ModifiedBy.RENICE)),
                        Map.of("port", "8123"),
                        Set.of(8123),
                        true,
                        true),
                new Ask.AttachTarget(new AttachPoint.ProcessId(1), Set.of(8080), true, false, OptionalLong.empty()),
                new Ask.AttachTarget(new AttachPoint.ListeningPort(8080), Set.of(), false, true, OptionalLong.of(-7)),
                new Ask.AttachTarget(
                        new AttachPoint.ContainerName("shop"), Set.of(), false, false, OptionalLong.empty()),
                new Ask.DumpThreads(new DumpTimes(List.of(-5L, 7L), 9)),
                new Ask.StopRecording(),
                new Ask.StopTarget(10_000));
    }

    static List<Tell> tells() {
        return List.of(
                new Tell.Time(1, 2),
                new Tell.Begun(1, 1_700_000_000_000L, 8100, List.of("swept"), "10.0.0.1 50022 10.0.0.2 22"),
                new Tell.Reached(),
                new Tell.DumpsPlanned(),
                new Tell.Launched(
                        5,
                        List.of("taskset", "java"),
                        Map.of(),
                        List.of("xbatch"),
                        new CpuAssignment(List.of(0), List.of(1), List.of(1), true, List.of()),
                        new HostInfo("6.1", "a CPU", 4, 1L << 34, "EEVDF", Map.of()),
                        Optional.of(new Attached("port:8080", 7, 8_000_000_000L, 9))),
                new Tell.RecordingEnded(
                        List.of(new NotRecorded("a", "b")),
                        List.of("a note"),
                        Optional.of(new JvmInfo("/jdk", "25", "v", List.of("-Xmx1g"), List.of())),
                        7,
                        Optional.empty()),
                new Tell.TargetStopped(),
                new Tell.Failed(Exit.USAGE, "what", "remedy"),
                new Tell.NewRows("threads.csv", "1,2,\"a,b\"\n"),
                new Tell.TargetOutput("\u00ff\u0000\n"),
                new Tell.TargetJvm(new JvmInfo("/jdk", "25", "v", List.of(), List.of())),
                new Tell.C2(new CompilerLoad(0.5, 1.5, 3, 9, 0.1, OptionalInt.of(7))),
                new Tell.TargetEnded(Optional.of(ExitCode.unsure(137))),
                new Tell.TargetEnded(Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("asks")
    void aQuestionIsOneLineAndComesThroughWhole(Ask ask) throws IOException {
        assertThat(Wire.line(ask)).doesNotContain("\n");
        assertThat(Wire.read(Wire.line(ask), Ask.class)).isEqualTo(ask);
    }

    @ParameterizedTest
    @MethodSource("tells")
    void anAnswerIsOneLineAndComesThroughWhole(Tell tell) throws IOException {
        assertThat(Wire.line(tell)).doesNotContain("\n");
        assertThat(Wire.read(Wire.line(tell), Tell.class)).isEqualTo(tell);
    }

    @Test
    void whatAShellPrintsAtLoginIsNoMessage() {
        assertThatThrownBy(() -> Wire.read("Welcome to box!", Tell.class))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not understood: Welcome to box!");
    }
}
