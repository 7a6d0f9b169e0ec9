package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.Programs;
import dev.kiln.model.ClockOffset;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Machine.HostInfo;
import dev.kiln.remote.Ask.LaunchTarget.AskedJvm;
import dev.kiln.remote.Ask.LaunchTarget.AskedProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteTargetTest {
    private static final String ROW = "1,2,3,4,5,6,7";

    private static final Ask LAUNCH = new Ask.LaunchTarget(
            new AskedProgram(List.of("java"), List.of(), Map.of(), Optional.empty()),
            new AskedJvm(Optional.empty(), List.of()),
            List.of(),
            Map.of(),
            Set.of(),
            false,
            false);

    @TempDir
    private Path folder;

    /** Rows that came before run.json could not be read if Kiln were killed in between. */
    @Test
    void nothingIsWrittenBeforeTheRecordingBegins() throws IOException {
        assumeTrue(Programs.find("ssh").isPresent(), "no ssh here (apt-get install openssh-client)");
        Path run = folder.resolve("run");
        String agent = "read -r launch\n" + says(new Tell.NewRows("memory.csv", ROW + "\n"))
                + says(new Tell.Launched(
                        0,
                        List.of("java"),
                        Map.of(),
                        List.of(),
                        new CpuAssignment(List.of(0), List.of(), List.of(), true, List.of()),
                        new HostInfo("6.1", "a CPU", 1, 1L << 30, "EEVDF", Map.of()),
                        Optional.empty()))
                + "cat >/dev/null\n";
        try (RunWriter writer = new RunWriter(run);
                AgentLink link = new AgentLink(new Ssh("box"), List.of("sh", "-c", agent), "", Optional::empty)) {
            RemoteTarget target =
                    new RemoteTarget("box", link, new ClockOffset(0, 1), writer, folder.resolve("target.log"));
            link.ask(LAUNCH, Tell.Launched.class, Duration.ofSeconds(30));
            writer.flush();
            assertThat(Files.readString(run.resolve("memory.csv"))).doesNotContain(ROW);

            target.record();
            writer.flush();
            assertThat(Files.readString(run.resolve("memory.csv"))).endsWith("\n" + ROW + "\n");
        }
    }

    /** A hostile machine costs its connection and nothing else, also before the recording begins. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rowsOfNoTableEndTheConnection(boolean recording) throws Exception {
        assumeTrue(Programs.find("ssh").isPresent(), "no ssh here (apt-get install openssh-client)");
        String agent = "read -r line\n" + says(new Tell.NewRows("../../precious", "x")) + "cat >/dev/null\n";
        lost(agent, recording, "no table ../../precious");
        assertThat(folder.resolve("../precious")).doesNotExist();
    }

    @Test
    void rowsWithoutAnEndBeforeTheRecordingBeginsEndTheConnection() throws Exception {
        assumeTrue(Programs.find("ssh").isPresent(), "no ssh here (apt-get install openssh-client)");
        String agent = """
                read -r line
                for i in 1 2 3 4 5 6 7 8; do
                  printf '{"tell":"NewRows","file":"memory.csv","text":"'
                  head -c 10000000 /dev/zero | tr '\\0' x
                  echo '"}'
                done
                cat >/dev/null
                """;
        lost(agent, false, "it records too much before it was asked");
    }

    private void lost(String agent, boolean recording, String why) {
        try (RunWriter writer = new RunWriter(folder.resolve("run"));
                AgentLink link = new AgentLink(new Ssh("box"), List.of("sh", "-c", agent), "", Optional::empty)) {
            RemoteTarget target =
                    new RemoteTarget("box", link, new ClockOffset(0, 1), writer, folder.resolve("target.log"));
            if (recording) {
                target.record();
            }
            assertThatThrownBy(() -> link.ask(LAUNCH, Tell.Launched.class, Duration.ofSeconds(30)))
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining(why);
        }
    }

    private static String says(Tell tell) {
        return "cat <<'END'\n" + Wire.line(tell) + "\nEND\n";
    }
}
