package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.process.AttachedProcess;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.host.process.UserCommand;
import dev.kiln.launch.Attachment;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.runner.Cancellation.Interrupted;
import dev.kiln.runner.HookRunner.OwedHook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HookRunnerIT {
    private static final String LOAD = "load: {url: 'http://localhost:8080/'}\n";

    @TempDir
    private Path dir;

    private final Said said = new Said();
    private final Cancellation cancellation = new Cancellation();
    private OrphanRegistry registry;
    private HookRunner hooks;

    @BeforeEach
    void open() {
        registry = new OrphanRegistry(dir.resolve("state"));
        hooks = new HookRunner(
                registry, List.of(), dir.resolve("results"), new RunControl(said, cancellation, new UnaskedJudge()));
    }

    @AfterEach
    void close() {
        registry.close();
    }

    /** What a user is told. */
    private static final class Said extends Bench.Unwatched {
        private final List<String> stages = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();

        @Override
        public void stage(String text) {
            stages.add(text);
        }

        @Override
        public void doing(String what) {
            stages.add(what);
        }

        @Override
        public void note(String text) {
            notes.add(text);
        }
    }

    private Experiment read(String yaml) throws IOException {
        return ExperimentFile.read(Files.writeString(dir.resolve("test.yaml"), yaml + LOAD));
    }

    private String done() throws IOException {
        Path done = dir.resolve("done");
        return Files.exists(done) ? Files.readString(done) : "";
    }

    private List<String> owed() {
        return registry.remaining();
    }

    private UserCommand shell(String what, String script) {
        return new UserCommand(what, List.of("sh", "-c", script), dir, Map.of());
    }

    @Test
    void variantsAreCleanedUpBeforeTheExperimentTheLastFirst() throws IOException {
        Experiment read = read("""
                prepare: sh -c 'echo prepare >> done'
                cleanup: sh -c 'echo cleanup >> done'
                target:
                  command: java -version
                  prepare: sh -c 'echo prepare ${run.dir} >> done'
                variants:
                  a: {cleanup: sh -c 'echo cleanup a >> done'}
                  b: {cleanup: sh -c 'echo cleanup b >> done'}
                """);
        Path results = dir.resolve("results");

        hooks.prepare(read);
        read.variants().forEach(hooks::prepare);
        // Their second runs.
        read.variants().forEach(hooks::prepare);
        assertThat(done())
                .isEqualTo("prepare\nprepare " + results.resolve("a") + "\nprepare " + results.resolve("b") + "\n");
        assertThat(owed()).hasSize(3);
        Files.delete(dir.resolve("done"));
        hooks.close();

        assertThat(done()).isEqualTo("cleanup b\ncleanup a\ncleanup\n");
        assertThat(owed()).isEmpty();
        assertThat(hooks.failed()).isFalse();
        assertThat(said.notes).isEmpty();
        assertThat(said.stages).startsWith("running prepare").endsWith("running cleanup");
    }

    /** What it has begun is undone. */
    @Test
    void withoutItsPreparationAnExperimentEndsAndIsCleanedUp() throws IOException {
        Experiment read = read("""
                prepare: sh -c 'echo half; echo no such network >&2; exit 3'
                cleanup: sh -c 'echo cleanup >> done'
                target: {command: java -version}
                """);

        assertThatThrownBy(() -> hooks.prepare(read))
                .isInstanceOfSatisfying(KilnException.class, failed -> {
                    assertThat(failed.exit()).isEqualTo(Exit.PROBLEM);
                    assertThat(failed.remedy()).isEqualTo("half\nno such network");
                })
                .hasMessageStartingWith("prepare (sh -c echo half;")
                .hasMessageContaining("exited with code 3; run it by hand in " + dir + " until it works (full output: "
                        + dir.resolve("results/prepare.log") + ")");
        hooks.close();
        assertThat(done()).isEqualTo("cleanup\n");
    }

    @Test
    void aVariantWhosePreparationFailedIsPreparedAgain() throws IOException {
        Experiment read = read("target: {command: java -version, prepare: sh -c 'echo x >> done; test -e there'}\n");

        assertThatThrownBy(() -> hooks.prepare(read.variants().getFirst()))
                .isInstanceOfSatisfying(
                        RunFailure.class, failed -> assertThat(failed.outcome()).isEqualTo(Outcome.LAB_FAILED))
                .hasMessageContaining("exited with code 1");
        Files.createFile(dir.resolve("there"));
        hooks.prepare(read.variants().getFirst());
        hooks.prepare(read.variants().getFirst());

        assertThat(done()).isEqualTo("x\nx\n");
    }

    @Test
    void aVariantThatWasTriedTwiceIsCleanedUpOnce() throws IOException {
        Experiment read = read("""
                target: {command: java -version, prepare: sh -c 'exit 1', cleanup: sh -c 'echo cleanup >> done'}
                """);
        for (int run = 0; run < 2; run++) {
            assertThatThrownBy(() -> hooks.prepare(read.variants().getFirst())).isInstanceOf(RunFailure.class);
        }

        assertThat(owed()).hasSize(1);
        hooks.close();
        assertThat(done()).isEqualTo("cleanup\n");
    }

    /** The next run goes on, so this one must have its record. */
    @Test
    void aCommandThatCannotBeStartedEndsOnlyItsRun() {
        UserCommand gone = new UserCommand("beforeRun", List.of("./gone.sh"), dir, Map.of());

        assertThatThrownBy(() -> hooks.run(gone, dir.resolve("run"), Outcome.TARGET_FAILED))
                .isInstanceOfSatisfying(RunFailure.class, failed -> {
                    assertThat(failed.outcome()).isEqualTo(Outcome.LAB_FAILED);
                    assertThat(failed.said()).contains("check the command");
                })
                .hasMessageStartingWith("cannot start the beforeRun: no program './gone.sh'");
    }

    /** A shell that does not replace itself passes no signal on, and a child may not end by being asked. */
    @Test
    void withACommandThatIsEndedGoesWhatItWaitsFor() throws Exception {
        BegunHook waiting = hooks.begin(
                shell("restart", "(trap '' TERM; echo $$ > shell; exec sleep 1000)\necho went on >> done"),
                dir.resolve("run"));
        awaitFile(dir.resolve("shell"));
        List<ProcessHandle> children;
        do {
            Thread.sleep(5);
            children = waiting.process().descendants().toList();
        } while (children.isEmpty());

        waiting.close();

        assertThat(waiting.isAlive()).isFalse();
        assertThat(children).noneMatch(HookRunnerIT::runs);
        assertThat(done()).isEmpty();
    }

    /** One that nobody waits for is alive to Java. */
    private static boolean runs(ProcessHandle process) {
        return dev.kiln.host.proc.ProcFs.ofThisMachine()
                .stat(process.pid())
                .filter(stat -> !stat.isDead())
                .isPresent();
    }

    @Test
    void whatFailsAfterARunIsToldAndOwedNoMore() {
        OwedHook owed = hooks.owe(Optional.of(shell("afterRun", "echo gone; exit 7")), dir.resolve("run"))
                .orElseThrow();
        assertThat(owed()).hasSize(1);

        hooks.pay(owed);

        assertThat(hooks.failed()).isTrue();
        assertThat(owed()).isEmpty();
        assertThat(said.notes)
                .singleElement()
                .asString()
                .contains("exited with code 7")
                .endsWith("\n  gone");
    }

    @Test
    void aProgramThatIsGoneByThenIsToldToo() {
        OwedHook owed = hooks.owe(
                        Optional.of(new UserCommand("stop", List.of("./gone.sh"), dir, Map.of())), dir.resolve("run"))
                .orElseThrow();

        hooks.pay(owed);

        assertThat(hooks.failed()).isTrue();
        assertThat(said.notes).singleElement().asString().startsWith("cannot start the stop: no program './gone.sh'");
    }

    /** Two programs write while it goes on: it must not be cut, and its daemon must not keep Kiln waiting. */
    @Test
    void aServiceThatACommandLeavesRunningGoesOn() throws Exception {
        hooks.run(shell("prepare", "sleep 1000 & echo $! > pid; echo started"), dir.resolve("run"), Outcome.LAB_FAILED);

        ProcessHandle service = ProcessHandle.of(
                        Long.parseLong(Files.readString(dir.resolve("pid")).strip()))
                .orElseThrow();
        try {
            assertThat(Files.readString(dir.resolve("run/prepare.log"))).isEqualTo("started\n");
            assertThat(owed()).isEmpty();
            hooks.close();
            assertThat(service.isAlive()).isTrue();
        } finally {
            service.destroyForcibly();
        }
    }

    @Test
    void anInterruptionEndsWhatRunsAndNotWhatPutsThingsBack() throws Exception {
        Thread user = Thread.ofPlatform().start(() -> {
            awaitFile(dir.resolve("begun"));
            cancellation.cancel();
        });
        assertThatThrownBy(() -> hooks.run(
                        shell("beforeRun", "touch begun; exec sleep 1000"), dir.resolve("run"), Outcome.LAB_FAILED))
                .isInstanceOf(Interrupted.class);

        hooks.pay(hooks.owe(Optional.of(shell("afterRun", "sleep 0.2; echo back >> done")), dir.resolve("run"))
                .orElseThrow());
        cancellation.finished();
        user.join();

        assertThat(done()).isEqualTo("back\n");
        assertThat(hooks.failed()).isFalse();
    }

    private static void awaitFile(Path file) {
        while (!Files.exists(file)) {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Only what others start needs the variables from a command. */
    @Test
    void theVariablesAreOfTheCommandsWhereKilnStartsNoService() throws IOException {
        Placeholders values = new Placeholders(Map.of("port", "8080", "run.dir", "/r"));
        Target others = read("target: {attach: 'port:8080', restart: up, environment: {TAG: 'v-${port}'}}\n")
                .variants()
                .getFirst()
                .target();
        Target own = read("target: {command: java -version, beforeRun: 'up ${run.dir}', environment: {TAG: v}}\n")
                .variants()
                .getFirst()
                .target();

        assertThat(HookRunner.command(others, HookMoment.RESTART, values)
                        .orElseThrow()
                        .environment())
                .isEqualTo(Map.of("TAG", "v-8080"));
        UserCommand before =
                HookRunner.command(own, HookMoment.BEFORE_RUN, values).orElseThrow();
        assertThat(before.environment()).isEmpty();
        assertThat(before.words()).containsExactly("up", "/r");
    }

    private AttachedProcess brought(BegunHook hook, int port, Duration limit) {
        return new Restart(hooks, cancellation, hook, Optional.empty(), limit)
                .await(
                        Duration.ofMillis(20),
                        () -> Attachment.toNew(new AttachPoint.ListeningPort(port), hook.beganNanos()))
                .process();
    }

    /** A small server that this test's own JVM is not, in the background of a command. */
    private String server(int port) {
        return "'" + Path.of(System.getProperty("java.home"), "bin", "java") + "' -XX:TieredStopAtLevel=1 -cp '"
                + System.getProperty("java.class.path") + "' '" + Listening.class.getName() + "' " + port
                + " >/dev/null 2>&1 & echo $! >> pids";
    }

    /** Listens until it is killed. */
    static final class Listening {
        private Listening() {}

        public static void main(String[] args) throws Exception {
            try (var socket = new java.net.ServerSocket(Integer.parseInt(args[0]))) {
                while (true) {
                    socket.accept().close();
                }
            }
        }
    }

    private void endServers() throws IOException {
        Path pids = dir.resolve("pids");
        if (Files.exists(pids)) {
            try (Stream<String> lines = Files.lines(pids)) {
                lines.forEach(pid -> ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly));
            }
        }
    }

    @Test
    void aRestartFindsTheNewProcessAndNotTheOld() throws IOException {
        int port = dev.kiln.host.process.Ports.free();
        try {
            long before = System.nanoTime();
            BegunHook first = hooks.begin(shell("restart", server(port)), dir.resolve("1"));
            AttachedProcess old = brought(first, port, Duration.ofSeconds(60));
            first.close();
            assertThat(old.launchNanos()).isBetween(before, System.nanoTime());

            BegunHook nothing = hooks.begin(shell("restart", "echo restarted"), dir.resolve("2"));
            assertThatThrownBy(() -> brought(nothing, port, Duration.ofMillis(1500)))
                    .isInstanceOfSatisfying(RunFailure.class, failed -> {
                        assertThat(failed.outcome()).isEqualTo(Outcome.TARGET_FAILED);
                        assertThat(failed.said()).isEqualTo("restarted");
                    })
                    .hasMessageContaining("restart (sh -c echo restarted) ended, and brought no new process within 1 s")
                    .hasMessageContaining(
                            "process " + old.pid() + " is what listens on port " + port + ", and has run for ");
            nothing.close();

            BegunHook again = hooks.begin(shell("restart", "kill -9 $(cat pids); " + server(port)), dir.resolve("3"));
            AttachedProcess fresh = brought(again, port, Duration.ofSeconds(60));
            again.close();
            assertThat(fresh.pid()).isNotEqualTo(old.pid());
            assertThat(fresh.launchNanos()).isGreaterThanOrEqualTo(again.beganNanos());
        } finally {
            endServers();
        }
    }

    @Test
    void aRestartThatFailsOrBringsNothingEndsTheRun() {
        int port = dev.kiln.host.process.Ports.free();
        try (BegunHook failing = hooks.begin(shell("restart", "echo no such unit; exit 5"), dir.resolve("1"))) {
            assertThatThrownBy(() -> brought(failing, port, Duration.ofSeconds(60)))
                    .isInstanceOfSatisfying(
                            RunFailure.class,
                            failed -> assertThat(failed.said()).isEqualTo("no such unit"))
                    .hasMessageContaining("exited with code 5");
        }
        BegunHook hanging = hooks.begin(shell("restart", "exec sleep 1000"), dir.resolve("2"));
        assertThatThrownBy(() -> brought(hanging, port, Duration.ofMillis(300)))
                .hasMessageContaining("has not ended, and brought no new process")
                .hasMessageContaining("nothing listens on port " + port);
        assertThat(hanging.isAlive()).isTrue();
        hanging.close();
        assertThat(hanging.isAlive()).isFalse();
    }
}
