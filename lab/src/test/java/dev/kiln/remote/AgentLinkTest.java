package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.process.Programs;
import dev.kiln.model.ClockOffset;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents that are shell scripts, in the place of the ssh that would run one. */
class AgentLinkTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    /** Answers each question for the time, after a while. */
    private static final String SLOW_CLOCK = """
            while read -r line; do
              sleep 0.2
              n=${line##*:}
              echo "{\\"tell\\":\\"Time\\",\\"number\\":${n%\\}},\\"nanos\\":5}"
            done
            """;

    @BeforeEach
    void ssh() {
        assumeTrue(Programs.find("ssh").isPresent(), "no ssh here (apt-get install openssh-client)");
    }

    private static AgentLink link(String agent) {
        // The ssh command becomes the script's arguments.
        return link(agent, Optional::empty);
    }

    /** @param interrupted says how long ago the user ended everything */
    private static AgentLink link(String agent, Supplier<Optional<Duration>> interrupted) {
        return new AgentLink(new Ssh("box"), List.of("sh", "-c", agent), "", interrupted);
    }

    @Test
    void aSlowNetworkBoundsTheClockByFewerExchanges() {
        try (AgentLink link = link(SLOW_CLOCK)) {
            long before = System.nanoTime();
            ClockOffset offset = link.measureClock(200, Duration.ofSeconds(2));
            assertThat(offset.nanos()).isBetween(before - 5, System.nanoTime() - 5);
            assertThat(offset.uncertaintyNanos()).isGreaterThan(100_000_000);
            assertThat(link.isLost()).isFalse();
        }
    }

    /** It would be taken for the answer to the next question. */
    @Test
    void anAnswerThatCameTooLateIsNoAnswer() {
        String agent = "read -r line; sleep 1; echo '{\"tell\":\"Stopped\"}'; cat >/dev/null";
        try (AgentLink link = link(agent)) {
            assertThatThrownBy(() -> begin(link, Duration.ofMillis(1)))
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining("box did not answer within");
            assertThat(link.isLost()).isTrue();
            assertThatThrownBy(() -> begin(link, LONG))
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining("the connection to box was lost: it said nothing");
        }
    }

    /** A person waits for the end: what has said nothing since Ctrl-C is not waited for. */
    @Test
    void aStalledConnectionIsGivenUpSoonAfterCtrlC() {
        AtomicLong ctrlC = new AtomicLong();
        try (AgentLink link = link("exec sleep 60", () -> ago(ctrlC.get()))) {
            ctrlC.set(System.nanoTime());
            assertThatThrownBy(() -> link.measureClock(50, LONG))
                    .isInstanceOf(AgentLost.class)
                    .hasMessageMatching("box did not answer within \\d+ s");
            assertThat(link.isLost()).isTrue();
        }
        try (AgentLink link = link("exec sleep 60", () -> ago(ctrlC.get()))) {
            ctrlC.set(System.nanoTime());
            assertThatThrownBy(() -> begin(link, LONG))
                    .isInstanceOf(AgentLost.class)
                    .hasMessageMatching("box did not answer within \\d+ s");
        }
    }

    private static Optional<Duration> ago(long nanos) {
        return Optional.of(Duration.ofNanos(System.nanoTime() - nanos));
    }

    /** A target that ends slowly is not left behind. */
    @Test
    void aConnectionThatWorksAfterCtrlCHasItsTime() {
        long ctrlC = System.nanoTime() - 10_000_000_000L;
        AtomicBoolean heard = new AtomicBoolean();
        // The agent works for longer than a stalled one is waited for.
        String agent = """
                read -r line
                n=${line##*:}
                echo "{\\"tell\\":\\"Time\\",\\"number\\":${n%\\}},\\"nanos\\":5}"
                read -r line
                sleep 4
                echo '{"tell":"TargetStopped"}'
                cat >/dev/null
                """;
        try (AgentLink link = link(agent, () -> heard.get() ? ago(ctrlC) : Optional.empty())) {
            link.measureClock(1, LONG);
            heard.set(true);
            link.ask(new Ask.StopTarget(10_000), Tell.TargetStopped.class, LONG);
            assertThat(link.isLost()).isFalse();
        }
    }

    /** One that had nothing to say when the user pressed Ctrl-C is asked first. */
    @Test
    void aSilentConnectionIsAskedBeforeItIsGivenUp() throws Exception {
        Duration ago = Duration.ofMillis(3_100);
        AtomicLong asked = new AtomicLong();
        Supplier<Optional<Duration>> ctrlC =
                () -> System.nanoTime() - asked.get() < 3_000_000_000L ? Optional.of(ago) : Optional.empty();
        String agent = "read -r line; sleep 1; echo '{\"tell\":\"TargetStopped\"}'; cat >/dev/null";
        try (AgentLink link = link(agent, ctrlC)) {
            while (link.silence().compareTo(ago) <= 0) {
                Thread.sleep(20);
            }
            asked.set(System.nanoTime());
            link.ask(new Ask.StopTarget(10_000), Tell.TargetStopped.class, LONG);
            assertThat(link.isLost()).isFalse();
        }
    }

    /** The locale of a scheduler's job has the letters of ASCII alone. */
    @Test
    void lettersComeOverInAnyLocale(@TempDir Path folder) throws Exception {
        String answer = Wire.line(new Tell.Failed(Exit.PROBLEM, "le caf\u00e9", ""));
        Path agent = Files.writeString(folder.resolve("agent.sh"), """
                read -r line
                case "$line" in *th\u00e9*) echo '%s' ;; esac
                cat >/dev/null
                """.formatted(answer));
        ProcessBuilder builder =
                new ProcessBuilder(JAVA, "-cp", CLASS_PATH, AsciiLocale.class.getName(), agent.toString());
        builder.environment().put("LC_ALL", "C");
        Process kiln = builder.redirectErrorStream(true).start();
        assertThat(new String(kiln.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                .isEqualTo("box: le caf<e9>");
    }

    static final class AsciiLocale {
        public static void main(String[] args) {
            try (AgentLink link = new AgentLink(new Ssh("box"), List.of("sh", args[0]), "", Optional::empty)) {
                link.ask(new Ask.Reach("th\u00e9", 1), Tell.Reached.class, LONG);
            } catch (KilnException e) {
                String.valueOf(e.getMessage())
                        .chars()
                        .forEach(c ->
                                System.out.print(c < 128 ? Character.toString(c) : "<" + Integer.toHexString(c) + ">"));
            }
        }
    }

    @Test
    void whatSshSaidLastIsTheReason() {
        String agent =
                "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do echo \"welcome $i\" >&2; done;"
                        + " echo 'box: Connection reset' >&2; exit 255";
        try (AgentLink link = link(agent)) {
            assertThatThrownBy(() -> begin(link, LONG))
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining("the connection to box was lost: box: Connection reset");
        }
    }

    @Test
    void aMachineWithoutAJdkIsTold() {
        String agent = FarShell.tells(Integer.toString(FarScripts.NO_JDK)) + "exit " + FarScripts.NO_JDK;
        try (AgentLink link = link(agent)) {
            assertThatThrownBy(() -> begin(link, LONG))
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining("box: found no JDK 25 or later there");
        }
    }

    /** A command that leads there may end with any code of its own. */
    @Test
    void anExitCodeThatNoShellThereToldSaysNothingOfItsJdk() {
        try (AgentLink link = link("echo 'box is busy' >&2; exit " + FarScripts.NO_JDK)) {
            assertThatThrownBy(() -> begin(link, LONG))
                    .isInstanceOf(KilnException.class)
                    .hasMessage("the connection to box was lost: box is busy");
        }
    }

    @Test
    void anAgentOfAnotherKilnIsTold() {
        String other = Wire.line(new Tell.Begun(Wire.PROTOCOL + 1, 0, 8100, List.of(), ""));
        try (AgentLink link = link("read -r line; echo '" + other + "'; cat >/dev/null")) {
            assertThatThrownBy(() -> RemoteKiln.begin(new Ssh("box"), link, CpuRequest.auto()))
                    .isInstanceOf(KilnException.class)
                    .hasMessage("box: the agent there speaks protocol 3, and this Kiln 2");
        }
    }

    @Test
    void whatIsNoAgentIsTold() {
        try (AgentLink link = link("echo 'Welcome to box!'; cat >/dev/null")) {
            assertThatThrownBy(() -> begin(link, LONG))
                    .isInstanceOf(KilnException.class)
                    .hasMessage("no agent of this Kiln answers at box: not understood: Welcome to box!")
                    .satisfies(e -> assertThat(((KilnException) e).remedy()).contains("pass both streams on"));
        }
    }

    /** What a hostile machine sends costs its connection, and nothing else: each is told in words. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo null",
                "echo '{\"tell\":\"Failed\"}'",
                "echo '{\"tell\":\"Reached\"}'",
                "echo '{\"tell\":\"Failed\",\"exit\":\"BUG\",\"what\":\"\",\"remedy\":\"\"}'",
                "yes '{\"tell\":\"Reached\"}' | head -n 1000",
                "head -c 20000000 /dev/zero"
            })
    void whatNoAgentSaysEndsTheConnection(String says) {
        try (AgentLink link = link("read -r line; " + says + "; cat >/dev/null")) {
            assertThatThrownBy(() -> begin(link, LONG)).isInstanceOf(KilnException.class);
            assertThatThrownBy(() -> begin(link, LONG)).isInstanceOf(KilnException.class);
            assertThat(link.isLost()).isTrue();
        }
    }

    @Test
    void aClockThatIsWrongByMinutesIsSaid() {
        assertThat(RemoteKiln.clockNote("box", 1_000_000, 1_059_000)).isEmpty();
        assertThat(RemoteKiln.clockNote("box", 1_000_000, 1_150_000))
                .contains("the clock of box is 2.5 min ahead of that of this machine: the times in its own logs differ"
                        + " by that, those of this run do not");
        assertThat(RemoteKiln.clockNote("box", 1_000_000, 700_000).orElseThrow())
                .startsWith("the clock of box is 5.0 min behind that of this machine");
    }

    /** A real one: a firewall between two machines is not there to be tested. */
    @Test
    void anAgentConnectsToWhatTheTargetWillNeed() throws IOException {
        try (AgentLink link = new AgentLink(
                new Ssh("box"), List.of(JAVA, "-cp", CLASS_PATH, AgentMain.class.getName()), "", Optional::empty)) {
            int port;
            try (ServerSocket open = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = open.getLocalPort();
                link.ask(new Ask.Reach("127.0.0.1", port), Tell.Reached.class, LONG);
            }
            assertThatThrownBy(() -> link.ask(new Ask.Reach("127.0.0.1", port), Tell.Reached.class, LONG))
                    .isInstanceOf(KilnException.class)
                    .hasMessage("box: cannot connect to 127.0.0.1:" + port + ", where Kiln's PostgreSQL listens")
                    .satisfies(e -> assertThat(((KilnException) e).remedy())
                            .contains("TCP ports 8100 to 9899", "database: {url: ..., user: ..., password: ...}"));
        }
    }

    private static void begin(AgentLink link, Duration limit) {
        link.ask(new Ask.Begin(CpuRequest.auto()), Tell.Begun.class, limit);
    }
}
