package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The doctor at living JVMs of all kinds. None of them may be the worse for it. */
@Order(2)
@Execution(ExecutionMode.CONCURRENT)
final class DoctorIT {
    private static final Map<String, Integer> EXITS =
            Map.of("warm", 0, "warming", 6, "starved", 7, "idle", 8, "unknown", 8);

    /** Of the tests that start very much: one at a time. */
    private static final String MUCH = "much";

    private final Sandbox sandbox = new Sandbox();
    private final List<LivingJvm> started = new ArrayList<>();

    @AfterEach
    void leaveNothing() {
        started.forEach(LivingJvm::close);
        sandbox.close();
    }

    static java.util.stream.Stream<Jdk> jdks() {
        return LivingJvm.jdks();
    }

    private LivingJvm start(Jdk jdk, List<String> prefix, List<String> flags, String... args) {
        LivingJvm jvm = LivingJvm.start(sandbox, jdk, prefix, flags, args);
        started.add(jvm);
        return jvm;
    }

    private static JsonNode json(Answer answer) {
        assertThat(answer.out()).as(answer.err()).startsWith("{");
        return JsonMapper.shared().readTree(answer.out());
    }

    private static JsonNode looked(LivingJvm jvm, String... more) {
        return lookedFor("3s", jvm, more);
    }

    private static JsonNode lookedFor(String time, LivingJvm jvm, String... more) {
        List<String> words = new ArrayList<>(List.of("doctor", Long.toString(jvm.pid()), "--for", time, "--json", "-"));
        words.addAll(List.of(more));
        Answer answer = Kiln.inProcess(words.toArray(String[]::new));
        JsonNode said = json(answer);
        assertThat(said.path("pid").asLong()).isEqualTo(jvm.pid());
        assertThat(EXITS).containsEntry(said.path("state").asString(), answer.exit());
        assertThat(said.path("findings").isArray()).isTrue();
        return said;
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void anIdleJvmIsIdle(Jdk jdk) {
        LivingJvm jvm = start(jdk, List.of(), List.of(), "1", "1", "1000000");
        Waiting.until("it to settle", () -> looked(jvm).path("state").asString().equals("idle"));
        JsonNode said = looked(jvm);
        assertThat(said.path("figures").path("c2Queue").isNumber()).isTrue();
        assertThat(said.path("figures").path("methods").path("level1").isNumber())
                .isTrue();
        assertThat(jvm.isAlive()).isTrue();
    }

    @ParameterizedTest
    @FullRun
    @MethodSource("jdks")
    void compilersThatGetNoCpuAreStarved(Jdk jdk) throws Exception {
        assumeTrue(
                Sandbox.works("taskset", "-c", "0", "true") && Sandbox.works("chrt", "-i", "0", "true"),
                "no chrt or taskset");
        LivingJvm jvm = start(
                jdk,
                List.of("taskset", "-c", "0"),
                List.of("-XX:-UseDynamicNumberOfCompilerThreads"),
                "8",
                "1000",
                "0",
                "much");
        for (long tid : jvm.compilers()) {
            assertThat(Sandbox.works("chrt", "-i", "-p", "0", Long.toString(tid)))
                    .isTrue();
        }
        // Their work comes one after the other: C2 is asked for nothing until C1 has compiled what counts for it. On a
        // crowded machine that takes a while.
        List<JsonNode> looks = new ArrayList<>();
        Waiting.until("it to starve", () -> {
            looks.add(lookedFor("10s", jvm));
            return looks.getLast().path("state").asString().equals("starved");
        });
        JsonNode said = looks.getLast();
        assertThat(said.path("figures").path("c2WaitRatio").asDouble()).isGreaterThan(0.66);
        assertThat(said.path("findings").get(0).path("remedies").size()).isPositive();
    }

    @Test
    void whatIsClosedIsSaidAndTheRestIsSeen() {
        Jdk jdk = JdkFinder.current();
        JsonNode closed = looked(start(jdk, List.of(), List.of("-XX:+DisableAttachMechanism"), "1", "100", "10000"));
        assertThat(closed.path("notRecorded").toString()).contains("DisableAttachMechanism");
        assertThat(closed.path("figures").path("c2Cpu").isNumber()).isTrue();
        JsonNode dark = looked(start(jdk, List.of(), List.of("-XX:-UsePerfData"), "1", "100", "10000"));
        assertThat(dark.path("notRecorded").toString()).contains("UsePerfData");
        assertThat(dark.path("figures").path("compilationsPerSecond").isNull()).isTrue();
        assertThat(dark.path("figures").path("c2Cpu").isNumber()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmThatWouldDieOfTheSignalLives(Jdk jdk) throws Exception {
        // Such a JVM has its socket open from the start; without the socket only the signal would help.
        LivingJvm deaf = start(jdk, List.of(), List.of("-Xrs"), "1", "100", "10000");
        assertThat(looked(deaf).path("figures").path("c2Queue").isNumber()).isTrue();
        Files.delete(Path.of("/tmp/.java_pid" + deaf.pid()));
        JsonNode said = looked(deaf);
        assertThat(deaf.isAlive()).isTrue();
        assertThat(said.path("notRecorded").toString()).contains("SIGQUIT");
        assertThat(said.path("figures").path("c2Cpu").isNumber()).isTrue();
    }

    @Test
    void itsDeathIsSurvived() throws Exception {
        LivingJvm jvm = start(JdkFinder.current(), List.of(), List.of(), "2", "100", "10000");
        String pid = Long.toString(jvm.pid());
        Path socket = Path.of("/tmp/.java_pid" + pid);
        Thread killer = Thread.ofPlatform().start(() -> {
            Waiting.until("the doctor to ask it", () -> Files.exists(socket));
            jvm.kill();
        });
        Answer answer = Kiln.inProcess("doctor", pid, "--for", "30s", "--json", "-");
        killer.join();
        assertThat(json(answer).path("state").asString()).isEqualTo("unknown");
        assertThat(json(answer).path("reason").asString()).contains("died");
        assertThat(answer.exit()).isEqualTo(8);
        Files.deleteIfExists(socket);
        Answer again = Kiln.inProcess("doctor", pid);
        assertThat(again.exit()).isEqualTo(2);
        assertThat(again.err()).contains("there is no process " + pid);
    }

    @Test
    void aJvmInOtherNamespacesIsSeen() throws Exception {
        assumeTrue(
                Sandbox.works("unshare", "--mount", "--pid", "--fork", "--mount-proc", "true"),
                "unshare is not permitted");
        // A /tmp of its own, as a container has, and pid 1 in it.
        String script = "mount -t tmpfs tmpfs /tmp/kiln-it-none 2>/dev/null; exec \"$@\"";
        LivingJvm jvm = start(
                JdkFinder.current(),
                List.of("unshare", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", script, "sh"),
                List.of(),
                "1",
                "100",
                "10000");
        JsonNode said = looked(jvm);
        int inner = said.path("process").path("innerPid").asInt();
        // It shares /tmp with the others, and is killed: its socket would stay.
        Files.deleteIfExists(Path.of("/tmp/.java_pid" + inner));
        assertThat(inner).isLessThan(10);
        assertThat(said.path("figures").path("compilationsPerSecond").isNumber())
                .isTrue();
        assertThat(said.path("figures").path("c2Queue").isNumber())
                .as(said.toPrettyString())
                .isTrue();
    }

    @Test
    void aJvmOfAnotherUserIsSeenByRoot() throws Exception {
        assumeTrue(isRoot(), "only root can become somebody else");
        LivingJvm jvm = start(
                JdkFinder.current(),
                List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"),
                List.of(),
                "1",
                "100",
                "10000");
        JsonNode said = looked(jvm);
        assertThat(said.path("process").path("user").asString()).isNotEqualTo("root");
        assertThat(said.path("figures").path("c2Queue").isNumber())
                .as(said.toPrettyString())
                .isTrue();
    }

    @FullRun
    @Test
    @ResourceLock(MUCH)
    void tenThousandThreadsAreNoTrouble() {
        LivingJvm jvm = start(JdkFinder.current(), List.of(), List.of(), "10000", "1", "60000000");
        JsonNode said = looked(jvm);
        assertThat(said.path("process").path("threads").asInt()).isGreaterThan(10_000);
        assertThat(said.path("figures").path("c2Cpu").isNumber()).isTrue();
        assertThat(said.path("notRecorded").toString()).contains("some threads");
    }

    @FullRun
    @Test
    @ResourceLock(MUCH)
    void fiftyJvmsAreListed() {
        Jdk jdk = JdkFinder.current();
        for (int i = 0; i < 50; i++) {
            start(jdk, List.of(), List.of("-Xint", "-Xss256k"), "1", "1", "1000000");
        }
        Answer answer = Kiln.inProcess("doctor", "--json", "-");
        assertThat(answer.exit()).isZero();
        List<Long> listed = new ArrayList<>();
        json(answer).path("jvms").forEach(jvm -> listed.add(jvm.path("pid").asLong()));
        assertThat(listed).containsAll(started.stream().map(LivingJvm::pid).toList());
        assertThat(started).allMatch(LivingJvm::isAlive);
    }

    /** What a node agent does: JVMs come and go while it runs. */
    @Test
    @FullRun
    void allJvmsAreServedAsTheyComeAndGo() throws Exception {
        LivingJvm one = start(JdkFinder.current(), List.of(), List.of(), "1", "1", "1000000");
        Kiln doctor = Kiln.start(sandbox, "doctor", "--all", "--metrics", ":0", "--every", "2s")
                .awaitSaid("on port ");
        URI metrics = URI.create("http://localhost:" + doctor.err().replaceAll("(?s).* on port (\\d+).*", "$1"));
        Waiting.until("the first JVM to be seen", () -> get(metrics, "/metrics").contains("pid=\"" + one.pid() + "\""));
        assertThat(get(metrics, "/ready")).isEqualTo("warm\n");
        LivingJvm other = start(JdkFinder.current(), List.of(), List.of(), "1", "1", "1000000");
        Waiting.until("the second one", () -> get(metrics, "/metrics").contains("pid=\"" + other.pid() + "\""));
        one.close();
        Waiting.until("the first one to go", () -> !get(metrics, "/metrics").contains("pid=\"" + one.pid() + "\""));
        assertThat(get(metrics, "/metrics"))
                .containsPattern("kiln_jvm_state\\{pid=\"" + other.pid() + "\",command=\"Living\".*\"idle\"} [01]")
                .containsPattern("kiln_doctor_cpu_seconds_total [0-9]")
                .containsPattern("(?s)# TYPE kiln_jvms gauge\n.*kiln_jvms\\{state=\"warm\"} [0-9]");
        Answer ended = doctor.signal("TERM").end();
        assertThat(ended.exit()).as(ended.err()).isEqualTo(143);
        assertThat(ended.humane()).as(ended.err()).isTrue();
    }

    private static String get(URI server, String path) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(server.resolve(path)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatWasSavedCanBeExplainedAndReported() {
        LivingJvm jvm = start(JdkFinder.current(), List.of(), List.of(), "2", "200", "2000");
        String folder = sandbox.results().resolve("live").toString();
        looked(jvm, "--save", folder);
        Answer explained = Kiln.inProcess("explain", folder + "/pid-" + jvm.pid() + "/1", "--json", "-");
        assertThat(explained.exit()).as(explained.err()).isZero();
        assertThat(explained.out()).contains("c2-starved").doesNotContain("less than a second of load was recorded");
        Answer reported = Kiln.inProcess("report", folder);
        assertThat(reported.exit()).as(reported.err()).isZero();
        assertThat(reported.humane()).as(reported.out() + reported.err()).isTrue();
        assertThat(reported.out().replaceAll("\\s+", " "))
                .contains("Kiln only watched it and sent no load")
                .doesNotContain("missing");
    }

    @Test
    void waitingForWarmthEndsWithIt() {
        LivingJvm jvm = start(JdkFinder.current(), List.of(), List.of(), "1", "2000", "8000");
        Answer answer =
                Kiln.inProcess("doctor", Long.toString(jvm.pid()), "--until-warm", "--timeout", "300s", "--json", "-");
        assertThat(json(answer).path("state").asString()).as(answer.err()).isEqualTo("warm");
        assertThat(answer.exit()).isZero();
    }

    @Test
    void waitingForWarmthGivesUp() {
        LivingJvm jvm = start(JdkFinder.current(), List.of(), List.of(), "1", "1", "1000000");
        Answer answer =
                Kiln.inProcess("doctor", Long.toString(jvm.pid()), "--until-warm", "--timeout", "4s", "--no-ask");
        assertThat(answer.exit()).isIn(6, 7, 8);
        assertThat(answer.out().lines().findFirst().orElseThrow()).startsWith("Living (pid " + jvm.pid() + ") is ");
    }

    @Test
    void wrongUseIsSaid() {
        assertThat(Kiln.inProcess("doctor", "999999999").exit()).isEqualTo(2);
        assertThat(Kiln.inProcess("doctor", "--until-warm").err()).contains("give its PID");
        assertThat(Kiln.inProcess("doctor", "1", "--for", "1s").exit()).isEqualTo(2);
        assertThat(Kiln.inProcess("doctor", "--container", "feedfeedfeed").err())
                .contains("no JVM in a container");
    }
}
